/** What is checked of every POST to /v1/mcp/ before the protocol, and what the protocol itself refuses. */

import { describe, expect, test } from "bun:test";
import type { HttpDeps } from "#api/server.ts";
import { openTestApp, post, type TestChanges } from "#test/api/harness.ts";
import { ENVELOPE, MCP_HEADERS, MODERN } from "#test/mcp/damage.ts";
import { listen } from "#test/support/listen.ts";

/** Listens as the product does; resolves with the address of its protocol endpoint. */
const serve = (changes: TestChanges = {}) => `${listen(openTestApp(changes).answer).url}/v1/mcp/`;

const url = serve();
const PLAIN = { "content-type": "application/json", ...MCP_HEADERS };
const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

const send = (body: unknown, headers: Record<string, string> = {}, to = url) =>
  fetch(to, post(body, { ...PLAIN, ...headers }));

async function refusedBy(answer: Response): Promise<readonly [number, number]> {
  const { jsonrpc, error } = await answer.json();
  expect(jsonrpc).toBe("2.0");
  return [answer.status, error.code];
}

async function envelopeOf(answer: Response): Promise<readonly [number, string]> {
  return [answer.status, (await answer.json()).code];
}

describe("the path", () => {
  test("answers with and without a slash at its end", async () => {
    for (const address of [url, url.slice(0, -1)])
      expect(await (await send(PING, {}, address)).json()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
  });
  test("has no streams and no sessions: GET and DELETE are 405, by name", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await fetch(url, { method, headers: { accept: "text/event-stream" } });
      expect(answer.headers.get("allow")).toContain("POST");
      expect(await envelopeOf(answer)).toEqual([405, "method_not_allowed"]);
    }
  });
});

