/** Shared by averages and fluctuations over a window of days: the query, the rates to reduce, and the answer with its origin. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type Source } from "#domain/currency/source.ts";
import { provenanceOf, simulatedOnDays } from "#domain/dataset/dataset.ts";
import { refuseReversed } from "#domain/faults/errors.ts";
import { type Cross, crossRate, figuresOf } from "#domain/history/cross.ts";
import { rowSource } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { type Fill, OF_FIRST_SOURCE } from "#domain/history/rate-columns.ts";
import { isPublicationDay } from "#domain/history/schedule.ts";
import { ratesBetween, type SeriesCache, type SeriesRate } from "#domain/history/series.ts";
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

/** One rate of the answer, and the daily rates behind it. Its `ends`, first and last cross, may be of days outside of `rates`. */
interface MadeRate<Rate> {
  readonly rate: Rate;
  readonly ends: readonly [Cross, Cross];
  readonly rates: readonly SeriesRate[];
}

/** What a rate of a window rests on, for its reader. */
export interface Basis {
  readonly code: CurrencyCode;
  /** Every source, in this order: of the currency's figure in the first rate, of that in the last rate, and all others. */
  readonly sources: readonly Source[];
  /** Sources with figures only on days between the ends: in neither the first nor the last rate. */
  readonly between: readonly Source[];
  /** First and last days of the times without a rate. */
  readonly gaps: readonly (readonly [Day, Day])[];
}

/** The rates of a window, as of `asOf`. Failure `invalid_request` for a reversed window; fails as viewsOfDays, too. */
export function ratesOfWindow(deps: WindowDeps, query: WindowQuery, fill: Fill) {
  const { base, symbols, start, end, asOf } = query;
  refuseReversed(query);
  const { present, view } = viewsOfDays(deps, query);
  const { dataset } = view;
  const { history } = dataset;
  const { series } = history === present.dataset.history ? deps : deps.past;
  const requested = symbols ?? everyOther(base);
  const crossOn = (day: Day, to: CurrencyIndex) => crossRate(history, day, base, to);
  const ratesOf = (to: CurrencyIndex) => [
    ...ratesBetween(series, history, { pair: [base, to], fill, start, end }),
  ];
  const gapsOf = (to: CurrencyIndex, rates: readonly SeriesRate[]) => {
    const days = [start - 1, ...rates.map(({ day }) => day), end + 1];
    return days.flatMap((next, at): [Day, Day][] => {
      const [from, until] = [(days[at - 1] ?? next) + 1, next - 1];
      // Weekends and holidays are no gap: a rate is in force on them.
      const isGap = from <= until && figuresOf(history, until, base, to) === null;
      return isGap && hasPublicationDay(from, until) ? [[from, until]] : [];
    });
  };
  return {
    ...{ present, view, history, requested, crossOn, ratesOf },
    answer: <Rate extends { readonly to: CurrencyIndex }>(made: readonly MadeRate<Rate>[]) => {
      const targets = made.map(({ rate }) => rate.to);
      function* figures() {
        for (const { rate, ends, rates } of made) {
          for (const { rows } of ends) yield* rows;
          for (const { day } of rates) yield* crossOn(day, rate.to)?.rows ?? [];
        }
      }
      const originOf = (at: 0 | 1) =>
        provenanceOf(
          view,
          end,
          base,
          made.map(({ rate, ends }) => [rate.to, ends[at]]),
        );
      // Both ends: a source may have taken over from another between them.
      const [first, last] = [originOf(0), originOf(1)];
      const basisOf = ({ rate, ends, rates }: MadeRate<Rate>): Basis => {
        const code = currencyCode(rate.to);
        const ofEnds = ends.flatMap(({ rows }) => rows.map((row) => rowSource(history, row)));
        const flags = rates.reduce((all, one) => all | one.flags, 0);
        const between = DAILY_SOURCES.filter(
          (source, at) => (flags & (OF_FIRST_SOURCE << at)) !== 0 && !ofEnds.includes(source),
        );
        const own = [first, last].flatMap(({ sources }) => sources[code] ?? []);
        return {
          code,
          sources: [...new Set([...own, ...ofEnds, ...between])],
          between,
          gaps: gapsOf(rate.to, rates),
        };
      };
      // Earlier rates may be simulated even if the last are not: H.10's, before the ECB had the currency.
      const simulated = simulatedOnDays(dataset, base, targets, function* () {
        for (let day = start; day <= end; day++) yield day;
      });
      return {
        ...{ base, start, end },
        rates: made.map(({ rate }) => rate),
        asOf: knownAsOf(asOf, dataset, figures()),
        missing: missingOf(requested, targets),
        origin: {
          ...{ source: first.source, dataUpdatedAt: first.dataUpdatedAt, effectiveAt: last.effectiveAt },
          sources: { ...last.sources, ...first.sources },
          derivedSymbols: targets
            .map(currencyCode)
            .filter((code) => [first, last].some(({ derivedSymbols }) => derivedSymbols.includes(code))),
          simulated,
        },
        lastSources: last.sources,
        bases: made.map(basisOf),
        session: marketSession(present.now),
      };
    },
  };
}

function hasPublicationDay(from: Day, until: Day): boolean {
  for (let day = from; day <= until; day++)
    if (DAILY_SOURCES.some((source) => isPublicationDay(source, day))) return true;
  return false;
}

type AnyWindowRates = ReturnType<ReturnType<typeof ratesOfWindow>["answer"]>;
export type WindowRates<Rate> = Omit<AnyWindowRates, "rates"> & { readonly rates: readonly Rate[] };
