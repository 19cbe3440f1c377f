/** Conversion of one amount, or of a batch, at the latest rates or at a past day's. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { refuseDamaged } from "#domain/faults/damage.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { noticeText, provenanceOf } from "#domain/history/provenance.ts";
import { Digits, SERVED_AT } from "#domain/net/body.ts";
import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { type Decimal, formatShortest, multiplyRounded, parseDecimal } from "#domain/number/decimal.ts";
import { type SpotRate, spotBound, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, formatInstant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { refuseAwaitedDays, refuseAwaitedLatest } from "./awaited.ts";
import { noRateOn } from "./no-rate.ts";
import { openView, type RatesDeps, withDecimals, withoutRate } from "./query.ts";

export interface ConvertQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly amount: Decimal;
  /** null: the latest rates. */
  readonly day: Day | null;
  readonly dp: number | null;
}

/** ConvertResponse: `converted` is the returned rate times the amount, exactly, to at most 15 significant digits. */
export function convert(deps: RatesDeps, query: ConvertQuery, delayMinutes?: number) {
  return query.day === null
    ? convertNow(deps.spot(delayMinutes), query)
    : convertThen(deps, query, query.day);
}

function convertNow(table: SpotTable, { from, to, amount, dp }: ConvertQuery) {
  const rate = knownRate(table, from, to);
  const origin = spotOrigin(from, [rate]);
  return {
    result: "success",
    from: currencyCode(from),
    to: currencyCode(to),
    ...conversion(rate.text, amount, dp),
    derived: rate.derived,
    derivation_bps_max: spotBound(rate),
    source: origin.source,
    sources: origin.sources,
    stale: origin.stale[currencyCode(to)] === true,
    market_session: table.session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    notice: noticeText(table.simulated, origin.isReference),
  };
}

/** At the rate of a past day, filled where nothing was published on it. */
function convertThen(deps: RatesDeps, { from, to, amount, dp }: ConvertQuery, day: Day) {
  const view = openView(deps);
  const { history, simulated } = view.dataset;
  refuseDamaged(view.dataset, day, day);
  refuseAwaitedDays(view, { base: from, symbols: [to], start: day, end: day });
  const isCovered = day >= COVERAGE_START && day <= dayAt(view.now);
  const cross = isCovered ? crossRate(history, day, from, to) : null;
  if (cross === null) throw noRateOn(view, day);
  const origin = provenanceOf(view, day, from, [[to, cross]]);
  return {
    result: "success",
    from: currencyCode(from),
    to: currencyCode(to),
    date: formatDay(day),
    is_forward_filled: origin.forwardFilled,
    ...conversion(cross.text, amount, dp),
    derived: cross.derived,
    derivation_bps_max: derivationBound(history, cross),
    source: origin.source,
    sources: origin.sources,
    stale: origin.stale[currencyCode(to)] === true,
    market_session: marketSession(view.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    notice: noticeText(simulated),
  };
}

export interface BatchQuery {
  readonly from: CurrencyIndex;
  readonly pairs: readonly (readonly [to: CurrencyIndex, amount: Decimal])[];
}

/** ConvertBatchResponse: every pair at the same rates and instant, in the order given. */
export function convertBatch(table: SpotTable, { from, pairs }: BatchQuery) {
  const rates = pairs.map(([to]) => knownRate(table, from, to));
  const origin = spotOrigin(from, rates);
  return {
    result: "success",
    from: currencyCode(from),
    conversions: rates.map((rate, index) => ({
      to: currencyCode(rate.to),
      ...conversion(rate.text, pairs[index]?.[1] as Decimal, null),
      derived: rate.derived,
      derivation_bps_max: spotBound(rate),
    })),
    source: origin.source,
    sources: origin.sources,
    market_session: table.session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    effective_at: origin.effectiveAt,
    stale: origin.stale,
    notice: noticeText(table.simulated, origin.isReference),
  };
}

function knownRate(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate {
  refuseAwaitedLatest(table, { base: from, symbols: [to] });
  const rate = spotRate(table, from, to);
  if (rate === null) throw withoutRate(table, [from, to]);
  return rate;
}

function conversion(text: string, amount: Decimal, dp: number | null) {
  const rate = withDecimals(text, dp);
  return {
    amount: new Digits(formatShortest(amount.units, amount.scale)),
    rate: new Digits(rate),
    converted: new Digits(multiplyRounded(parseDecimal(rate) as Decimal, amount, CONVERTED_DIGITS)),
  };
}
