/** The rates of one past day, forward-filled over weekends and holidays. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { provenanceOf } from "#domain/dataset/dataset.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import {
  type DailyDeps,
  everyOther,
  knownAsOf,
  missingOf,
  noRateOn,
  openView,
  ratesOn,
  refuseFuture,
  refusePendingDays,
  viewAsOf,
} from "./query.ts";

export interface HistoricalQuery {
  readonly day: Day;
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly dp: number | null;
  /** Limits the answer to what was known then; null or absent: no limit. */
  readonly asOf?: AsOf | null;
}

/**
 * Filled values keep their own observation time. Failure `no_data_for_date` before coverage, after today (UTC) or the day of
 * `asOf`, or without any value; `invalid_request` for an `asOf` after now.
 */
export function historical(deps: DailyDeps, query: HistoricalQuery): HistoricalRates {
  const present = openView(deps);
  const { day, base, symbols, dp, asOf = null } = query;
  const nothing = () => noRateOn(present, day, asOf);
  if (asOf !== null) refuseFuture("as_of", asOf.instant, present.now);
  if (day < COVERAGE_START || day > dayAt(asOf?.instant ?? present.now)) throw nothing();
  if (asOf === null) refuseDamaged(present.dataset, day, day);
  refusePendingDays(present, { ...query, start: day, end: day });
  const view = asOf === null ? present : viewAsOf(present, asOf, { first: day, last: day });
  const rates = ratesOn(view, day, base, symbols);
  if (rates.length === 0) throw nothing();
  const figures = asOf === null ? [] : rates.flatMap(([, { rows }]) => rows);
  const origin = provenanceOf(view, day, base, rates);
  return {
    base,
    day,
    rates,
    missing: missingOf(
      symbols ?? everyOther(base),
      rates.map(([currency]) => currency),
    ),
    origin,
    dp,
    asOf: knownAsOf(asOf, view.dataset, figures),
    session: marketSession(present.now),
    simulated: origin.simulated,
  };
}
