/** A data directory with simulated daily rates, made once for all tests: the newest, or all there are. */

import { startSimulator } from "#demo/simulator.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { copyOf } from "#test/support/once.ts";
import { openProduct } from "#test/support/product.ts";

/** A Tuesday noon on which the market is open. */
export const NOON = Date.parse("2026-04-14T12:00:00Z");

/** Settings of a serving process with accounts on this data. */
export const processSettings = (DATA_DIR: string) => ({
  ...{ DATA_DIR, ACCESS: "metered", ROLE: "api", LIVE_FEED: "off" },
  ...{ NOW: new Date(NOON).toISOString(), TRUSTED_PROXIES: "127.0.0.0/8" },
});

export type Reach = "latest" | "history";

/** A copy of its own for the caller, removed when the file's tests are over; as it was collected an hour before `at`. */
export function dataDirectory(reach: Reach = "latest", at = NOON): Promise<string> {
  return copyOf(`collected ${reach} ${at}`, (directory) => fill(directory, reach, at));
}

async function fill(directory: string, reach: Reach, at: number): Promise<void> {
  const clock = { now: () => at - 3_600_000 };
  const simulator = await startSimulator(clock);
  const settings = { DATA_DIR: directory, UPSTREAM_BASE: simulator.base, LIVE_FEED: "off" };
  const crossrate = await openProduct(settings, { ...clock, simulated: false, serves: false });
  // All of them: answers that need a source which was never collected are 503.
  const states = [];
  for (const source of DAILY_SOURCES) states.push(await crossrate.collector.collect(source, reach));
  await crossrate.close();
  await simulator.stop();
  for (const state of states) if (state.outcome === "failed") throw new Error(`no history: ${state.detail}`);
}
