/** A plain tool call, which goes without the SDK's server, is answered as that server answers it: byte for byte. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { McpOptions } from "#assembly/mcp.ts";
import { openMcp } from "#assembly/mcp.ts";
import { openGuides } from "#guides/pages.ts";
import { newAnswering } from "#mcp/exchange.ts";
import { newAcceptedEnvelopes, type PlainCall, plainCallOf } from "#mcp/plain-call.ts";
import { newMcpServer } from "#mcp/server.ts";
import type { McpExchange } from "#ports/mcp.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { SAMPLE_CALLS } from "./calls.ts";
import { damagedMessages, ENVELOPE, MODERN, type PostedMessage } from "./damage.ts";

setDefaultTimeout(60_000);

/** Every message by the SDK. */
function openSdkAlone({ emit: _, ...options }: McpOptions): McpExchange {
  const answer = newAnswering();
  const parts = { ...options, guides: openGuides(), unexpected: () => {} };
  return ({ request, message, call }) => answer(() => newMcpServer({ ...parts, call }), request, message);
}

const product = sampleApp();
const sdk = sampleApp(openSdkAlone);
/** Here every tool meets a fault of ours. */
const failing = (open: typeof openMcp): typeof openMcp => {
  const rejected = () => Promise.reject(new Error("planted"));
  return (options) => {
    const exchange = open(options);
    return (message) => exchange({ ...message, call: rejected });
  };
};

const JSON_TYPE = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function requestOf({ text, headers }: PostedMessage): Request {
  const fields = { host: "localhost", "x-request-id": "a-request-of-the-test", ...headers };
  return new Request("http://localhost/v1/mcp/", { method: "POST", headers: fields, body: text });
}

async function received(app: typeof product, posted: PostedMessage) {
  const answer = await app.answer(requestOf(posted));
  const bytes = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  return { status: answer.status, headers: [...answer.headers].sort(), bytes };
}

async function expectSame(posted: PostedMessage, ways = { product, sdk }): Promise<void> {
  const [given, expected] = [await received(ways.product, posted), await received(ways.sdk, posted)];
  expect({ posted, ...given }).toEqual({ posted, ...expected });
}

function isPlain(posted: PostedMessage): boolean {
  try {
    return plainCallOf(requestOf(posted), JSON.parse(posted.text)) !== null;
  } catch {
    return false;
  }
}

interface Variation {
  readonly id?: unknown;
  readonly params?: object;
  readonly meta?: object;
  readonly members?: object;
  readonly headers?: Record<string, string>;
}

const RATE = { name: "get_rate", arguments: { base: "USD", quote: "JPY" } };

function posted(isModern: boolean, { id = 1, params = RATE, meta = {}, members, headers }: Variation) {
  const envelope = isModern || Object.keys(meta).length > 0 ? { _meta: { ...ENVELOPE, ...meta } } : {};
  const message = {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { ...params, ...envelope },
    ...members,
  };
  const { name } = params as Partial<typeof RATE>;
  const standard = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name ?? "" };
  const text = JSON.stringify(message);
  return { text, headers: { ...JSON_TYPE, ...(isModern ? standard : {}), ...headers } };
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const INFO = "io.modelcontextprotocol/clientInfo";
const VERSION = "io.modelcontextprotocol/protocolVersion";

const PLAIN: readonly Variation[] = [
  ...SAMPLE_CALLS.map(({ tool, given }) => ({ params: { name: tool, arguments: given } })),
  ...["", "a", "\u2028\u0000\ud800", "1".repeat(300), 0, -1, Number.MAX_SAFE_INTEGER].map((id) => ({ id })),
  { params: { name: "list_currencies" } },
  { params: { name: "get_rate", arguments: {} } },
  { params: { name: "get_rate", arguments: { base: "XXX", quote: 1, other: null } } },
  { params: { name: "get_rate", arguments: JSON.parse('{"__proto__":{"base":"USD"},"constructor":1}') } },
  {
    params: {
      name: "convert",
      arguments: { from: "USD", to: "EUR", amount: "12345678901234567890.12345678901" },
    },
  },
  { headers: { "accept-encoding": "gzip" } },
];

