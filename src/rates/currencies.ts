/** The catalog with what is known about each currency's data. */

import {
  CURRENCIES,
  CURRENCY_COUNT,
  type CurrencyIndex,
  currencyIndex,
  PAIR_COUNT,
  USD,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { damagedFailure } from "#domain/faults/damage.ts";
import { crossRate } from "#domain/history/cross.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import type { History } from "#domain/history/history.ts";
import { spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { type Day, formatDay, yearOf } from "#domain/time/day.ts";
import type { RatesDeps } from "./query.ts";

/** CurrenciesResponse; answers before the first ingest too, then without daily sources and dates. */
export function currencies(deps: RatesDeps) {
  const dataset = deps.dataset();
  const facts = dataset === null ? [] : factsOf(dataset.history);
  if (dataset !== null && mayDiffer(dataset, facts)) throw damagedFailure();
  const table = deps.spot();
  return {
    result: "success",
    currencies: CURRENCIES.map(({ code, name, minorUnits }, index) => {
      const live = isLive(table, index);
      return {
        code,
        name,
        type: "fiat",
        decimals: facts[index]?.decimals ?? null,
        minor_units: minorUnits,
        derived: spotRate(table, USD, index)?.derived ?? false,
        live,
        sources: [...(live ? ["live"] : []), ...(facts[index]?.sources ?? [])],
        history_start: facts[index]?.historyStart ?? null,
      };
    }),
    count: CURRENCY_COUNT,
    pairs: PAIR_COUNT,
  };
}

/** Whether the currency's latest rate is a live one now; the dollar's is where any is, because all are against it. */
function isLive({ chains }: SpotTable, currency: CurrencyIndex): boolean {
  const wanted = currency === USD ? chains : [chains[currency]];
  return wanted.some((chain) => chain?.[0]?.figure.source === "live");
}

/** Whether a first day or a newest figure may be in a damaged file. */
function mayDiffer(dataset: Dataset, facts: readonly Facts[]): boolean {
  return (dataset.damaged ?? []).some(({ table, year }) => {
    if (table !== "daily" || year === null) return false;
    return facts.some(
      ({ historyStart, newest }) =>
        historyStart === null ||
        Number(historyStart.slice(0, 4)) >= year ||
        newest === null ||
        newest <= year,
    );
  });
}

interface Facts {
  /** Year of the oldest of the sources' newest figures. */
  readonly newest: number | null;
  readonly decimals: number | null;
  readonly sources: readonly string[];
  readonly historyStart: string | null;
}

const known = new WeakMap<History, readonly Facts[]>();

/** Looked up once a history: it walks through all years. */
function factsOf(history: History): readonly Facts[] {
  const facts = known.get(history) ?? CURRENCIES.map(({ code }) => factsOfOne(history, currencyIndex(code)));
  known.set(history, facts);
  return facts;
}

function factsOfOne(history: History, index: CurrencyIndex): Facts {
  const newest = DAILY_SOURCES.map((_, source) => newestRow(history, source, index));
  const standing = newest.find((row) => row >= 0);
  return {
    newest: newestYear(history, newest),
    decimals: standing === undefined ? null : (history.observations.decimals[standing] as number),
    sources: DAILY_SOURCES.filter((_, source) => (newest[source] as number) >= 0),
    historyStart: firstDayOf(history, index),
  };
}

function newestYear(history: History, rows: readonly number[]): number | null {
  const days = rows.filter((row) => row >= 0).map((row) => history.observations.date[row] as Day);
  return days.length === 0 ? null : yearOf(Math.min(...days));
}

function newestRow(history: History, source: number, currency: number): number {
  for (let day = history.lastDay; day >= history.firstDay; day--) {
    const row = history.row(source, day, currency);
    if (row >= 0) return row;
  }
  return -1;
}

function firstDayOf(history: History, currency: number): string | null {
  for (let day = history.firstDay; day <= history.lastDay; day++) {
    if (crossRate(history, day, USD, currency) !== null) return formatDay(day);
  }
  return null;
}
