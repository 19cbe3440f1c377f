/** Shared by averages and fluctuations over a window of days: the query, the rates to reduce, and the answer with its origin. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { provenanceOf, simulatedOnDays } from "#domain/dataset/dataset.ts";
import { refuseReversed } from "#domain/faults/errors.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import { ratesBetween, type SeriesCache } from "#domain/history/series.ts";
import { marketSession } from "#domain/time/calendar.ts";
import type { Day } from "#domain/time/day.ts";
import { type DailyDeps, everyOther, knownAsOf, missingOf, viewsOfDays } from "./query.ts";

/** Caches of present series, and of past states in `past`. They are separate: past states never displace present series. */
export interface WindowDeps extends DailyDeps {
  readonly series: SeriesCache;
  readonly past: { readonly series: SeriesCache };
}

export interface WindowQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly start: Day;
  readonly end: Day;
  readonly asOf: AsOf | null;
}

/** The rates of a window, with `asOf` as of then. Failures `invalid_request` for a reversed window, and as of viewsOfDays. */
export function ratesOfWindow(deps: WindowDeps, query: WindowQuery, fill: Fill) {
  const { base, symbols, start, end, asOf } = query;
  refuseReversed(query);
  const { present, view } = viewsOfDays(deps, query);
  const { dataset } = view;
  const { history } = dataset;
  const { series } = history === present.dataset.history ? deps : deps.past;
  const wanted = symbols ?? everyOther(base);
  const crossOn = (day: Day, to: CurrencyIndex) => crossRate(history, day, base, to);
  const ratesOf = (to: CurrencyIndex) =>
    ratesBetween(series, history, { pair: [base, to], fill, start, end });
  return {
    ...{ present, view, history, wanted, crossOn, ratesOf },
    /** `ends` are the first and the last cross of a rate; they may lie outside of `ratesOf`. */
    answer: <Rate extends { readonly to: CurrencyIndex }>(
      made: readonly { readonly rate: Rate; readonly ends: readonly [Cross, Cross] }[],
    ) => {
      const targets = made.map(({ rate }) => rate.to);
      function* figures() {
        for (const { rate, ends } of made) {
          for (const { rows } of ends) yield* rows;
          for (const { day } of ratesOf(rate.to)) yield* crossOn(day, rate.to)?.rows ?? [];
        }
      }
      const originOf = (at: 0 | 1) =>
        provenanceOf(
          view,
          end,
          base,
          made.map(({ rate, ends }) => [rate.to, ends[at]]),
        );
      // The first figures are the oldest. Where a source has taken over from another, the last ones are of that source.
      const [first, last] = [originOf(0), originOf(1)];
      // Earlier rates may be simulated even if the last are not: H.10's, before the ECB had the currency.
      const simulated = simulatedOnDays(dataset, base, targets, function* () {
        for (let day = start; day <= end; day++) yield day;
      });
      return {
        ...{ base, start, end },
        rates: made.map(({ rate }) => rate),
        asOf: knownAsOf(asOf, dataset, figures()),
        missing: missingOf(wanted, targets),
        origin: {
          ...{ source: first.source, dataUpdatedAt: first.dataUpdatedAt, effectiveAt: last.effectiveAt },
          sources: { ...last.sources, ...first.sources },
          derivedSymbols: targets
            .map(currencyCode)
            .filter((code) => [first, last].some(({ derivedSymbols }) => derivedSymbols.includes(code))),
          simulated,
        },
        lastSources: last.sources,
        session: marketSession(present.now),
      };
    },
  };
}

type AnyWindowRates = ReturnType<ReturnType<typeof ratesOfWindow>["answer"]>;
export type WindowRates<Rate> = Omit<AnyWindowRates, "rates"> & { readonly rates: readonly Rate[] };