describe("the origin of a page", () => {
  test("may be none, or the server's own on the loopback, or that of PUBLIC_URL", async () => {
    expect((await send(PING)).status).toBe(200);
    expect((await send(PING, { origin: new URL(url).origin })).status).toBe(200);
    const named = serve({ publicUrl: "https://rates.example" });
    expect((await send(PING, { origin: "https://rates.example" }, named)).status).toBe(200);
  });
  test("is refused for other sites, also where a name was rebound to this server's address", async () => {
    for (const headers of [
      { origin: "https://elsewhere.example" },
      { origin: "null" },
      { origin: "http://elsewhere.example", host: "elsewhere.example" },
      {
        origin: `http://elsewhere.example:${new URL(url).port}`,
        host: `elsewhere.example:${new URL(url).port}`,
      },
    ])
      expect(await envelopeOf(await send(PING, headers))).toEqual([403, "forbidden"]);
  });
  test("passes under a name in ALLOWED_HOSTS, and other names are not answered for", async () => {
    const named = serve({ allowedHosts: ["rates.example"] });
    const own = { origin: "https://rates.example", host: "rates.example" };
    expect((await send(PING, own, named)).status).toBe(200);
    const foreign = await send(PING, { host: "elsewhere.example" }, named);
    expect(await envelopeOf(foreign)).toEqual([421, "misdirected_request"]);
  });
  test("passes where the operator allowed it, and its preflight too", async () => {
    const open = serve({ mcpOrigins: ["https://app.example"] });
    const page = { origin: "https://app.example" };
    expect((await send(PING, page, open)).status).toBe(200);
    expect((await send(PING, { origin: "https://other.example" }, open)).status).toBe(403);
    const preflight = await fetch(open, { method: "OPTIONS", headers: page });
    const leave = preflight.headers.get("access-control-allow-headers") ?? "";
    const needed = ["Authorization", "Content-Type", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"];
    for (const name of [...needed, "Last-Event-ID"]) expect(leave).toContain(name);
    const closed = await fetch(url, { method: "OPTIONS", headers: page });
    expect(closed.headers.get("access-control-allow-headers")).toBeNull();
    const anywhere = serve({ mcpOrigins: ["*"] });
    expect((await send(PING, { origin: "https://other.example" }, anywhere)).status).toBe(200);
  });
});

describe("the body", () => {
  test("is bounded, declared as JSON and not coded", async () => {
    const large = `{"jsonrpc":"2.0","id":1,"method":"ping","x":"${"y".repeat(64 * 1024)}"}`;
    expect(await envelopeOf(await send(large))).toEqual([413, "payload_too_large"]);
    const stream = new Blob([large]).stream();
    const chunked = await fetch(url, { method: "POST", headers: PLAIN, body: stream });
    expect(await envelopeOf(chunked)).toEqual([413, "payload_too_large"]);
    const typed = await send(PING, { "content-type": "text/plain" });
    expect(await envelopeOf(typed)).toEqual([415, "unsupported_media_type"]);
    const coded = await send(PING, { "content-encoding": "gzip" });
    expect(await envelopeOf(coded)).toEqual([415, "unsupported_media_type"]);
  });
  test("is one message: arrays are refused, however deep", async () => {
    for (const body of ["[]", JSON.stringify([PING]), JSON.stringify([PING, PING]), "[[[]]]"])
      expect(await refusedBy(await send(body))).toEqual([400, -32_600]);
    const deep = await send(`${"[".repeat(30_000)}${"]".repeat(30_000)}`);
    expect(deep.status).toBe(400);
  });
  test("is JSON, in UTF-8, and an object", async () => {
    for (const body of ["", "{", "nonsense", '{"jsonrpc":"2.0","id":1,"method":"ping",}'])
      expect(await refusedBy(await send(body))).toEqual([400, -32_700]);
    const latin = await fetch(url, {
      method: "POST",
      headers: PLAIN,
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect(await refusedBy(latin)).toEqual([400, -32_700]);
    for (const body of ["1", '"ping"', "null", "true"])
      expect(await refusedBy(await send(body))).toEqual([400, -32_600]);
  });
  test("may nest deeply in a member without harm", async () => {
    const deep = `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_rate","arguments":${deep}}}`;
    expect((await send(message)).status).toBeLessThan(500);
  });
});

describe("a message", () => {
  test("without a method, an id or the version is no message", async () => {
    for (const body of [
      {},
      { jsonrpc: "2.0", id: 1 },
      { id: 1, method: "ping" },
      { ...PING, id: {} },
      { ...PING, result: {} },
    ])
      expect(await refusedBy(await send(body))).toEqual([400, -32_600]);
  });
  test("of an unknown method is refused by the protocol", async () => {
    const answer = await send({ ...PING, method: "tools/destroy" });
    expect(await answer.json()).toMatchObject({ id: 7, error: { code: -32_601 } });
  });
  test("without an answer is accepted", async () => {
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]) {
      const answer = await send(body);
      expect([answer.status, await answer.text()]).toEqual([202, ""]);
    }
  });
  test("of an unknown revision of the protocol is refused, and initialize offers one that is known", async () => {
    const answer = await send(PING, { "mcp-protocol-version": "1999-01-01" });
    expect(await refusedBy(answer)).toEqual([400, -32_000]);
    const params = {
      protocolVersion: "1999-01-01",
      capabilities: {},
      clientInfo: { name: "a test", version: "1" },
    };
    const offered = await (await send({ ...PING, method: "initialize", params })).json();
    expect(offered.result.protocolVersion).toMatch(/^2025-/);
  });
  test("cannot open a stream: there is nothing to subscribe to", async () => {
    const params = { _meta: ENVELOPE, notifications: {} };
    const message = { jsonrpc: "2.0", id: 9, method: "subscriptions/listen", params };
    const answer = await send(message, {
      "mcp-protocol-version": MODERN,
      "mcp-method": "subscriptions/listen",
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({ id: 9, error: { code: -32_603 } });
  });
});

test("an answer says its request id, is not stored, and of the demo that it is simulated", async () => {
  const answer = await send(PING, { "x-request-id": "my-own-id" }, serve({ simulated: true }));
  expect(answer.headers.get("x-request-id")).toBe("my-own-id");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-data-mode")).toBe("simulated");
});

test("a tool call is one request in the metrics: the REST call behind it is none", async () => {
  const counted: string[] = [];
  const metered = serve({ countRequest: (route, status) => counted.push(`${route} ${status}`) });
  const call = {
    ...PING,
    method: "tools/call",
    params: { name: "get_rate", arguments: { base: "EUR", quote: "USD" } },
  };
  for (let nth = 0; nth < 2; nth++) await send(call, {}, metered);
  expect(counted).toEqual(["/v1/mcp/ 200", "/v1/mcp/ 200"]);
});

test("a client that leaves ends the REST call behind its tool call", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const meter: HttpDeps["meter"] = {
    ...openTestApp().deps.meter,
    cachedCaller: () => null,
    admit: async ({ signal }) => {
      signal.addEventListener("abort", () => leave());
      begin(signal);
      await left;
      throw new DOMException("left", "AbortError");
    },
  };
  const waiting = serve({ meter });
  const leaving = new AbortController();
  const call = { ...PING, method: "tools/call", params: { name: "get_latest", arguments: {} } };
  const sent = { ...post(call, PLAIN), signal: leaving.signal };
  const answered = fetch(waiting, sent).catch((fault: Error) => fault.name);
  const signal = await begun;
  leaving.abort();
  await left;
  expect(signal.aborted).toBe(true);
  expect(await answered).toBe("AbortError");
});

test("a fault of ours is an error of the protocol that shows nothing of it, and is logged", async () => {
  const emitted: string[] = [];
  const broken = serve({
    emit: (event) => emitted.push(JSON.stringify(event)),
    mcp: async () => {
      throw new Error("a secret place");
    },
  });
  const answer = await send(PING, {}, broken);
  expect(await envelopeOf(answer)).toEqual([500, "internal_error"]);
  expect(emitted.join()).toContain("a secret place");
});
