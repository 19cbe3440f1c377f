/** One stateless HTTP exchange of the protocol: a parsed message in, the answer of the protocol's SDK out. */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpExchange } from "#api/mcp/mcp.ts";
import type { Emit } from "#telemetry.ts";
import { type McpServerDeps, newMcpServer } from "./server.ts";

export interface ExchangeDeps extends Omit<McpServerDeps, "call" | "unexpected"> {
  readonly emit: Emit;
}

/** Answers each message with a new server object. */
export function newMcpExchange({ emit, ...deps }: ExchangeDeps): McpExchange {
  return async ({ request, message, id, call }) => {
    const unexpected = (fault: unknown) => {
      // A client that has left reads no answer.
      if (request.signal.aborted) return;
      const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      emit({ kind: "request_failed", requestId: id, path: "/v1/mcp/", error });
    };
    return await answerMessage(() => newMcpServer({ ...deps, call, unexpected }), request, message);
  };
}

/** Answers with one JSON body, never a stream: its headers have the caller's remaining limits, and are sent after it. */
export async function answerMessage(
  newServer: () => Server,
  { url, headers, signal }: Request,
  message: object,
): Promise<Response> {
  const asked = new Request(url, { method: "POST", headers: acceptingAll(headers), signal });
  const parsed = { parsedBody: message };
  if (await isLegacyRequest(asked, message)) return await answerLegacy(newServer(), asked, parsed);
  // The SDK would open an endless stream for a subscription, without any event.
  const options = { legacy: "reject", keepAliveMs: 0, maxSubscriptions: 0 } as const;
  return await createMcpHandler(newServer, options).fetch(asked, parsed);
}

/** Answers revisions with a handshake; 2026-07-28 has no handshake. The SDK's handler would answer these with a stream. */
async function answerLegacy(
  server: Server,
  asked: Request,
  parsed: { readonly parsedBody: object },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const answer = await transport.handleRequest(asked, parsed);
  await server.close();
  return answer;
}

/** The SDK refuses a client that accepts only one type, or any type by `*`. */
function acceptingAll(sent: Headers): Headers {
  const headers = new Headers(sent);
  headers.set("accept", "application/json, text/event-stream");
  return headers;
}
