/** One full ingest, timed from the first request to the durable lake: the real ECB history where it is at hand. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#config.ts";
import { startSimulator } from "#demo/simulator.ts";
import { openCrossrate } from "#wiring.ts";

const REAL_ZIP = join(import.meta.dir, "..", "..", "shared", "data", "ecb", "eurofxref-hist.zip");

export interface Ingested {
  /** What was ingested, in words. */
  readonly documents: string;
  readonly observations: number;
  /** ECB alone: request, parse, acceptance, Parquet, fsync, history index. */
  readonly seconds: number;
}

/** Fills `dataDir` with the ECB's history (timed) and the H.10 series of the simulator (not timed). */
export async function fullIngest(dataDir: string, now: string): Promise<Ingested> {
  const clock = { now: () => Date.parse(now) };
  const simulator = await startSimulator({ now: clock.now });
  const real = existsSync(REAL_ZIP);
  const upstreams = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      if (real && pathname.endsWith("/eurofxref-hist.zip")) return new Response(Bun.file(REAL_ZIP));
      // The bytes pass through as the simulator sends them, compressed or not.
      return fetch(simulator.base + pathname + search, { headers: request.headers, decompress: false });
    },
  });
  const config = { ...readConfig({ DATA_DIR: dataDir }), upstreamBase: `http://127.0.0.1:${upstreams.port}` };
  const crossrate = await openCrossrate({
    config,
    clock,
    tell: () => {},
    version: "bench",
    simulated: false,
  });
  try {
    const began = performance.now();
    const ecb = await crossrate.collector.collect("ecb_daily", "history");
    const seconds = (performance.now() - began) / 1000;
    if (ecb.outcome !== "figures") throw new Error(`the ECB's history was not ingested: ${ecb.detail}`);
    const observations = crossrate.dataset()?.history.observations.count ?? 0;
    const fred = await crossrate.collector.collect("fred_daily", "history");
    if (fred.outcome !== "figures") throw new Error(`the H.10 history was not ingested: ${fred.detail}`);
    return { documents: real ? "the real zip" : "the simulator's zip", observations, seconds };
  } finally {
    await crossrate.close();
    await upstreams.stop(true);
    await simulator.stop();
  }
}