const UNUSUAL: readonly Variation[] = [
  ...[null, 1.5, 2 ** 53, true, [], {}].map((id) => ({ id })),
  ...[null, [], "text", 1].map((given) => ({ params: { name: "get_rate", arguments: given } })),
  ...["none", "", "__proto__", "constructor"].map((name) => ({ params: { ...RATE, name } })),
  ...[{ extra: 1 }, { jsonrpc: "1.0" }, { params: null }, { params: [] }, { result: {} }, { error: {} }].map(
    (members) => ({ members }),
  ),
  { params: { ...RATE, extra: 1 } },
  { params: { ...RATE, inputResponses: {} } },
  { params: { ...RATE, requestState: "state" } },
  { params: { ...RATE, task: { ttl: 1 } } },
  { headers: { "content-type": "application/json; charset=utf-8" } },
  { headers: { "content-type": "Application/JSON" } },
  ...["", "2025-06-18", "2024-11-05", "nonsense", "2026-07-28"].map((version) => ({
    headers: { "mcp-protocol-version": version },
  })),
  { headers: { "mcp-method": "tools/list" } },
  { headers: { "mcp-name": "get_latest" } },
  { headers: { "mcp-name": "=?base64?Z2V0X3JhdGU=?=" } },
  ...[
    { progressToken: 1 },
    { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    { "io.modelcontextprotocol/logLevel": "debug" },
    { [INFO]: undefined },
    { [INFO]: { name: "x" } },
    { [INFO]: null },
    { [CAPABILITIES]: undefined },
    { [CAPABILITIES]: [] },
    { [CAPABILITIES]: { sampling: {}, elicitation: { form: {} } } },
    { [CAPABILITIES]: { sampling: "yes" } },
    { [VERSION]: "2025-11-25" },
    { [VERSION]: "2099-01-01" },
    { [VERSION]: 7 },
  ].map((meta) => ({ meta })),
];

describe("a plain call", () => {
  test("is answered as by the SDK, at the first time and after it, in both revisions", async () => {
    for (const isModern of [false, true])
      for (const variation of PLAIN) {
        const message = posted(isModern, variation);
        expect({ message, isPlain: isPlain(message) }).toEqual({ message, isPlain: true });
        await expectSame(message);
        await expectSame(message);
      }
  });
  test("is refused as by the SDK where we fail", async () => {
    const ways = { product: sampleApp(failing(openMcp)), sdk: sampleApp(failing(openSdkAlone)) };
    for (const isModern of [false, true])
      for (let time = 0; time < 2; time++) await expectSame(posted(isModern, {}), ways);
    expect((await received(ways.product, posted(true, {}))).bytes).toContain("on our side");
  });
});

test("an unusual call is answered as by the SDK, also after its plain twin", async () => {
  for (const isModern of [false, true])
    for (const variation of UNUSUAL) {
      await expectSame(posted(isModern, {}));
      for (let time = 0; time < 2; time++) await expectSame(posted(isModern, variation));
    }
});

test("damaged messages are answered as by the SDK", async () => {
  const next = damagedMessages(20_261_123);
  let plain = 0;
  for (let count = 0; count < 1500; count++) {
    const message = next();
    if (isPlain(message)) plain++;
    await expectSame(message);
  }
  expect(plain).toBeGreaterThan(100);
});

describe("accepted envelopes", () => {
  const inside = (envelope: string): PlainCall => ({ id: 1, params: {}, envelope });
  test("are the newest 64, none of them long", () => {
    const { accept, isAccepted } = newAcceptedEnvelopes();
    accept(inside("x".repeat(1025)));
    expect(isAccepted(inside("x".repeat(1025)))).toBe(false);
    for (let nth = 0; nth < 65; nth++) accept(inside(`${nth}`));
    expect([0, 1, 64, 65].map((nth) => isAccepted(inside(`${nth}`)))).toEqual([false, true, true, false]);
  });
});
