/** The MCP server over standard input and output, for clients that start it as a child process. */

import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type McpServerDeps, newMcpServer } from "./server.ts";

export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}

/** The limit of one message. */
const LARGEST_MESSAGE_BYTES = 1024 * 1024;

/** Resolves when the client has closed its end, has sent a message that is too large, or `signal` is aborted. */
export async function serveOverPipes(
  deps: McpServerDeps,
  { input, output }: Pipes,
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
