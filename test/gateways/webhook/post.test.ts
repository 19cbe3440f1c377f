/** One attempt, against real receivers: what they get, and the name of everything that goes wrong. */

import { describe, expect, test } from "bun:test";
import { checkSignature, signatureHeader } from "#domain/webhook/endpoint.ts";
import { machineAddresses } from "#gateways/webhook/connect.ts";
import { openWebhookPost, type WebhookPostOptions } from "#gateways/webhook/post.ts";
import { saySkipped } from "#test/support/require-tool.ts";
import { makeAuthority } from "./certificate.ts";
import { answering, type Behaviour, endless, OK, type ReceiverOptions, startReceiver } from "./receiver.ts";

const hasIpv6 = machineAddresses().includes("::1");
if (!hasIpv6) saySkipped("a receiver on IPv6 needs the address ::1");

const HOST = "hook.example.com";
const authority = makeAuthority("test authority");
const tls = authority.issue(HOST);
const BODY = '{"id":"evt_test_1","data":{"note":"žluťoučký €"}}';
const SECRET = "whsec_00000000000000000000000000000000";

const receiving = (options: ReceiverOptions = {}) => startReceiver({ tls, ...options });

const post = (options: Partial<WebhookPostOptions> = {}) =>
  openWebhookPost({
    allowPrivate: true,
    resolve: async () => ["127.0.0.1"],
    ca: authority.ca,
    ...options,
  });

/** The outcome of posting over TLS to a receiver that behaves like this. */
async function against(behaviour: Behaviour, options: Partial<WebhookPostOptions> = {}) {
  const receiver = await receiving({ behaviour });
  const outcome = await post(options)(`https://${HOST}:${receiver.port}/in`, {}, BODY);
  // Whatever the receiver still wants to say, no server listens: the connection is gone.
  await receiver.idle();
  return { ...outcome, receiver };
}

describe("what a receiver gets", () => {
  test("is exactly this request, once, under its own name", async () => {
    const receiver = await receiving();
    const header = signatureHeader(SECRET, 1_790_000_000, BODY);
    const url = `https://${HOST}:${receiver.port}/in/ž?a=1&b=%20`;
    const outcome = await post()(url, { "Webhook-Signature": header }, BODY);
    expect(outcome).toMatchObject({ status: 200, fault: null, address: "127.0.0.1" });
    expect(outcome.milliseconds).toBeInteger();
    expect(receiver.names).toEqual([HOST]);
    const [head, body] = (receiver.requests[0] ?? "").split("\r\n\r\n");
    expect(receiver.requests).toHaveLength(1);
    expect(head?.split("\r\n")).toEqual([
      "POST /in/%C5%BE?a=1&b=%20 HTTP/1.1",
      `Host: ${HOST}:${receiver.port}`,
      "Content-Type: application/json",
      "User-Agent: webhook-delivery/1",
      `Webhook-Signature: ${header}`,
      `Content-Length: ${Buffer.byteLength(BODY)}`,
      "Connection: close",
    ]);
    const bytes = Buffer.from(body ?? "", "latin1");
    expect(bytes).toEqual(Buffer.from(BODY));
    expect(checkSignature(header, bytes, SECRET, 1_790_000_000_000)).toBe("genuine");
  });

  test("reaches a plain receiver on this machine where private addresses are allowed", async () => {
    const receiver = await startReceiver();
    const send = openWebhookPost({ allowPrivate: true });
    for (const host of ["127.0.0.1", "localhost"])
      expect(await send(`http://${host}:${receiver.port}/in`, {}, BODY)).toMatchObject({
        status: 200,
        fault: null,
      });
    expect(receiver.requests[0]).toStartWith(`POST /in HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\n`);
  });

  test.skipIf(!hasIpv6)("reaches an IPv6 address", async () => {
    const receiver = await receiving({ address: "::1" });
    const outcome = await post({ resolve: async () => ["::1"] })(
      `https://${HOST}:${receiver.port}/`,
      {},
      BODY,
    );
    expect(outcome).toMatchObject({ status: 200, address: "::1" });
  });
});

