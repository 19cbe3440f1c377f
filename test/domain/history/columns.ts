/** Builds observation columns from readable rows, for tests of everything that uses a history. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory, emptyObservations, type ObservationColumns } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import { putRow } from "#domain/point-in-time/columns.ts";
import { ecbObservedAt, fredObservedAt } from "#domain/time/calendar.ts";
import { type Day, parseDay } from "#domain/time/day.ts";

/** A figure with what matters in a test; the rest is usual. */
export type PlainObservation = Pick<Observation, "source" | "date" | "base" | "quote" | "printed"> &
  Partial<Pick<Observation, "decimals" | "observedAt" | "retrievedAt" | "revision">>;

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === null) throw new Error(`not a day: ${text}`);
  return parsed;
}

export const ecb = figuresOf("ecb_daily", "EUR");
export const fred = figuresOf("fred_daily", "USD");

function figuresOf(source: DailySource, base: CurrencyCode) {
  return (date: string, quote: CurrencyCode, printed: string, decimals?: number): PlainObservation => {
    const figure = { source, date: day(date), base, quote, printed };
    return decimals === undefined ? figure : { ...figure, decimals };
  };
}

export function byKey(a: PlainObservation, b: PlainObservation): number {
  return (
    DAILY_SOURCES.indexOf(a.source) - DAILY_SOURCES.indexOf(b.source) ||
    a.date - b.date ||
    currencyIndex(a.base) - currencyIndex(b.base) ||
    currencyIndex(a.quote) - currencyIndex(b.quote) ||
    (a.revision ?? 1) - (b.revision ?? 1)
  );
}

export function columnsOf(rows: readonly PlainObservation[]): ObservationColumns {
  return columnsInOrder(rows.toSorted(byKey));
}

function columnsInOrder(rows: readonly PlainObservation[]): ObservationColumns {
  const columns = emptyObservations(rows.length);
  for (const [at, row] of rows.entries()) {
    const decimals = row.printed.split(".")[1]?.length ?? 0;
    const observedAt = (row.source === "ecb_daily" ? ecbObservedAt : fredObservedAt)(row.date);
    putRow(columns, at, { decimals, observedAt, retrievedAt: 0, revision: 1, ...row });
  }
  return columns;
}

/** Columns with the instants of publication beside them, as a lake has them. */
export function knownOf(rows: readonly Observation[]) {
  const sorted = rows.toSorted(byKey);
  const publishedAt = sorted.map((row) => row.publishedAt ?? Number.NaN);
  return { observations: columnsInOrder(sorted), publishedAt: Float64Array.from(publishedAt) };
}

export function historyOf(plain: readonly PlainObservation[], version = "test-1") {
  return buildHistory(version, columnsOf(plain));
}

export function datasetOf(plain: readonly PlainObservation[]): Dataset {
  return { history: historyOf(plain), coveredThrough: {}, simulated: false };
}
