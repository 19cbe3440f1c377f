/** The reference rates in force on a day, each with its publication day. All Frankfurter answers use it. */

import type { Origin } from "#api/compat/answer.ts";
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
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { historical } from "#rates/historical.ts";
import { type DailyDeps, forSource } from "#rates/query.ts";

export interface DatedRate {
  readonly code: CurrencyCode;
  /** Printed digits. */
  readonly text: string;
  /** The one day of its figures, or the oldest of several. */
  readonly day: Day;
  /** The currency's own source. */
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
  const sourced = forSource(deps, only);
  const found = new Map<CurrencyIndex, DatedRate>();
  const origin = createOrigin();
  const newest = Math.min(day, today);
  const oldest = Math.max(COVERAGE_START, newest - FILL_DAYS);
  const wanted = new Map<Day, CurrencyIndex[]>([[newest, [...symbols]]]);
  if (day > today + FILL_DAYS) wanted.clear();
  for (let at = newest; at >= oldest; at--) {
    const dated = datedRates(ratesInForce(sourced, at, base, wanted.get(at) ?? []), base, only);
    for (const rate of dated) {
      if (rate.day >= at) continue;
      const before = wanted.get(rate.day) ?? [];
      wanted.set(rate.day, [...before, currencyIndex(rate.code)]);
    }
    const ofTheDay = dated.filter((rate) => rate.day >= at);
    for (const rate of ofTheDay) found.set(currencyIndex(rate.code), rate);
    // Computed again for these rates only: the origin is theirs.
    const own = ratesInForce(
      sourced,
      at,
      base,
      ofTheDay.map(({ code }) => currencyIndex(code)),
    );
    if (own !== null) origin.add(own.origin);
  }
  return { rates: symbols.flatMap((symbol) => found.get(symbol) ?? []), origin: origin.origin() };
}

function ratesInForce(
  deps: DailyDeps,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
): HistoricalRates | null {
  if (symbols.length === 0) return null;
  try {
    return historical(deps, { day, base, symbols, dp: null });
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "no_data_for_date") return null;
    throw thrown;
  }
}

function datedRates(
  found: HistoricalRates | null,
  baseIndex: CurrencyIndex,
  only: DailySource | null,
): readonly DatedRate[] {
  if (found === null) return [];
  const { effectiveAt, sources } = found.origin;
  const base = currencyCode(baseIndex);
  const rests = (code: string) => only === null || (sources[code] ?? only) === only;
  if (!rests(base)) return [];
  return found.rates
    .map(([currency, { text }]) => ({ code: currencyCode(currency), text }))
    .filter(({ code }) => rests(code))
    .map(({ code, text }) => ({
      code,
      text,
      day: dayOf(effectiveAt[code]),
      source: sources[code] ?? null,
    }));
}

/** Both sources publish on the UTC day of their figures. */
function dayOf(instant: string | undefined): Day {
  return instant === undefined ? Number.POSITIVE_INFINITY : dayAt(Date.parse(instant));
}
