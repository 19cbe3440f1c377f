/** A data directory with simulated daily rates, made once for all tests of this process: the newest, or all there are. */

import { cpSync } from "node:fs";
import { readConfig } from "#config.ts";
import { startSimulator } from "#demo/simulator.ts";
import { temporaryDirectory } from "#test/commands/process.ts";
import { openCrossrate } from "#wiring.ts";

/** A Tuesday noon on which the market is open. */
export const NOON = Date.parse("2026-04-14T12:00:00Z");

export type Reach = "latest" | "history";

const filled = new Map<Reach, Promise<string>>();

/** A copy of its own for the caller, removed at the end of the process. */
export async function dataDirectory(reach: Reach = "latest"): Promise<string> {
  const known = filled.get(reach) ?? fill(reach);
  filled.set(reach, known);
  const directory = temporaryDirectory();
  cpSync(await known, directory, { recursive: true });
  return directory;
}

async function fill(reach: Reach): Promise<string> {
  const directory = temporaryDirectory();
  const clock = { now: () => NOON - 3_600_000 };
  const simulator = await startSimulator(clock);
  const config = readConfig({ DATA_DIR: directory, UPSTREAM_BASE: simulator.base, LIVE_FEED: "off" });
  const crossrate = await openCrossrate({
    config,
    clock,
    tell: () => {},
    version: "test",
    simulated: false,
  });
  const state = await crossrate.collector.collect("ecb_daily", reach);
  await crossrate.close();
  await simulator.stop();
  if (state.outcome === "failed") throw new Error(`no history: ${state.detail}`);
  return directory;
}
