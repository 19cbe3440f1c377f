/** The short way of most tool calls: a message that has only what every call has, in an envelope that the SDK has accepted before. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { McpAnswer } from "#ports/mcp.ts";
import { answerRequest, type McpServerDeps, serverInfoOf } from "./server.ts";
import { TOOLS_BY_NAME } from "./tools/tools.ts";

/** The revision without a handshake. */
const STATELESS = "2026-07-28";
const METHOD = "tools/call";

/** A call of a tool that exists, in which there is nothing but its arguments. */
export interface PlainCall {
  readonly id: string | number;
  readonly params: Readonly<Record<string, unknown>>;
  /** JSON of what a message of 2026-07-28 says of its sender; null with a handshake. */
  readonly envelope: string | null;
}

/** null where anything is unusual: that is for the SDK to judge. */
export function plainCallOf({ headers }: Request, message: object): PlainCall | null {
  const { jsonrpc, id, method, params } = message as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0" || method !== METHOD || !hasOnly(message, MEMBERS) || !isObject(params)) return null;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  const { name, arguments: given = {}, _meta: meta } = params;
  if (!hasOnly(params, PARAMETERS) || typeof name !== "string" || !TOOLS_BY_NAME.has(name)) return null;
  if (!isObject(given) || headers.get("content-type") !== "application/json") return null;
  const version = headers.get("mcp-protocol-version");
  const call = { id: id as string | number, params };
  if (!Object.hasOwn(params, "_meta"))
    return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
      ? { ...call, envelope: null }
      : null;
  const isAsItsHeaders =
    version === STATELESS && headers.get("mcp-method") === METHOD && headers.get("mcp-name") === name;
  if (!isAsItsHeaders || !isObject(meta) || !hasOnly(meta, SENDER)) return null;
  return meta[PROTOCOL_VERSION_META_KEY] === STATELESS ? { ...call, envelope: JSON.stringify(meta) } : null;
}

/** The answer that the SDK's server would give, byte for byte. */
export async function answerPlainCall(
  deps: McpServerDeps,
  { id, params, envelope }: PlainCall,
  signal: AbortSignal,
): Promise<McpAnswer> {
  try {
    const made = await answerRequest(deps, METHOD, params, signal);
    const stamp = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfoOf(deps) } };
    const result = envelope === null ? made : { ...made, ...stamp };
    return { status: 200, text: JSON.stringify({ result, jsonrpc: "2.0", id }) };
  } catch (fault) {
    if (!(fault instanceof ProtocolError)) throw fault;
    const { code, message } = fault;
    return { status: 200, text: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }) };
  }
}

export interface AcceptedEnvelopes {
  isAccepted(call: PlainCall): boolean;
  /** The SDK answered a call in this envelope: it has nothing against it, and will not have. */
  accept(call: PlainCall): void;
}

/** A client has one envelope, and the same one in all its calls. */
const MOST_ENVELOPES = 64;
const LONGEST_ENVELOPE = 1024;

/** Remembers the newest envelopes that were accepted, in at most 64 KB. */
export function newAcceptedEnvelopes(): AcceptedEnvelopes {
  const accepted = new Set<string>();
  return {
    isAccepted: ({ envelope }) => envelope === null || accepted.has(envelope),
    accept({ envelope }) {
      if (envelope === null || envelope.length > LONGEST_ENVELOPE) return;
      accepted.add(envelope);
      const [oldest] = accepted;
      if (accepted.size > MOST_ENVELOPES && oldest !== undefined) accepted.delete(oldest);
    },
  };
}

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMETERS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const SENDER: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
]);

function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
