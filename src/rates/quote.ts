/** The rate of one pair: the latest, or that of a past day. src/official/quote.ts has the slugs with a third part. */

import { type CurrencyIndex, currencyCode, type Slug } from "#domain/currency/currency.ts";
import type { View } from "#domain/dataset/dataset.ts";
import { provenanceOf } from "#domain/dataset/provenance.ts";
import { type Cross, crossRate, derivationBound } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import type { PairRate } from "#domain/rates/rates.ts";
import { type SpotRate, spotBound, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { noRateOn } from "./no-rate.ts";
import { refusePendingDays, refusePendingLatest } from "./pending.ts";
import { type DailyDeps, openView, type RatesDeps, withoutRate } from "./query.ts";

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
  const { source, sources, dataUpdatedAt, effectiveAt, stale, isReference, simulated } = spotOrigin(
    table,
    base,
    [rate],
  );
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
    simulated,
  };
}

/** The rate itself; Failure `data_unavailable` or `live_unavailable` without one. */
export function knownRate(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate {
  refusePendingLatest(table, { base: from, symbols: [to] });
  const rate = spotRate(table, from, to);
  if (rate === null) throw withoutRate(table, [from, to]);
  return rate;
}

/** The cross rate of a day within coverage; Failure `no_data_for_date` without one. */
export function crossOn(view: View, day: Day, base: CurrencyIndex, quote: CurrencyIndex): Cross {
  const isCovered = day >= COVERAGE_START && day <= dayAt(view.now);
  const cross = isCovered ? crossRate(view.dataset.history, day, base, quote) : null;
  if (cross === null) throw noRateOn(view, day);
  return cross;
}

/** Failure `data_unavailable` where the rate of a day may be in a damaged file, or needs a source that was never collected. */
export function refuseUncertain(view: View, day: Day, base: CurrencyIndex, quote: CurrencyIndex): void {
  refuseDamaged(view.dataset, day, day);
  refusePendingDays(view, { base, symbols: [quote], start: day, end: day });
}

/** The rate of a past day, filled where nothing was published on it. Failures as of `historical`. */
export function pairOn(deps: DailyDeps, { base, quote, dp }: Omit<QuoteQuery, "delayMinutes">, day: Day) {
  const view = openView(deps);
  const { dataset, now } = view;
  refuseUncertain(view, day, base, quote);
  const cross = crossOn(view, day, base, quote);
  const { source, sources, dataUpdatedAt, effectiveAt, stale, forwardFilled, simulated } = provenanceOf(
    view,
    day,
    base,
    [[quote, cross]],
  );
  const pair: PairRate = {
    base,
    quote,
    rate: withDecimals(cross.text, dp),
    derived: cross.derived,
    boundBps: derivationBound(dataset.history, cross),
    source,
    sources,
    dataUpdatedAt,
    effectiveAt,
    stale: stale[currencyCode(quote)] === true,
    isReference: true,
    session: marketSession(now),
    simulated,
  };
  return { pair, forwardFilled, cross, dataset };
}
