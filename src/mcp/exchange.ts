/** One stateless HTTP exchange of the protocol: a parsed message in, its answer out. */

import {
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import type { McpAnswer, McpExchange } from "#ports/mcp.ts";
import type { Emit } from "#telemetry.ts";
import { answerPlainCall, newAcceptedEnvelopes, plainCallOf } from "./plain-call.ts";
import { type McpServerDeps, newMcpServer } from "./server.ts";

export interface ExchangeDeps extends Omit<McpServerDeps, "call" | "unexpected"> {
  readonly emit: Emit;
}

/** Answers each message with a new server object, and a plain call of a tool, of which the SDK could say nothing new, without one. */
export function newMcpExchange({ emit, ...deps }: ExchangeDeps): McpExchange {
  const answerOnce = newAnswering();
  const envelopes = newAcceptedEnvelopes();
  return async ({ request, message, id, call }) => {
    const unexpected = (fault: unknown) => {
      // An answer to a client that has left is not read.
      if (request.signal.aborted) return;
      const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      emit({ kind: "request_failed", requestId: id, path: "/v1/mcp/", error });
    };
    const parts = { ...deps, call, unexpected };
    const plain = plainCallOf(request, message);
    if (plain !== null && envelopes.isAccepted(plain))
      return await answerPlainCall(parts, plain, request.signal);
    const answer = await answerOnce(() => newMcpServer(parts), request, message);
    if (plain !== null && answer.status === 200) envelopes.accept(plain);
    return answer;
  };
}

/** Answers a message by the server that is made for it. */
export type Answering = (newServer: () => Server, request: Request, message: object) => Promise<McpAnswer>;

/** The answer is one JSON body, never a stream: what its headers say of a call is known when they are sent. */
export function newAnswering(): Answering {
  const makers = new WeakMap<Request, () => Server>();
  const newServer = ({ requestInfo }: McpRequestContext): Server => {
    const make = requestInfo === undefined ? undefined : makers.get(requestInfo);
    if (make === undefined) throw new Error("a server is to be made for a request that was not given");
    return make();
  };
  // One for all requests: it has a list of subscribers, a router and more of its own.
  const handler = createMcpHandler(newServer, { legacy: "reject", keepAliveMs: 0 });
  return async (make, request, message) => {
    if (isSubscription(message)) return refusal(message.id, METHOD_NOT_FOUND, NO_SUBSCRIPTIONS, 404);
    const isHandshaking =
      isPlain(request, message) || (!hasEnvelope(message) && (await isLegacyRequest(request, message)));
    if (isHandshaking) return await answerHandshaking(make, request, message);
    makers.set(request, make);
    const answer = await handler.fetch(request, { parsedBody: message });
    return { status: answer.status, text: answer.body === null ? null : await answer.text() };
  };
}

/** A request of 2026-07-28 says so in its body: the SDK's look at it, which its handler repeats, is not needed to know. */
function hasEnvelope(message: object): boolean {
  if (!("method" in message) || !("id" in message) || message.method === "initialize") return false;
  if (!("params" in message) || typeof message.params !== "object" || message.params === null) return false;
  const meta = "_meta" in message.params ? message.params._meta : null;
  return typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
}

/** A message as clients with a handshake send most of them; the SDK's look at every other takes a tenth of a call. */
function isPlain({ headers }: Request, message: object): boolean {
  if (!("params" in message) || typeof message.params !== "object" || message.params === null) return false;
  const version = headers.get("mcp-protocol-version");
  return !("_meta" in message.params) && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/**
 * For clients of the revisions that begin with a handshake; 2026-07-28 has none. The SDK's own transport for them parses a message
 * six times, which is half of what a call costs.
 */
async function answerHandshaking(
  newServer: () => Server,
  request: Request,
  message: object,
): Promise<McpAnswer> {
  const id = "id" in message ? message.id : null;
  const isAnswer = "result" in message || "error" in message;
  if (isAnswer ? isJSONRPCResponse(message) : isJSONRPCNotification(message)) return ACCEPTED;
  if (isAnswer || !isJSONRPCRequest(message))
    return refusal(id, INVALID_REQUEST, "not a message of JSON-RPC 2.0");
  const version = request.headers.get("mcp-protocol-version");
  if (version !== null && message.method !== "initialize" && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    return refusal(
      id,
      BAD_REQUEST,
      `unsupported protocol version; one of ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")} is`,
    );
  return { status: 200, text: JSON.stringify(await answerOf(newServer(), message)) };
}

/** Every request of the protocol has exactly one answer; the server is garbage afterwards. */
async function answerOf(server: Server, message: JSONRPCRequest): Promise<JSONRPCMessage> {
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
  const transport: Transport = {
    start: async () => {},
    send: async (answer) => resolve(answer),
    close: async () => {},
  };
  await server.connect(transport);
  transport.onmessage?.(message);
  return await promise;
}

/** Codes of JSON-RPC; the last one is what the protocol's own SDKs answer to a header that is wrong. */
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const BAD_REQUEST = -32_000;

/** Notifications and answers have no answer. */
const ACCEPTED: McpAnswer = { status: 202, text: null };

/** The SDK would open a stream without an end, on which nothing ever comes. */
const NO_SUBSCRIPTIONS =
  "there are no subscriptions: tools, resources and prompts change only with the server";

interface Subscription {
  readonly method: "subscriptions/listen";
  readonly id?: unknown;
}

function isSubscription(message: object): message is Subscription {
  return "method" in message && message.method === "subscriptions/listen";
}

function refusal(id: unknown, code: number, message: string, status = 400): McpAnswer {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return { status, text: JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: known }) };
}
