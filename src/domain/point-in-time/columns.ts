/** Every revision of every figure as one set of columns, current and superseded. Past states are selected from it. */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import { readPrinted } from "#domain/acceptance/printed.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { emptyObservations, type ObservationColumns, type Row } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface EveryRevision {
  /** Ordered by source, date, base, quote; the revisions of one figure are adjacent. */
  readonly columns: ObservationColumns;
  /** Beside the columns; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** When revisions ended, by row; a revision in force has no entry. */
  readonly supersededAt: ReadonlyMap<Row, Instant>;
  /** The latest retrieval or end of a revision; -Infinity without revisions. */
  readonly newestInstant: Instant;
}

/** Until this instant a figure was known with a value that a repair of the lake has lost. */
export interface LostRevision {
  readonly date: Day;
  readonly until: Instant;
}

export function lostRevisions({ columns }: EveryRevision): readonly LostRevision[] {
  const lost: LostRevision[] = [];
  const { count, date, revision, retrievedAt } = columns;
  for (let row = 0; row < count; row++) {
    const number = revision[row] as number;
    if (number === 1) continue;
    const isThere =
      row > 0 && keyAt(columns, row - 1) === keyAt(columns, row) && revision[row - 1] === number - 1;
    if (!isThere) lost.push({ date: date[row] as Day, until: retrievedAt[row] as Instant });
  }
  return lost;
}

/** Joins current and superseded revisions. Without superseded figures the dataset's own columns are used as they are. */
export function everyRevision({ history, revisions }: Dataset): EveryRevision {
  const current = history.observations;
  const published = revisions?.publishedAt ?? new Float64Array(current.count).fill(Number.NaN);
  const gone = [...(revisions?.superseded ?? [])].sort(
    (a, b) => keyOf(a) - keyOf(b) || a.revision - b.revision,
  );
  const count = current.count + gone.length;
  const supersededAt = new Map<Row, Instant>();
  if (gone.length === 0)
    return {
      columns: current,
      publishedAt: published,
      supersededAt,
      newestInstant: newest(current.retrievedAt),
    };

  // A superseded revision goes before the first current figure with the same key or a later one.
  const order = new Int32Array(count);
  let from = 0;
  let at = 0;
  gone.forEach((old, index) => {
    const key = keyOf(old);
    while (from < current.count && keyAt(current, from) < key) order[at++] = from++;
    order[at++] = -1 - index;
  });
  while (from < current.count) order[at++] = from++;

  const columns = pickRows(current, order);
  const publishedAt = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const origin = order[row] as number;
    if (origin >= 0) {
      publishedAt[row] = published[origin] as number;
      continue;
    }
    const old = gone[-1 - origin] as SupersededObservation;
    putRow(columns, row, old);
    publishedAt[row] = old.publishedAt ?? Number.NaN;
    supersededAt.set(row, old.supersededAt);
  }
  const endings = gone.reduce((latest, old) => Math.max(latest, old.supersededAt), Number.NEGATIVE_INFINITY);
  return {
    columns,
    publishedAt,
    supersededAt,
    newestInstant: Math.max(endings, newest(columns.retrievedAt)),
  };
}

function newest(instants: Float64Array): Instant {
  let latest = Number.NEGATIVE_INFINITY;
  for (const instant of instants) if (instant > latest) latest = instant;
  return latest;
}

type Key = Pick<SupersededObservation, "source" | "date" | "base" | "quote">;

function figureKey(source: number, date: Day, base: number, quote: number): number {
  return ((source * 131_072 + date) * 64 + base) * 64 + quote;
}

function keyOf({ source, date, base, quote }: Key): number {
  return figureKey(DAILY_SOURCES.indexOf(source), date, currencyIndex(base), currencyIndex(quote));
}

export function keyAt({ source, date, base, quote }: ObservationColumns, row: Row): number {
  return figureKey(source[row] as number, date[row] as number, base[row] as number, quote[row] as number);
}

/** The rows of the columns, in the order given; a negative one leaves its place empty. */
export function pickRows(from: ObservationColumns, rows: Int32Array): ObservationColumns {
  const picked = emptyObservations(rows.length);
  const { count: _, ...arrays } = picked;
  const names = Object.keys(arrays) as (keyof typeof arrays)[];
  for (const { at, row, length } of runsOf(rows))
    for (const name of names) picked[name].set(from[name].subarray(row, row + length), at);
  return picked;
}

/** Runs of consecutive rows: what was known at an instant is mostly long stretches of all rows. */
function runsOf(rows: Int32Array): { at: number; row: Row; length: number }[] {
  const runs: { at: number; row: Row; length: number }[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as Row;
    let length = 1;
    while (row >= 0 && at + length < rows.length && rows[at + length] === row + length) length++;
    if (row >= 0) runs.push({ at, row, length });
    at += length;
  }
  return runs;
}

/** Writes an observation into a row of the columns. Throws for one that is not a number. */
export function putRow(
  columns: ObservationColumns,
  row: Row,
  old: Omit<Observation, "document" | "documentSha256" | "publishedAt">,
): void {
  const printed = readPrinted(old.printed);
  if ("rule" in printed) throw new Error(`an observation is not a number: ${printed.reason}`);
  columns.source[row] = DAILY_SOURCES.indexOf(old.source);
  columns.date[row] = old.date;
  columns.base[row] = currencyIndex(old.base);
  columns.quote[row] = currencyIndex(old.quote);
  columns.units[row] = printed.units;
  columns.scale[row] = printed.scale;
  columns.decimals[row] = old.decimals;
  columns.observedAt[row] = old.observedAt;
  columns.retrievedAt[row] = old.retrievedAt;
  columns.revision[row] = old.revision;
}
