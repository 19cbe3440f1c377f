/** One full ingest, timed from the first request to the durable lake: the real ECB history where it is at hand. */

import { openCrossrate } from "#compose.ts";
import { readConfig } from "#config.ts";
import { startUpstreams } from "./upstreams.ts";

export interface Ingested {
  /** A description of what was ingested. */
  readonly documents: string;
  readonly observations: number;
  /** ECB alone: request, parse, acceptance, Parquet, fsync, history index. */
  readonly seconds: number;
}

/** Fills `dataDir` with the ECB's history (timed) and the H.10 series of the simulator (not timed). */
export async function fullIngest(dataDir: string, now: string): Promise<Ingested> {
  const clock = { now: () => Date.parse(now) };
  const upstreams = await startUpstreams(now);
  const config = { ...readConfig({ DATA_DIR: dataDir }), upstreamBase: upstreams.base };
  const crossrate = await openCrossrate({
    config,
    clock,
    emit: () => {},
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
    return { documents: upstreams.documents, observations, seconds };
  } finally {
    await crossrate.close();
    await upstreams.stop();
  }
}
