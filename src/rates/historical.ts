/** The rates of one past day, forward-filled over weekends and holidays. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { provenanceOf } from "#domain/dataset/provenance.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { anyReconstructed, refuseFuture, viewAsOf } from "./as-of.ts";
import { noRateOn } from "./no-rate.ts";
import { refusePendingDays } from "./pending.ts";
import { type DailyDeps, everyOther, missingOf, openView, ratesOn } from "./query.ts";

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
 * The rates of the day requested; filled values keep their own observation time. Failure `no_data_for_date` before
 * coverage, after today (UTC) or the day of `asOf`, or when no wanted currency has a value; `invalid_request` for an
 * `asOf` after now.
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
    asOf: asOf === null ? null : { ...asOf, reconstructed: anyReconstructed(view.dataset, figures) },
    session: marketSession(present.now),
    simulated: origin.simulated,
  };
}
