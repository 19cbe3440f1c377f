/** Servers that listen on a free port of this machine until the tests of the file are over. */

import { atEnd } from "./at-end.ts";

export type Listening = ReturnType<typeof listen>;

export function listen(fetch: (request: Request) => Response | Promise<Response>, idleTimeout = 60) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", development: false, idleTimeout, fetch });
  const stop = (isAtOnce = true) => server.stop(isAtOnce);
  atEnd(() => stop());
  return {
    port: server.port as number,
    url: `http://127.0.0.1:${server.port}`,
    pending: () => server.pendingRequests,
    /** Earlier; without waiting for open connections, unless told to. */
    stop,
  };
}
