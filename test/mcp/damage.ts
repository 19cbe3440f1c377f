/** Messages of the protocol with something odd at some places in them, and whole ones between: the same ones for the same seed. */

import { seededRandom } from "#test/support/seeded-random.ts";
import { SAMPLE_CALLS } from "./calls.ts";

export const MODERN = "2026-07-28";

/** What a client says beside `content-type`. */
export const MCP_HEADERS = { accept: "application/json, text/event-stream" };

/** What a client of 2026-07-28 says of itself. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const SEEDS: readonly object[] = [
  { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: ENVELOPE } },
  ...[
    "ping",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "server/discover",
  ].map((method) => ({ method })),
  { method: "resources/read", params: { uri: "crossrate://official/MEX/fix" } },
  { method: "prompts/get", params: { name: "explain_rate", arguments: { base: "USD", quote: "JPY" } } },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "explain_rate" } } },
  { method: "logging/setLevel", params: { level: "debug" } },
  { method: "subscriptions/listen", params: { filter: {} } },
  ...SAMPLE_CALLS.map(({ tool, given }) => ({
    method: "tools/call",
    params: { name: tool, arguments: given },
  })),
];

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, "", "\u0000", "💱".repeat(300), -1, 1e308, Number.MAX_SAFE_INTEGER + 1, [], {}, [[]]],
  ...[
    "__proto__",
    "constructor",
    "../../etc/passwd",
    "%00",
    "USD&base=EUR",
    "?",
    "#",
    "\r\nHost: x",
    "1e400",
  ],
  { rawJSON: "1" },
  { toString: 1 },
];

const ODD_NAMES: readonly string[] = [
  "",
  "__proto__",
  "constructor",
  "toJSON",
  "result",
  "error",
  "_meta",
  "method",
  "0",
];

export interface PostedMessage {
  readonly text: string;
  readonly headers: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: it is damaged at any place
type Damaged = any;

export function damagedMessages(seed: number): () => PostedMessage {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  return nextMessage;

  /** Puts something odd at a place anywhere in the message. */
  function damage(message: Damaged): void {
    let place = message;
    for (;;) {
      const names = Object.keys(place);
      const name = names.length === 0 || random() < 0.1 ? oneOf(ODD_NAMES) : oneOf(names);
      const value = Object.hasOwn(place, name) ? place[name] : undefined;
      if (typeof value === "object" && value !== null && random() < 0.7) {
        place = value;
        continue;
      }
      if (random() < 0.2) delete place[name];
      else
        Object.defineProperty(place, name, {
          value: structuredClone(oneOf(ODD_VALUES)),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return;
    }
  }

  /** The text of a message, cut or with other bytes in it at times. */
  function damagedText(text: string): string {
    if (random() < 0.05) return text.slice(0, below(text.length));
    if (random() < 0.05)
      return text.replace(oneOf(['"', ":", "{", "1"]), oneOf(["", "'", "[", "\u2028", "1e999"]));
    if (random() < 0.02) return `[${text}]`;
    return text;
  }

  function nextMessage(): PostedMessage {
    const seed = structuredClone(oneOf(SEEDS)) as Damaged;
    const message: Damaged = { jsonrpc: "2.0", id: below(1000), ...seed };
    const isModern = random() < 0.4;
    if (isModern) message.params = { ...message.params, _meta: structuredClone(ENVELOPE) };
    const { method, params } = message;
    for (let times = below(4); times > 0; times--) damage(message);
    const headers: Record<string, string> = {
      "content-type": "application/json",
      ...MCP_HEADERS,
    };
    if (isModern) {
      headers["mcp-protocol-version"] = MODERN;
      headers["mcp-method"] = method;
      const name = params?.name ?? params?.uri;
      if (typeof name === "string" && /^[\x21-\x7e]+$/.test(name)) headers["mcp-name"] = name;
    }
    if (random() < 0.1) headers["mcp-protocol-version"] = oneOf([MODERN, "2025-06-18", "nonsense", "1"]);
    return { text: damagedText(JSON.stringify(message)), headers };
  }
}
