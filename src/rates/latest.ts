/** Latest rates: the newest value of every currency, live where there is one, on any base. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { damagedFailure } from "#domain/faults/damage.ts";
import { noticeText } from "#domain/history/provenance.ts";
import { Digits, SERVED_AT } from "#domain/net/body.ts";
import { type SpotOrigin, type SpotRate, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { formatInstant } from "#domain/time/day.ts";
import { refuseAwaitedLatest } from "./awaited.ts";
import { everyOther, type RatesDeps, withDecimals, withoutRate } from "./query.ts";

export interface LatestQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly dp: number | null;
}

/** LatestResponse. Failure `data_unavailable` or `live_unavailable` when nothing wanted has a value. */
export function latest(deps: Pick<RatesDeps, "spot">, query: LatestQuery) {
  return latestOf(deps.spot(), query);
}

/** LatestResponse out of a table; see latest. */
export function latestOf(table: SpotTable, { base, symbols, dp }: LatestQuery) {
  // Without the damaged part some currencies would be missing without a word.
  if (symbols === null && table.isDamaged) throw damagedFailure();
  refuseAwaitedLatest(table, { base, symbols });
  const wanted = symbols ?? everyOther(base);
  const rates = wanted.flatMap((to) => spotRate(table, base, to) ?? []);
  if (rates.length === 0) throw withoutRate(table, [base, ...wanted]);
  return latestBody(table, base, rates, spotOrigin(base, rates), dp);
}

function latestBody(
  table: SpotTable,
  base: CurrencyIndex,
  rates: readonly SpotRate[],
  origin: SpotOrigin,
  dp: number | null,
) {
  return {
    result: "success",
    base: currencyCode(base),
    source: origin.source,
    sources: origin.sources,
    market_session: table.session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    effective_at: origin.effectiveAt,
    rates: Object.fromEntries(
      rates.map(({ to, text }) => [currencyCode(to), new Digits(withDecimals(text, dp))]),
    ),
    stale: origin.stale,
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(table.simulated, origin.isReference),
  };
}
