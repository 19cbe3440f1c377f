/** The upstreams that are measured against: the simulator, with the real ECB history where it is at hand. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";

const REAL_ZIP = join(import.meta.dir, "..", "..", "shared", "data", "ecb", "eurofxref-hist.zip");

export interface Upstreams {
  /** What UPSTREAM_BASE is set to. */
  readonly base: string;
  /** What the ECB's history is, in words. */
  readonly documents: string;
  stop(): Promise<void>;
}

/** The simulator, with the real ECB history in the place of its own where that is at hand. */
export async function startUpstreams(now: string): Promise<Upstreams> {
  const simulator = await startSimulator({ now: () => Date.parse(now) });
  const real = existsSync(REAL_ZIP);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      if (real && pathname.endsWith("/eurofxref-hist.zip")) return new Response(Bun.file(REAL_ZIP));
      // The bytes pass through as the simulator sends them, compressed or not.
      return fetch(simulator.base + pathname + search, { headers: request.headers, decompress: false });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    documents: real ? "the real zip" : "the simulator's zip",
    stop: async () => {
      await server.stop(true);
      await simulator.stop();
    },
  };
}
