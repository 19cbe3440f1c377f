/** The plan of a full-history export, made outside of the server from the same lake. */

import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { RatesPlan } from "#domain/history/rate-columns.ts";
import { COVERAGE_START, dayAt, type Instant } from "#domain/time/day.ts";
import { planDailyExport } from "#rates/export/daily.ts";
import { openLake } from "#store/lake/lake.ts";

/** Every currency on a base, since the beginning. */
export async function planOf(directory: string, base: string, now: Instant): Promise<RatesPlan> {
  const lake = await openLake({ directory, simulated: false });
  const { version, observations } = await lake.read();
  await lake.close();
  const dataset = { history: buildHistory(version, observations), coveredThrough: {}, simulated: false };
  const deps = { dataset: () => dataset, clock: { now: () => now } };
  return planDailyExport(deps, {
    base: currencyIndex(base as CurrencyCode),
    symbols: CURRENCY_CODES.filter((code) => code !== base).map(currencyIndex),
    start: COVERAGE_START,
    end: dayAt(now),
    fill: "none",
    limit: 366,
    cursor: null,
    layout: "long",
    dp: null,
  }).plan;
}
