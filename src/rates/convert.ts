/** Conversion of one amount, or of a batch, at the latest rates or at a past day's. */

import { CONVERTED_DIGITS } from "#domain/amount.ts";
import { Digits, SERVED_AT } from "#domain/body.ts";
import { type Cross, crossRate, derivationBound } from "#domain/cross.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import type { View } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, formatInstant } from "#domain/day.ts";
import { type Decimal, formatShortest, multiplyRounded, parseDecimal } from "#domain/decimal.ts";
import { Failure } from "#domain/errors.ts";
import { noticeText, provenanceOf } from "#domain/provenance.ts";
import { marketSession } from "#domain/session.ts";
import { openView, type RatesDeps, withDecimals } from "./query.ts";

export interface ConvertQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly amount: Decimal;
  /** null: the latest rates. */
  readonly day: Day | null;
  readonly dp: number | null;
}

/** ConvertResponse: `converted` is the returned rate times the amount, exactly, to at most 15 significant digits. */
export function convert(deps: RatesDeps, query: ConvertQuery) {
  const view = openView(deps);
  const day = dayFor(view, query.day);
  const cross = crossOn(view, day, query.from, query.to, query.day !== null);
  const origin = provenanceOf(view, day, query.from, [[query.to, cross]]);
  return {
    result: "success",
    from: currencyCode(query.from),
    to: currencyCode(query.to),
    ...(query.day === null ? {} : { date: formatDay(day), is_forward_filled: origin.forwardFilled }),
    ...conversion(view, cross, query.amount, query.dp),
    source: origin.source,
    sources: origin.sources,
    stale: origin.stale[currencyCode(query.to)] === true,
    market_session: marketSession(view.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    notice: noticeText(view.dataset.simulated),
  };
}

export interface BatchQuery {
  readonly from: CurrencyIndex;
  readonly pairs: readonly (readonly [to: CurrencyIndex, amount: Decimal])[];
}

/** ConvertBatchResponse: every pair at the same dataset and instant, in the order given. */
export function convertBatch(deps: RatesDeps, query: BatchQuery) {
  const view = openView(deps);
  const day = dayFor(view, null);
  const crosses = query.pairs.map(([to]) => [to, crossOn(view, day, query.from, to, false)] as const);
  const origin = provenanceOf(view, day, query.from, crosses);
  return {
    result: "success",
    from: currencyCode(query.from),
    conversions: crosses.map(([to, cross], index) => ({
      to: currencyCode(to),
      ...conversion(view, cross, query.pairs[index]?.[1] as Decimal, null),
    })),
    source: origin.source,
    sources: origin.sources,
    market_session: marketSession(view.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    effective_at: origin.effectiveAt,
    stale: origin.stale,
    notice: noticeText(view.dataset.simulated),
  };
}

function dayFor(view: View, day: Day | null): Day {
  const today = dayAt(view.now);
  if (day === null) return today;
  if (day < COVERAGE_START || day > today) throw new Failure("no_data_for_date", { date: formatDay(day) });
  return day;
}

function crossOn(view: View, day: Day, from: CurrencyIndex, to: CurrencyIndex, dated: boolean): Cross {
  const cross = crossRate(view.dataset.history, day, from, to);
  if (cross !== null) return cross;
  throw dated ? new Failure("no_data_for_date", { date: formatDay(day) }) : new Failure("data_unavailable");
}

function conversion(view: View, cross: Cross, amount: Decimal, dp: number | null) {
  const rate = withDecimals(cross.text, dp);
  return {
    amount: new Digits(formatShortest(amount.units, amount.scale)),
    rate: new Digits(rate),
    converted: new Digits(multiplyRounded(parseDecimal(rate) as Decimal, amount, CONVERTED_DIGITS)),
    derived: cross.derived,
    derivation_bps_max: derivationBound(view.dataset.history, cross),
  };
}
