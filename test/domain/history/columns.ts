/** Builds observation columns from readable rows, for tests of everything that uses a history. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory, type ObservationColumns } from "#domain/history/history.ts";
import { ecbObservedAt, fredObservedAt } from "#domain/time/calendar.ts";
import { type Day, parseDay } from "#domain/time/day.ts";

export interface PlainObservation {
  readonly source: DailySource;
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly printed: string;
  readonly decimals?: number;
}

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === null) throw new Error(`not a day: ${text}`);
  return parsed;
}

export function ecb(date: string, quote: CurrencyCode, printed: string, decimals?: number): PlainObservation {
  return {
    source: "ecb_daily",
    date: day(date),
    base: "EUR",
    quote,
    printed,
    ...(decimals === undefined ? {} : { decimals }),
  };
}

export function fred(
  date: string,
  quote: CurrencyCode,
  printed: string,
  decimals?: number,
): PlainObservation {
  return {
    source: "fred_daily",
    date: day(date),
    base: "USD",
    quote,
    printed,
    ...(decimals === undefined ? {} : { decimals }),
  };
}

export function columnsOf(plain: readonly PlainObservation[]): ObservationColumns {
  const rows = [...plain].sort(
    (a, b) => DAILY_SOURCES.indexOf(a.source) - DAILY_SOURCES.indexOf(b.source) || a.date - b.date,
  );
  const observedAt = new Map<string, number>();
  const observed = ({ source, date }: PlainObservation) => {
    const key = `${source} ${date}`;
    const known =
      observedAt.get(key) ?? (source === "ecb_daily" ? ecbObservedAt(date) : fredObservedAt(date));
    observedAt.set(key, known);
    return known;
  };
  const scaleOf = (printed: string) => printed.split(".")[1]?.length ?? 0;
  return {
    count: rows.length,
    source: Uint8Array.from(rows, (row) => DAILY_SOURCES.indexOf(row.source)),
    date: Int32Array.from(rows, (row) => row.date),
    base: Uint8Array.from(rows, (row) => currencyIndex(row.base)),
    quote: Uint8Array.from(rows, (row) => currencyIndex(row.quote)),
    units: Float64Array.from(rows, (row) => Number(row.printed.replace(".", ""))),
    scale: Uint8Array.from(rows, (row) => scaleOf(row.printed)),
    decimals: Uint8Array.from(rows, (row) => row.decimals ?? scaleOf(row.printed)),
    observedAt: Float64Array.from(rows, observed),
    retrievedAt: new Float64Array(rows.length),
    revision: new Uint16Array(rows.length).fill(1),
  };
}

export function historyOf(plain: readonly PlainObservation[], version = "test-1") {
  return buildHistory(version, columnsOf(plain));
}

export function datasetOf(plain: readonly PlainObservation[]): Dataset {
  return { history: historyOf(plain), coveredThrough: {}, simulated: false };
}
