/** Latest rates: the newest observation of every currency, as of now, on any base. */

import { Digits, SERVED_AT } from "#domain/body.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { dayAt, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { noticeText, provenanceOf } from "#domain/provenance.ts";
import { marketSession } from "#domain/session.ts";
import { openView, type RatesDeps, ratesOn, withDecimals } from "./query.ts";

export interface LatestQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly dp: number | null;
}

/** LatestResponse. Failure `data_unavailable` when nothing wanted has a value within the fill limit. */
export function latest(deps: RatesDeps, query: LatestQuery) {
  const view = openView(deps);
  const day = dayAt(view.now);
  const rates = ratesOn(view, day, query.base, query.symbols);
  if (rates.length === 0) throw new Failure("data_unavailable");
  const origin = provenanceOf(view, day, query.base, rates);
  return {
    result: "success",
    base: currencyCode(query.base),
    source: origin.source,
    sources: origin.sources,
    market_session: marketSession(view.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    effective_at: origin.effectiveAt,
    rates: Object.fromEntries(
      rates.map(([currency, { text }]) => [currencyCode(currency), new Digits(withDecimals(text, query.dp))]),
    ),
    stale: origin.stale,
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(view.dataset.simulated),
  };
}
