/** The rates of one past day, forward-filled over weekends and holidays. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { refuseDamaged } from "#domain/faults/damage.ts";
import { noticeText, provenanceOf } from "#domain/history/provenance.ts";
import { Digits, SERVED_AT } from "#domain/net/body.ts";
import type { AsOf } from "#domain/point-in-time/known.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, formatInstant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { asOfMembers, refuseFuture, viewAsOf } from "./as-of.ts";
import { refuseAwaitedDays } from "./awaited.ts";
import { noRateOn } from "./no-rate.ts";
import { type DailyDeps, openView, ratesOn, withDecimals } from "./query.ts";

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
 * HistoricalResponse; `date` is the day asked for, filled values keep their own `effective_at`.
 * Failure `no_data_for_date` before coverage, after today (UTC) or the day of `asOf`, or when nothing wanted has a
 * value; `invalid_request` for an `asOf` after now.
 */
export function historical(deps: DailyDeps, query: HistoricalQuery) {
  const present = openView(deps);
  const asOf = query.asOf ?? null;
  const date = formatDay(query.day);
  const nothing = () => noRateOn(present, query.day, asOf);
  if (asOf !== null) refuseFuture("as_of", asOf.instant, present.now);
  if (query.day < COVERAGE_START || query.day > dayAt(asOf?.instant ?? present.now)) throw nothing();
  if (asOf === null) refuseDamaged(present.dataset, query.day, query.day);
  refuseAwaitedDays(present, { ...query, start: query.day, end: query.day });
  const view = asOf === null ? present : viewAsOf(present, asOf, { first: query.day, last: query.day });
  const rates = ratesOn(view, query.day, query.base, query.symbols);
  if (rates.length === 0) throw nothing();
  const origin = provenanceOf(view, query.day, query.base, rates);
  return {
    result: "success",
    base: currencyCode(query.base),
    date,
    source: origin.source,
    sources: origin.sources,
    market_session: marketSession(present.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    effective_at: origin.effectiveAt,
    is_forward_filled: origin.forwardFilled,
    ...asOfMembers(
      view,
      rates.flatMap(([, { rows }]) => rows),
    ),
    rates: Object.fromEntries(
      rates.map(([currency, { text }]) => [currencyCode(currency), new Digits(withDecimals(text, query.dp))]),
    ),
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(view.dataset.simulated),
  };
}
