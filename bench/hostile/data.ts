/** A data directory with something of everything that routes answer from: daily rates since 1999, quotes, publications. */

import { join } from "node:path";
import { openCrossrate } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { SIMULATED_TABLES, startFullSimulator } from "#test/support/official/simulator.ts";

/** The wall clock of the measured server: on a Monday with an open market. */
export const NOW = "2026-04-13T16:30:00Z";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const QUOTED: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF"];
/** Whole days of quotes before today, one quote a minute of each currency. */
const QUOTED_DAYS = 30;
/** Tables with long documents or many publications; the others collect what they have published of late. */
const WHOLE_HISTORY: readonly string[] = ["mex_fix", "mex_dof", "gbr_monthly", "pol_a"];

/** Fills the directory from the simulator. Takes some 15 seconds. Rejects when a source cannot be collected. */
export async function fillData(directory: string): Promise<void> {
  const clock = { now: () => Date.parse(NOW) };
  const simulator = await startFullSimulator(clock);
  try {
    const config = readConfig({
      DATA_DIR: directory,
      UPSTREAM_BASE: simulator.base,
      BANXICO_TOKEN: "0".repeat(64),
      OFFICIAL_TABLES: SIMULATED_TABLES.join(),
      ACCESS: "open",
    });
    const crossrate = await openCrossrate({
      config,
      clock,
      emit: () => {},
      version: "bench",
      simulated: false,
    });
    try {
      await crossrate.backfill(() => {});
      const official = await crossrate.openOfficial();
      for (const id of official?.collected.map((table) => table.id) ?? [])
        await official?.collector.collect(id, WHOLE_HISTORY.includes(id) ? "history" : "recent");
      await official?.copyToLake();
    } finally {
      await crossrate.close();
    }
    await addQuotes(directory);
  } finally {
    await simulator.stop();
  }
}

async function addQuotes(directory: string): Promise<void> {
  const today = Date.parse(NOW) - (Date.parse(NOW) % DAY);
  const now = () => Date.parse(NOW) - MINUTE;
  const archive = await openQuoteArchive({
    directory: join(directory, "lake"),
    simulated: false,
    access: "write",
    now,
  });
  try {
    for (let date = QUOTED_DAYS; date > 0; date--) {
      await archive.append(quotesOf(today - date * DAY));
      await archive.flush();
    }
  } finally {
    await archive.close();
  }
}

function quotesOf(day: number): LiveQuote[] {
  return Array.from({ length: DAY / MINUTE }, (_, minute) =>
    QUOTED.map((quote, nth): LiveQuote => {
      const observedAt = day + minute * MINUTE + nth;
      const mid = `${nth + 1}.${String((minute * 7919) % 100_000).padStart(5, "0")}`;
      return {
        feed: "coinbase",
        base: "USD",
        quote,
        bid: null,
        ask: null,
        mid,
        observedAt,
        retrievedAt: observedAt + 800,
      };
    }),
  ).flat();
}
