/** Attempts go to checked public addresses only, and to the address that was checked, whatever the name resolves to next. */

import { describe, expect, test } from "bun:test";
import { machineAddresses, publicNames } from "#gateways/webhook/connect.ts";
import { openWebhookPost, type WebhookPostOptions } from "#gateways/webhook/post.ts";
import { readProxy } from "#gateways/webhook/proxy.ts";
import { makeAuthority } from "./certificate.ts";
import { startNameServer } from "./name-server.ts";
import { startProxy } from "./proxy-server.ts";
import { OK, startReceiver } from "./receiver.ts";

const HOST = "hook.example.com";
/** Public unicast. Only proxies of these tests are ever requested to connect there. */
const PUBLIC = "93.184.215.14";
const PUBLIC_6 = "2606:2800:21f:cb07::1";
const authority = makeAuthority("test authority");

type Answers = Parameters<typeof startNameServer>[0];

type World = Awaited<ReturnType<typeof world>>;

/** The sender as in production: real names, real TLS under the real name; only the last hop is led to loopback, by a proxy. */
async function world(answers: Answers, options: Partial<WebhookPostOptions> = {}) {
  const receiver = await startReceiver({ tls: authority.issue(HOST) });
  const proxy = await startProxy(() => receiver.port);
  const names = await startNameServer(answers);
  const send = openWebhookPost({
    allowPrivate: false,
    ownAddresses: () => [],
    ca: authority.ca,
    proxy: `http://127.0.0.1:${proxy.port}`,
    resolve: publicNames([names.at]),
    ...options,
  });
  return { receiver, proxy, names, send };
}

/** The same sender through this proxy, to addresses that need no name server. */
const through = (proxy: string, options: Partial<WebhookPostOptions> = {}) =>
  openWebhookPost({
    ...{ allowPrivate: false, ca: authority.ca, proxy, resolve: async () => [PUBLIC] },
    ...options,
  });

const tunnels = ({ proxy }: World) => proxy.heads.map((head) => head.split("\r\n")[0]);

describe("a public name", () => {
  test("is reached on port 443 at its address, under its own name", async () => {
    const here = await world(() => [PUBLIC]);
    const outcome = await here.send(`https://${HOST}/in`, {}, "{}");
    expect(outcome).toMatchObject({ status: 200, fault: null, address: PUBLIC });
    expect(tunnels(here)).toEqual([`CONNECT ${PUBLIC}:443 HTTP/1.1`]);
    expect(here.receiver.names).toEqual([HOST]);
    expect(here.receiver.requests[0]).toStartWith(`POST /in HTTP/1.1\r\nHost: ${HOST}\r\n`);
  });

  test("may have an IPv6 address alone", async () => {
    const here = await world(() => [PUBLIC_6]);
    expect(await here.send(`https://${HOST}/`, {}, "{}")).toMatchObject({ status: 200, address: PUBLIC_6 });
    expect(tunnels(here)).toEqual([`CONNECT [${PUBLIC_6}]:443 HTTP/1.1`]);
  });

  test("is requested as it is, once for each family", async () => {
    const here = await world(() => [PUBLIC]);
    await here.send("https://Bücher.example.com/", {}, "{}");
    expect([...here.names.questions].sort()).toEqual([
      "xn--bcher-kva.example.com/A",
      "xn--bcher-kva.example.com/AAAA",
    ]);
  });
});

