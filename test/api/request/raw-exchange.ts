/** Listening servers of a test file, and raw bytes to them, for what clients would tidy up before sending or after receiving. */

import { afterAll } from "bun:test";
import type { createApp } from "#api/server.ts";

/** Listens until the tests of the file are over. */
export function listen(
  fetch: ReturnType<typeof createApp>["answer"],
): Bun.Server<undefined> & { port: number } {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", development: false, fetch });
  afterAll(() => server.stop(true));
  return server as Bun.Server<undefined> & { port: number };
}

/** Sends bytes as they are and resolves with everything that comes back until the server closes. */
export async function rawExchange(port: number, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write(request),
      data: (_, bytes) => {
        text += bytes.toString("latin1");
      },
      close: () => resolve(text),
      error: (_, fault) => reject(fault),
    },
  });
  return await promise;
}
