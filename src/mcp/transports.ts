/** The MCP server's two transports: one stateless HTTP exchange, and standard input and output of a child process. */

import type { Readable, Writable } from "node:stream";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpExchange } from "#api/mcp/mcp.ts";
import type { Emit } from "#telemetry.ts";
import { type McpServerDeps, newMcpServer } from "./server.ts";

type ExchangeDeps = Omit<McpServerDeps, "call" | "unexpected"> & { readonly emit: Emit };

/** Replaces the client's Accept: the SDK refuses a client that accepts only one type, or any type by `*`. */
const ACCEPT = "application/json, text/event-stream";

/**
 * Answers each message with a new server object and one JSON body, never a stream: the headers have the caller's
 * remaining limits, which are known only after the calls.
 */
export function newMcpExchange({ emit, ...deps }: ExchangeDeps): McpExchange {
  return async ({ request: { url, headers, signal }, message, id, call }) => {
    const unexpected = (fault: unknown) => {
      // A client that has left reads no answer.
      if (signal.aborted) return;
      const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      emit({ kind: "request_failed", requestId: id, path: "/v1/mcp/", error });
    };
    const newServer = () => newMcpServer({ ...deps, call, unexpected });
    const asked = new Request(url, { method: "POST", headers, signal });
    asked.headers.set("accept", ACCEPT);
    const parsed = { parsedBody: message };
    if (!(await isLegacyRequest(asked, message))) {
      // The SDK would open an endless stream for a subscription, without any event.
      const options = { legacy: "reject", keepAliveMs: 0, maxSubscriptions: 0 } as const;
      return await createMcpHandler(newServer, options).fetch(asked, parsed);
    }
    // Older revisions begin with a handshake, 2026-07-28 does not. The SDK's handler would answer older ones with a stream.
    const [server, transport] = [
      newServer(),
      new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true }),
    ];
    await server.connect(transport);
    const answer = await transport.handleRequest(asked, parsed);
    await server.close();
    return answer;
  };
}

/** The limit of one message. */
const LARGEST_MESSAGE_BYTES = 1024 * 1024;

/** Resolves when the client has closed its end, has sent a message that is too large, or `signal` is aborted. */
export async function serveOverPipes(
  deps: McpServerDeps,
  { input, output }: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
): Promise<void> {
  const { unexpected } = deps;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: LARGEST_MESSAGE_BYTES });
  // This server sends no changes: subscriptions are pointless.
  const handle = serveStdio(() => newMcpServer(deps), {
    transport,
    onerror: unexpected,
    maxSubscriptions: 0,
  });
  const closing = transport.onclose;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      closing?.();
      resolve();
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await handle.close();
}
