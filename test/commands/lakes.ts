/** Data directories for the commands' tests: a whole simulated history taken for real, and an intraday archive beside it. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import type { RealHistory } from "#demo/world.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { at, DAY, MINUTE, quote } from "#test/store/archive/sample.ts";
import { copyOf } from "#test/support/once.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "./process.ts";

export const NOW = "2026-04-13T16:30:00Z";
/** First of the five dates with quotes; the last one is today. */
export const FIRST_QUOTED = "2026-04-09";
const CODES = ["EUR", "JPY", "GBP"] as const;
const midnightOf = (now: string) => at(`${now.slice(0, 10)}T00:00:00Z`);
const TODAY = midnightOf(NOW);

/** The environment of a process on the directory; its upstreams cannot be reached. */
export function environmentOf(dataDirectory: string, now = NOW): Record<string, string> {
  return { DATA_DIR: dataDirectory, NOW: now, UPSTREAM_BASE: "http://127.0.0.1:9" };
}

/** A data directory with the daily history as of then, the caller's own: a copy of one that the command has filled. */
export function filledDirectory(now: string): Promise<string> {
  return copyOf(`history to ${now}`, (directory) => fill(directory, now));
}

/** The same with the last 90 days for a history: a process that reads it starts in half the time. */
export function recentDirectory(): Promise<string> {
  return copyOf("last 90 days", async (directory) => {
    await coverUntil(directory, TODAY, false);
    await fill(directory);
  });
}

/** The lake counts as having its history until a month before then: the next collection reads the last 90 days. */
async function coverUntil(directory: string, then: Instant, simulated: boolean): Promise<void> {
  const lake = await openLake({ directory: join(directory, "lake"), simulated, now: () => then - DAY });
  const coveredThrough = dayAt(then) - 30;
  const coverage = DAILY_SOURCES.map((source) => ({ source, coveredThrough, retrievedAt: then - DAY }));
  await lake.commit((record) => ({ accepted: [], withdrawn: [], held: record.held, coverage }));
  await lake.close();
}

async function fill(directory: string, now = NOW): Promise<void> {
  const simulator = await startSimulator({ now: () => Date.parse(now) });
  try {
    const environment = { ...environmentOf(directory, now), UPSTREAM_BASE: simulator.base };
    const { code, err } = await runCommand(["backfill"], environment);
    if (code !== 0) throw new Error(err);
  } finally {
    await simulator.stop();
  }
}

/** A data directory as the demo leaves it, with daily rates as of an instant, simulated or around real ones (of those one official table); the caller's own. */
export function simulatedDirectory(now: string, real: RealHistory | null = null): Promise<string> {
  return copyOf(`${real === null ? "simulated" : "real"} history of ${now}`, (directory) =>
    simulate(directory, Date.parse(now), real === null ? "all" : "mex_fix", real),
  );
}

/** Simulated daily rates of the 90 days before each of these instants, with the official tables as of the last one. */
export async function simulateRecent(directory: string, ...instants: readonly Instant[]): Promise<void> {
  for (const [nth, instant] of instants.entries()) {
    await coverUntil(directory, instant, true);
    await simulate(directory, instant, nth === instants.length - 1 ? "all" : "off");
  }
}

async function simulate(directory: string, then: Instant, tables: string, real: RealHistory | null = null) {
  // Not above: it is the whole product, and only who makes the directory needs it.
  const { openProduct } = await import("#test/support/product.ts");
  const clock = { now: () => then };
  const simulator = await startSimulator({ ...clock, real });
  const settings = { DATA_DIR: directory, UPSTREAM_BASE: simulator.base, OFFICIAL_TABLES: tables };
  const crossrate = await openProduct(settings, { ...clock, realHistory: real !== null, serves: false });
  await crossrate.backfill(() => {});
  await crossrate.close();
  await simulator.stop();
}

/**
 * Five dates of quotes under a data directory, flushed time and again two days ago, so that there are files of versions
 * that are due to go. `left` quotes stay in the journal, as a server leaves them that was killed.
 */
export async function addQuotes(dataDirectory: string, left = 0, until = NOW): Promise<void> {
  const directory = left > 0 ? temporaryDirectory() : join(dataDirectory, "lake");
  const now = () => Date.parse(until) - 2 * DAY;
  const today = midnightOf(until);
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
  for (let date = 4; date >= 0; date--) {
    for (let part = 0; part < 3; part++) {
      await archive.append(quotesOf(today - date * DAY + part * 4 * 60 * MINUTE, 40));
      await archive.flush();
    }
  }
  if (left > 0) {
    await archive.append(quotesOf(today + 13 * 60 * MINUTE, left));
    // While it is open: a copy is what a process leaves behind that has no time to close.
    cpSync(directory, join(dataDirectory, "lake"), { recursive: true });
  }
  await archive.close();
}

function quotesOf(start: number, polls: number) {
  return Array.from({ length: polls }, (_, poll) =>
    CODES.map((code, nth) =>
      quote(`USD/${code}`, `${nth + 1}.${String(poll).padStart(4, "0")}`, start + poll * MINUTE + nth),
    ),
  ).flat();
}
