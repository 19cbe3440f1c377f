/** The reference rates in force on a day, each with its publication day. All Frankfurter answers use it. */

import type { Origin } from "#api/compat/compat.ts";
import { createOrigin } from "#api/compat/series.ts";
import {
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
} from "#domain/currency/currency.ts";
import type { DailySource, Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { type HistoricalRates, historical } from "#rates/historical.ts";
import { type DailyDeps, forSource } from "#rates/query.ts";

export interface DatedRate {
  readonly code: CurrencyCode;
  readonly text: string;
  /** The one day of its figures, or the oldest of several. */
  readonly day: Day;
  readonly source: Source | null;
}

export interface Snapshot {
  /** In the requested order. */
  readonly rates: readonly DatedRate[];
  readonly origin: Origin;
}

/**
 * Returns the rates in force on the day; `only` limits them to one source. A rate with an earlier date is the rate of
 * that date: a date and a pair have one value whichever day was requested, and no newer figure of one side is mixed in.
 * A future day is read as today while a fill would reach it. Empty before coverage and when no rate is in force. Fails
 * with `data_unavailable` before the first ingest.
 */
export function snapshot(
  deps: DailyDeps,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  only: DailySource | null,
): Snapshot {
  const today = dayAt(deps.clock.now());
  const newest = Math.min(day, today);
  const oldest = Math.max(COVERAGE_START, newest - FILL_DAYS);
  const rates = new Map<CurrencyCode, DatedRate>();
  const origin = createOrigin();
  const sourced = forSource(deps, only);
  const ratesOn = (at: Day, of: readonly CurrencyIndex[]) => ratesInForce(sourced, at, base, of, only);
  const collect = (at: Day, of: readonly CurrencyIndex[]): void => {
    const dated = ratesOn(at, of).rates;
    const ofTheDay = dated.filter((rate) => rate.day >= at);
    for (const rate of ofTheDay) rates.set(rate.code, rate);
    // Computed again for these rates only: the origin is theirs.
    const own = ratesOn(at, indicesOf(ofTheDay)).origin;
    if (own !== null) origin.add(own);
    const earlier = dated.filter((rate) => rate.day < at);
    for (const [before, group] of Map.groupBy(earlier, (rate) => rate.day))
      if (before >= oldest) collect(before, indicesOf(group));
  };
  if (day <= today + FILL_DAYS && newest >= oldest) collect(newest, symbols);
  return {
    rates: symbols.flatMap((symbol) => rates.get(currencyCode(symbol)) ?? []),
    origin: origin.origin(),
  };
}

function indicesOf(rates: readonly DatedRate[]): readonly CurrencyIndex[] {
  return rates.map(({ code }) => currencyIndex(code));
}

/** Returns the rates of the source; without any, no origin. */
function ratesInForce(
  deps: DailyDeps,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  only: DailySource | null,
): { readonly rates: readonly DatedRate[]; readonly origin: HistoricalRates["origin"] | null } {
  if (symbols.length === 0) return { rates: [], origin: null };
  try {
    const { rates, origin } = historical(deps, { day, base, symbols, dp: null });
    const { effectiveAt, sources } = origin;
    const rests = (code: string) => only === null || (sources[code] ?? only) === only;
    const dated = rates.map(([currency, { text }]) => {
      const code = currencyCode(currency);
      return { code, text, day: dayOf(effectiveAt[code]), source: sources[code] ?? null };
    });
    return { rates: rests(currencyCode(base)) ? dated.filter(({ code }) => rests(code)) : [], origin };
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return { rates: [], origin: null };
    throw thrown;
  }
}

/** Both sources publish on the UTC day of their figures. */
function dayOf(instant: string | undefined): Day {
  return instant === undefined ? Number.POSITIVE_INFINITY : dayAt(Date.parse(instant));
}
