/** The catalog with what is known about each currency's data. */

import { crossRate } from "#domain/cross.ts";
import { CURRENCIES, CURRENCY_COUNT, currencyIndex, PAIR_COUNT, USD } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { dayAt, formatDay, type Instant } from "#domain/day.ts";
import type { History } from "#domain/history.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import type { RatesDeps } from "./query.ts";

/** CurrenciesResponse; answers before the first ingest too, then without sources and dates. */
export function currencies(deps: RatesDeps) {
  const dataset = deps.dataset();
  const facts = dataset === null ? [] : factsOf(dataset, deps.clock.now());
  return {
    result: "success",
    currencies: CURRENCIES.map(({ code, name, minorUnits }, index) => ({
      code,
      name,
      type: "fiat",
      decimals: facts[index]?.decimals ?? null,
      minor_units: minorUnits,
      derived: facts[index]?.derived ?? false,
      live: false,
      sources: facts[index]?.sources ?? [],
      history_start: facts[index]?.historyStart ?? null,
    })),
    count: CURRENCY_COUNT,
    pairs: PAIR_COUNT,
  };
}

interface Facts {
  readonly decimals: number | null;
  /** Whether USD → currency is triangulated today. */
  readonly derived: boolean;
  readonly sources: readonly string[];
  readonly historyStart: string | null;
}

function factsOf({ history }: Dataset, now: Instant): readonly Facts[] {
  const today = Math.min(dayAt(now), history.lastDay);
  return CURRENCIES.map(({ code }) => {
    const index = currencyIndex(code);
    const sources = DAILY_SOURCES.filter((_, source) => newestRow(history, source, index) >= 0);
    const standing = DAILY_SOURCES.map((_, source) => newestRow(history, source, index)).find(
      (row) => row >= 0,
    );
    const fromUsd = index === USD ? null : crossRate(history, today, USD, index);
    return {
      decimals: standing === undefined ? null : (history.observations.decimals[standing] as number),
      derived: fromUsd?.derived ?? false,
      sources,
      historyStart: firstDayOf(history, index),
    };
  });
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
