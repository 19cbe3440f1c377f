/** The rate of one pair by its slug. src/official/quote.ts has the slugs with a third part. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Slug } from "#domain/currency/pair.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import type { PairRate } from "#domain/rates/rates.ts";
import { type SpotRate, spotBound, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { refusePendingLatest } from "./pending.ts";
import { type RatesDeps, withoutRate } from "./query.ts";

export interface QuoteQuery extends Pick<Slug, "base" | "quote"> {
  readonly dp: number | null;
  /** Minutes that live rates are held back; absent: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

/** The latest rate of a pair. Failure `data_unavailable` or `live_unavailable` without one. */
export function quote(deps: Pick<RatesDeps, "spot">, query: QuoteQuery): PairRate {
  return spotPair(deps.spot(query.delayMinutes), query);
}

/** The same from a table, rounded to `dp` decimals unless that is null. */
export function spotPair(table: SpotTable, { base, quote, dp }: Omit<QuoteQuery, "delayMinutes">): PairRate {
  const rate = knownRate(table, base, quote);
  const { source, sources, dataUpdatedAt, effectiveAt, stale, isReference } = spotOrigin(base, [rate]);
  return {
    base,
    quote,
    rate: withDecimals(rate.text, dp),
    derived: rate.derived,
    boundBps: spotBound(rate),
    source,
    sources,
    dataUpdatedAt,
    effectiveAt,
    stale: stale[currencyCode(quote)] === true,
    isReference,
    session: table.session,
    simulated: table.simulated,
  };
}

/** The rate itself; Failure `data_unavailable` or `live_unavailable` without one. */
export function knownRate(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate {
  refusePendingLatest(table, { base: from, symbols: [to] });
  const rate = spotRate(table, from, to);
  if (rate === null) throw withoutRate(table, [from, to]);
  return rate;
}