describe("the status", () => {
  test.each([
    ["200", OK, 200],
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", 204],
    ["a redirect, which is not followed", "HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\n\r\n", 302],
    ["410", "HTTP/1.1 410 Gone\r\n\r\n", 410],
    ["500 in HTTP/1.0", "HTTP/1.0 500 Oh no\r\n\r\n", 500],
    ["one without a reason", "HTTP/1.1 202\r\n\r\n", 202],
    [
      "one after interim answers",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n${OK}`,
      200,
    ],
    ["an unrequested switch of protocols", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", 101],
  ])("is read: %s", async (_, answer, status) => {
    const outcome = await against(answering(answer));
    expect(outcome).toMatchObject({ status, fault: null, address: "127.0.0.1" });
    expect(outcome.receiver.connections).toBe(1);
  });

  test("is enough, though a body never ends", async () => {
    const outcome = await against(endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(10_000)));
    expect(outcome).toMatchObject({ status: 200, fault: null });
  });

  test.each([
    ["16 interim answers", 16, { status: 200, fault: null }],
    ["17 interim answers", 17, { status: null, fault: "response" }],
  ])("comes after at most 16 of them: %s", async (_, count, expected) => {
    for (const interim of ["100 Continue", "103 Early Hints", "199 Other"])
      expect(await against(answering(`HTTP/1.1 ${interim}\r\n\r\n`.repeat(count) + OK))).toMatchObject(
        expected,
      );
  });

  test("may come in single bytes", async () => {
    const outcome = await against(async (socket) => {
      for (const character of OK) {
        socket.write(character);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(outcome).toMatchObject({ status: 200, fault: null });
  });
});

const drip: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 ");
  const more = setInterval(() => socket.write("x"), 5);
  socket.on("close", () => clearInterval(more));
};

describe("what goes wrong has a name", () => {
  test.each<[string, Behaviour]>([
    ["closed: an end without an answer", (socket) => void socket.end()],
    ["closed: an end inside the status line", answering("HTTP/1.1 20")],
    ["closed: a connection that is torn down", (socket) => void socket.destroy()],
    ["response: another protocol", answering("220 mail.example.com ESMTP\r\n")],
    ["response: a status that is none", answering("HTTP/1.1 2000 OK\r\n\r\n")],
    ["response: HTTP/2", answering("HTTP/2 200\r\n\r\n")],
    ["response: a status line without end", endless("HTTP/1.1 200 ", "x".repeat(1000))],
    ["response: interim answers without end", endless("", "HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["response: continuing without end", endless("", "HTTP/1.1 100 Continue\r\n\r\n")],
    ["response: headers without end", endless("HTTP/1.1 200 OK\r\n", "X-Endless: 1\r\n".repeat(100))],
    ["response: one header without end", endless("HTTP/1.1 200 OK\r\nX: ", "x".repeat(1000))],
    ["response: an interim answer without end", endless("HTTP/1.1 103 E\r\n", "X: 1\r\n".repeat(50))],
    ["timeout: no answer comes", () => {}],
    ["timeout: headers do not end", (socket) => void socket.write("HTTP/1.1 200 OK\r\nX: 1\r\n")],
    ["timeout: bytes drip, and no byte prolongs the deadline", drip],
  ])("%s", async (name, behaviour) => {
    const [fault = ""] = name.split(":");
    const outcome = await against(behaviour, fault === "timeout" ? { deadlineMilliseconds: 150 } : {});
    expect(outcome).toMatchObject({ status: null, fault, address: "127.0.0.1" });
  });

  test("timeout: a handshake that never ends", async () => {
    const mute = await startReceiver({ behaviour: () => {} });
    const outcome = await post({ deadlineMilliseconds: 100 })(`https://${HOST}:${mute.port}/`, {}, BODY);
    expect(outcome).toMatchObject({ status: null, fault: "timeout", address: "127.0.0.1" });
    await mute.idle();
  });

  test.each([
    "http://hook.example.com/",
    "https://hook.example.com:8443/",
    "https://127.0.0.1/",
    "https://localhost/",
    "",
  ])("url: %p", async (url) => {
    let isRequested = false;
    const resolve = async () => {
      isRequested = true;
      return [];
    };
    const outcome = await post({ allowPrivate: false, resolve })(url, {}, BODY);
    expect(outcome).toMatchObject({ status: null, fault: "url", address: null });
    expect(isRequested).toBe(false);
  });
});

describe("TLS", () => {
  const faulty = async (options: ReceiverOptions, host = HOST) => {
    const receiver = await receiving(options);
    const outcome = await post()(`https://${host}:${receiver.port}/`, {}, BODY);
    await receiver.idle();
    expect(receiver.requests).toEqual([]);
    return outcome;
  };
  const refused = { status: null, fault: "tls", address: "127.0.0.1" } as const;

  test.each([
    ["the address alone", authority.issue("127.0.0.1")],
    ["another name", authority.issue("other.example.com")],
    ["an authority that is unknown", makeAuthority("test authority").issue(HOST)],
  ])("a certificate of %s gets no event", async (_, issued) => {
    expect(await faulty({ tls: issued })).toMatchObject(refused);
  });

  test("without authorities of its own the sender trusts no self-made one", async () => {
    const send = openWebhookPost({ allowPrivate: true, resolve: async () => ["127.0.0.1"] });
    const receiver = await receiving();
    expect(await send(`https://${HOST}:${receiver.port}/`, {}, BODY)).toMatchObject(refused);
    expect(receiver.requests).toEqual([]);
  });

  test("the environment cannot switch the check off", async () => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await faulty({}, "other.example.com")).toMatchObject(refused);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
  });

  test("a plain HTTP server gets no event", async () => {
    const answer = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") },
    });
    const outcome = await post()(`https://${HOST}:${answer.port}/`, {}, BODY);
    answer.stop(true);
    expect(outcome).toMatchObject(refused);
  });

  test("a server that wants a certificate from us is a fault of TLS", async () => {
    const outcome = await faulty({
      tls: { ...tls, requestCert: true, rejectUnauthorized: true, ca: authority.ca },
    });
    expect(outcome).toMatchObject(refused);
  });
});
