/** The daily history as typed arrays: what was published, and for every calendar day the observation in force (forward fill is pre-applied). */

import { CURRENCY_COUNT, type CurrencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, lessFresh } from "#domain/currency/source.ts";
import { COVERAGE_START, type Day, type Instant } from "#domain/time/day.ts";

/** A forward fill reaches back at most this many days: a series that stopped ends instead of staying constant. */
export const FILL_DAYS = 14;

/** Observations as parallel columns, ordered by source, date, base, quote. */
export type ObservationColumns = Readonly<ReturnType<typeof emptyObservations>>;

export function emptyObservations(count: number) {
  return {
    count,
    /** Position in DAILY_SOURCES. */
    source: bytes(count),
    date: new Int32Array(count) as Int32Array,
    base: bytes(count),
    quote: bytes(count),
    /** The printed digits as an integer; the value is units / 10^scale, exactly. */
    units: doubles(count),
    scale: bytes(count),
    /** Decimals the authority publishes: half a unit of the last one is the rounding error of the figure. */
    decimals: bytes(count),
    observedAt: doubles(count),
    retrievedAt: doubles(count),
    revision: new Uint16Array(count) as Uint16Array,
  };
}

/** Not bound to one kind of buffer: columns may also be views of bytes that were read. */
export const bytes = (count: number): Uint8Array => new Uint8Array(count);
export const doubles = (count: number): Float64Array => new Float64Array(count);

/** Position of an observation in the columns; -1 for no observation. */
export type Row = number;

export interface History {
  /** Dataset version; see LakeRecord.version. */
  readonly version: string;
  readonly observations: ObservationColumns;
  readonly firstDay: Day;
  /** Newest day on which anything was published. */
  readonly lastDay: Day;
  /** Exact row of (source, day, currency), no fill. */
  row(source: number, day: Day, currency: CurrencyIndex): Row;
  /** The observation in force for a currency on a day: the ECB's where it reaches, else H.10's; filled at most FILL_DAYS. */
  inForce(day: Day, currency: CurrencyIndex): Row;
}

/**
 * Builds the index; linear in days × currencies, some tens of milliseconds for 27 years. Days before `firstDay` are left out. A
 * window that begins FILL_DAYS before the requested days gives the same answers as the whole history.
 */
export function buildHistory(
  version: string,
  observations: ObservationColumns,
  firstDay: Day = COVERAGE_START,
): History {
  const { count, source, date, base, quote } = observations;
  let lastDay = firstDay - 1;
  for (let row = 0; row < count; row++) lastDay = Math.max(lastDay, date[row] as number);
  const days = lastDay - firstDay + 1 + FILL_DAYS;
  const width = CURRENCY_COUNT;

  const exact = new Int32Array(DAILY_SOURCES.length * days * width).fill(-1);
  for (let row = 0; row < count; row++) {
    const at = (date[row] as number) - firstDay;
    if (at < 0) continue;
    const from = source[row] as number;
    exact[(from * days + at) * width + currencyOf(base[row] as number, quote[row] as number, from)] = row;
  }

  // The sources are laid over each other from the last choice to the first: the ECB wins where it reaches.
  const inForce = new Int32Array(days * width).fill(-1);
  for (let from = DAILY_SOURCES.length - 1; from >= 0; from--) {
    for (let currency = 0; currency < width; currency++) {
      let newest = -1;
      let filledUntil = -1;
      for (let day = 0, at = currency; day < days; day++, at += width) {
        const row = exact[from * days * width + at] as number;
        if (row >= 0) {
          newest = row;
          filledUntil = day + FILL_DAYS;
        }
        if (day <= filledUntil) inForce[at] = newest;
      }
    }
  }

  return {
    version,
    observations,
    firstDay,
    lastDay,
    row: (from, day, currency) => {
      const at = day - firstDay;
      return at < 0 || at >= days ? -1 : (exact[(from * days + at) * width + currency] as number);
    },
    inForce: (day, currency) => {
      const at = day - firstDay;
      return at < 0 || at >= days ? -1 : (inForce[at * width + currency] as number);
    },
  };
}

export function pivotOfRow({ observations }: Pick<History, "observations">, row: Row): CurrencyIndex {
  return observations.source[row] === 0 ? EUR : USD;
}

/** The currency of a row: the side that is not its source's pivot. */
export function currencyOfRow({ observations }: Pick<History, "observations">, row: Row): CurrencyIndex {
  const { base, quote, source } = observations;
  return currencyOf(base[row] as number, quote[row] as number, source[row] as number);
}

function currencyOf(base: CurrencyIndex, quote: CurrencyIndex, source: number): CurrencyIndex {
  const pivot = source === 0 ? EUR : USD;
  return base === pivot ? quote : base;
}

export const NO_OBSERVATIONS = emptyObservations(0);

export function rowSource(history: History, row: Row): DailySource {
  return DAILY_SOURCES[history.observations.source[row] as number] as DailySource;
}

/** The least fresh observation (the older; on a tie the slower source), or -1 where there are no rows. */
export function leastFreshRow(history: History, rows: Iterable<Row>): Row {
  const { observedAt } = history.observations;
  let least = -1;
  for (const row of rows) {
    if (
      least < 0 ||
      lessFresh(
        rowSource(history, row),
        observedAt[row] as Instant,
        rowSource(history, least),
        observedAt[least] as Instant,
      )
    ) {
      least = row;
    }
  }
  return least;
}

/**
 * A currency's own observation in a rate; -1 where none contributes. Where two sources meet, a pivot has the figure that is quoted against
 * it: EUR the ECB's dollar, USD H.10's euro.
 */
export function ownRow(history: History, currency: CurrencyIndex, rows: readonly Row[]): Row {
  const own = rows.find((row) => currencyOfRow(history, row) === currency);
  if (own !== undefined || rows.length === 1) return own ?? -1;
  return rows.find((row) => pivotOfRow(history, row) === currency) ?? -1;
}

/** The observation that represents a currency inside a rate: its own, else the least fresh of the rows. */
export function currencyRow(history: History, currency: CurrencyIndex, rows: readonly Row[]): Row {
  const own = ownRow(history, currency, rows);
  return own >= 0 ? own : leastFreshRow(history, rows);
}
