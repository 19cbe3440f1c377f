/** The catalog with each currency's sources and days of data. */

import { CURRENCIES, type CurrencyIndex, currencyIndex, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, PIVOT } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import { damagedFailure } from "#domain/history/damage.ts";
import type { History } from "#domain/history/history.ts";
import { lastDateOf, newestDateOf, newestRows } from "#domain/history/schedule.ts";
import { spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { type Day, yearOf } from "#domain/time/day.ts";
import type { RatesDeps } from "./query.ts";

/** Every currency of the catalog, in its order. Failure `data_unavailable` when facts may be in a damaged file. */
export function currencies(deps: RatesDeps) {
  const dataset = deps.dataset();
  const allFacts = dataset === null ? [] : factsOf(dataset.history);
  if (dataset !== null && mayDiffer(dataset, allFacts)) throw damagedFailure();
  const table = deps.spot();
  return CURRENCIES.map((_, currency) => {
    const live = isLive(table, currency);
    const facts = allFacts[currency];
    return {
      currency,
      decimals: facts?.decimals ?? null,
      derived: spotRate(table, USD, currency)?.derived ?? false,
      live,
      sources: [...(live ? (["live"] as const) : []), ...(facts?.sources ?? [])],
      historyStart: facts?.historyStart ?? null,
      lastDate: facts?.lastDate ?? null,
    };
  });
}

/** `sources`: the preferred one first. Daily sources, decimals and dates are missing before the first collection. */
export type CurrencyFacts = ReturnType<typeof currencies>[number];

/** USD counts as live when any rate is. */
function isLive({ chains }: SpotTable, currency: CurrencyIndex): boolean {
  const asked = currency === USD ? chains : [chains[currency]];
  return asked.some((chain) => chain?.[0]?.figure.source === "live");
}

/** Whether a first day or a newest figure may be in a damaged file. */
function mayDiffer(dataset: Dataset, facts: readonly Facts[]): boolean {
  return (dataset.damaged ?? []).some(({ table, year }) => {
    if (table !== "daily" || year === null) return false;
    return facts.some(
      ({ historyStart, newest }) =>
        historyStart === null || yearOf(historyStart) >= year || newest === null || newest <= year,
    );
  });
}

type Facts = ReturnType<typeof factsOfOne>;

const factsByHistory = new WeakMap<History, readonly Facts[]>();

/** Cached for each history: computing the facts walks through all years. */
function factsOf(history: History): readonly Facts[] {
  const facts =
    factsByHistory.get(history) ?? CURRENCIES.map(({ code }) => factsOfOne(history, currencyIndex(code)));
  factsByHistory.set(history, facts);
  return facts;
}

function factsOfOne(history: History, index: CurrencyIndex) {
  const newest = newestRows(history, index);
  const newestOfAll = newest.find((row) => row >= 0);
  return {
    newest: newestYear(history, newest),
    decimals: newestOfAll === undefined ? null : (history.observations.decimals[newestOfAll] as number),
    // A source covers its pivot, too, which has no figure.
    sources: DAILY_SOURCES.filter((name, source) =>
      PIVOT[name] === CURRENCIES[index]?.code
        ? newestDateOf(history, source) !== null
        : (newest[source] as number) >= 0,
    ),
    historyStart: firstDayOf(history, index),
    lastDate: lastDateOf(history, index),
  };
}

function newestYear(history: History, rows: readonly number[]): number | null {
  const days = rows.filter((row) => row >= 0).map((row) => history.observations.date[row] as Day);
  return days.length === 0 ? null : yearOf(Math.min(...days));
}

function firstDayOf(history: History, currency: number): Day | null {
  for (let day = history.firstDay; day <= history.lastDay; day++) {
    if (crossRate(history, day, USD, currency) !== null) return day;
  }
  return null;
}
