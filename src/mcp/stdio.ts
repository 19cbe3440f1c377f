/** The MCP server over standard input and output, for clients that start it as a child process. */

import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type McpServerDeps, newMcpServer } from "./server.ts";

export interface Pipes {
  readonly input: Readable;
  /** Receives messages of the protocol, and nothing else. */
  readonly output: Writable;
}

/** Of one message; over HTTP a body may be as large. */
const LARGEST_MESSAGE_BYTES = 1024 * 1024;

/** Resolves when the client has closed its end, has sent a message that is too large, or `signal` is aborted. */
export async function serveOverPipes(
  deps: McpServerDeps,
  { input, output }: Pipes,
  signal: AbortSignal,
): Promise<void> {
  const { unexpected } = deps;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: LARGEST_MESSAGE_BYTES });
  // Nothing of this server changes by itself, so there is nothing to subscribe to.
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