describe("a name that changes its answer", () => {
  test("is connected to at the address that was checked, and resolved again the next time", async () => {
    let answers = 0;
    const here = await world((_, type) =>
      type === "AAAA" ? [] : answers++ === 0 ? [PUBLIC] : ["127.0.0.1"],
    );
    const url = `https://${HOST}/`;
    expect(await here.send(url, {}, "{}")).toMatchObject({ status: 200, address: PUBLIC });
    expect(await here.send(url, {}, "{}")).toMatchObject({ status: null, fault: "address", address: null });
    expect(tunnels(here)).toEqual([`CONNECT ${PUBLIC}:443 HTTP/1.1`]);
  });

  test("leads no request to its second answer without a proxy either", async () => {
    const tls = authority.issue(HOST);
    const first = await startReceiver({ tls });
    const second = await startReceiver({ tls, address: "127.0.0.2", port: first.port });
    let answers = 0;
    const resolve = async () => (answers++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const send = openWebhookPost({ allowPrivate: true, ca: authority.ca, resolve });
    const outcome = await send(`https://${HOST}:${first.port}/`, {}, "{}");
    expect(outcome).toMatchObject({ status: 200, address: "127.0.0.1" });
    expect([answers, first.requests.length, second.connections]).toEqual([1, 1, 0]);
  });
});

// Which addresses are not public: test/domain/webhook/public-address.test.ts.
describe("refused, and nothing is connected to", () => {
  test.each([
    ["loopback", ["127.0.0.1"]],
    ["one bad address among good ones", [PUBLIC, "192.168.0.1"]],
    ["a good IPv4 address beside a bad IPv6 one", [PUBLIC, "::1"]],
    ["IPv4 in other dress", ["64:ff9b::7f00:1"]],
  ])("%s", async (_, addresses) => {
    const here = await world(() => addresses);
    const outcome = await here.send(`https://${HOST}/`, {}, "{}");
    expect(outcome).toMatchObject({ status: null, fault: "address", address: null });
    expect(here.proxy.heads).toEqual([]);
  });

  test.each([
    [PUBLIC, PUBLIC],
    [PUBLIC_6, "2606:2800:021f:cb07:0::1"],
    [PUBLIC, `::ffff:${PUBLIC}`],
  ])("our own address %s, also written as %s", async (address, own) => {
    const here = await world(() => [address], { ownAddresses: () => ["not an address", own] });
    expect(await here.send(`https://${HOST}/`, {}, "{}")).toMatchObject({ status: null, fault: "address" });
    expect(here.proxy.heads).toEqual([]);
  });

  test.each(["010.1.1.1", "0x5db8d70e", "1572395790", "93.184.215.14%eth0", "::ffff:10.0.0.1", ""])(
    "%p from a resolver of another kind",
    async (text) => {
      const here = await world(() => null, { resolve: async () => [text] });
      expect(await here.send(`https://${HOST}/`, {}, "{}")).toMatchObject({ status: null, fault: "address" });
      expect(here.proxy.heads).toEqual([]);
    },
  );
});

describe("names", () => {
  test("that do not exist, or have no address, are a fault of the name", async () => {
    for (const answer of [null, []]) {
      const here = await world(() => answer);
      expect(await here.send(`https://${HOST}/`, {}, "{}")).toMatchObject({ fault: "dns", address: null });
    }
  });

  test("whose server ignores questions for IPv6 are reached all the same", async () => {
    const here = await world((_, type) => (type === "A" ? [PUBLIC] : "silent"));
    const resolve = publicNames([here.names.at], { timeout: 1000, tries: 1 });
    const send = through(`http://127.0.0.1:${here.proxy.port}`, { resolve });
    expect(await send(`https://${HOST}/`, {}, "{}")).toMatchObject({ status: 200, address: PUBLIC });
  });

  test("without an answer end with the deadline", async () => {
    const here = await world(() => "silent", { deadlineMilliseconds: 100 });
    expect(await here.send(`https://${HOST}/`, {}, "{}")).toMatchObject({ fault: "timeout", address: null });
  });

  test("of this machine are its interfaces' addresses", () => {
    expect(machineAddresses()).toContain("127.0.0.1");
  });
});

describe("several addresses", () => {
  test("are tried in turn until one takes the connection", async () => {
    const receiver = await startReceiver();
    const send = openWebhookPost({ allowPrivate: true, resolve: async () => ["127.0.0.3", "127.0.0.1"] });
    const outcome = await send(`http://${HOST}:${receiver.port}/`, {}, "{}");
    expect(outcome).toMatchObject({ status: 200, address: "127.0.0.1" });
    expect(receiver.requests).toHaveLength(1);
  });

  test("are not tried once a connection was established: no event is sent twice in one attempt", async () => {
    const broken = await startReceiver({ behaviour: (socket) => void socket.destroy() });
    const other = await startReceiver({ address: "127.0.0.2", port: broken.port });
    const send = openWebhookPost({ allowPrivate: true, resolve: async () => ["127.0.0.1", "127.0.0.2"] });
    const outcome = await send(`http://${HOST}:${broken.port}/`, {}, "{}");
    expect(outcome).toMatchObject({ fault: "closed", address: "127.0.0.1" });
    expect(other.connections).toBe(0);
  });
});

describe("a proxy", () => {
  test("carries an answer that takes longer than the connection to one of several addresses may", async () => {
    const receiver = await startReceiver({
      tls: authority.issue(HOST),
      behaviour: (socket) => void setTimeout(() => socket.end(OK), 400),
    });
    const proxy = await startProxy(() => receiver.port);
    const options = { resolve: async () => [PUBLIC, PUBLIC_6], deadlineMilliseconds: 1000 };
    const send = through(`http://127.0.0.1:${proxy.port}`, options);
    expect(await send(`https://${HOST}/`, {}, "{}")).toMatchObject({ status: 200, address: PUBLIC });
    expect(proxy.heads).toHaveLength(1);
  });

  test("that never answers ends with the deadline", async () => {
    const mute = await startReceiver({ behaviour: () => {} });
    const send = through(`http://127.0.0.1:${mute.port}`, { deadlineMilliseconds: 100 });
    expect(await send(`https://${HOST}/`, {}, "{}")).toMatchObject({ fault: "timeout", address: PUBLIC });
    await mute.idle();
  });

  test("gets its own credentials, and none of the event", async () => {
    const here = await world(() => [PUBLIC]);
    const send = through(`http://user:p%40ss@127.0.0.1:${here.proxy.port}`);
    expect(await send(`https://${HOST}/secret-path`, {}, "{}")).toMatchObject({ status: 200 });
    expect(here.proxy.heads).toEqual([
      `CONNECT ${PUBLIC}:443 HTTP/1.1\r\nHost: ${PUBLIC}:443\r\nProxy-Authorization: Basic ${btoa("user:p@ss")}\r\n\r\n`,
    ]);
    expect(here.receiver.requests[0]).not.toContain("Proxy-Authorization");
  });

  test.each([
    ["that refuses", "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"],
    ["that is none", "SSH-2.0-OpenSSH\r\n"],
    ["that says more than its head", "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"],
    ["that goes away", ""],
  ])("%s is a fault of the connection, not an answer of the receiver", async (_, answer) => {
    const proxy = await startProxy(() => 1, answer);
    const outcome = await through(`http://127.0.0.1:${proxy.port}`)(`https://${HOST}/`, {}, "{}");
    expect(outcome).toMatchObject({ status: null, fault: "connect", address: PUBLIC });
  });

  test.each([
    "https://proxy.example.com",
    "socks5://proxy:1080",
    "proxy:3128",
    "http://proxy/path",
    "http://a:b%ZZ@proxy",
  ])("is not %s", (text) => {
    expect(readProxy(text)).toBeNull();
    expect(() => openWebhookPost({ allowPrivate: false, proxy: text })).toThrow(TypeError);
  });

  test("may have any address, also one of this network", () => {
    expect(readProxy("http://[fd00::1]:3128")).toEqual({ host: "fd00::1", port: 3128, authorization: null });
    expect(readProxy("http://proxy.internal/")).toMatchObject({ host: "proxy.internal", port: 80 });
  });
});
