/** The known time of every revision on one basis, and the instants at which the state changes. */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { ObservationColumns, Row } from "#domain/history/history.ts";
import { type AsOfBasis, knownFrom } from "#domain/history/observation.ts";
import { firstNot } from "#domain/number/search.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { type EveryRevision, keyAt } from "./columns.ts";

export interface Timeline extends EveryRevision {
  /** A revision is known at an instant t when from ≤ t < until. A revision without an entry in `until` has no end. */
  readonly from: Float64Array;
  readonly until: ReadonlyMap<Row, Instant>;
  /** Distinct instants at which something becomes known or ends, ascending. */
  readonly instants: Float64Array;
}

/** Linear in the number of revisions; made once per dataset and basis. */
export function buildTimeline(every: EveryRevision, basis: AsOfBasis): Timeline {
  const { columns, supersededAt } = every;
  const from = knownFromColumn(every, basis);
  const until = new Map(supersededAt);
  for (const versions of figuresWithVersions(columns, supersededAt)) {
    for (const row of versions) {
      const revision = columns.revision[row] as number;
      const later = versions.filter((other) => (columns.revision[other] as number) > revision);
      const ended = supersededAt.get(row) ?? Number.POSITIVE_INFINITY;
      // At most one revision of a figure is known at any instant: the highest, unless it was taken back.
      const ends = Math.min(ended, ...later.map((other) => from[other] as Instant));
      if (ends !== Number.POSITIVE_INFINITY) until.set(row, ends);
    }
  }
  return { ...every, from, until, instants: changeInstants(from, until) };
}

function knownFromColumn({ columns, publishedAt }: EveryRevision, basis: AsOfBasis): Float64Array {
  const from = new Float64Array(columns.count);
  for (let row = 0; row < columns.count; row++) {
    const published = publishedAt[row] as number;
    from[row] = knownFrom(
      {
        source: DAILY_SOURCES[columns.source[row] as number] as DailySource,
        date: columns.date[row] as Day,
        revision: columns.revision[row] as number,
        publishedAt: Number.isNaN(published) ? null : published,
        retrievedAt: columns.retrievedAt[row] as Instant,
      },
      basis,
    );
  }
  return from;
}

/** The rows of each figure with an ended or a later revision. They are few: all other rows are skipped. */
function figuresWithVersions(
  columns: ObservationColumns,
  supersededAt: ReadonlyMap<Row, Instant>,
): Iterable<Row[]> {
  const figures = new Map<number, Row[]>();
  for (let row = 0; row < columns.count; row++) {
    if ((columns.revision[row] as number) === 1 && !supersededAt.has(row)) continue;
    const key = keyAt(columns, row);
    const rows = figures.get(key);
    if (rows === undefined) figures.set(key, [row]);
    else rows.push(row);
  }
  return figures.values();
}

function changeInstants(from: Float64Array, until: ReadonlyMap<Row, Instant>): Float64Array {
  const distinct = new Set<Instant>();
  let last = Number.NaN;
  for (let row = 0; row < from.length; row++) {
    const begins = from[row] as Instant;
    const ends = until.get(row) ?? Number.POSITIVE_INFINITY;
    if (begins >= ends) continue;
    // Figures of one day mostly become known together.
    if (begins !== last) distinct.add(begins);
    last = begins;
    if (ends !== Number.POSITIVE_INFINITY) distinct.add(ends);
  }
  return Float64Array.from(distinct).sort();
}

/** How many of the change instants lie at or before `instant`: equal numbers, equal knowledge. */
export function stateAt({ instants }: Timeline, instant: Instant): number {
  return firstNot(instants.length, (at) => (instants[at] as Instant) <= instant);
}

/** Rows known at the instant, in the order of the columns; with a window only those of its days. */
export function rowsKnownAt(
  timeline: Timeline,
  instant: Instant,
  window: { readonly first: Day; readonly last: Day } | null,
): Int32Array {
  const { columns, from, until } = timeline;
  const stretches =
    window === null ? [[0, columns.count] as const] : rowsDated(columns, window.first, window.last);
  const rows = new Int32Array(stretches.reduce((most, [begin, end]) => most + end - begin, 0));
  let count = 0;
  for (const [begin, end] of stretches) {
    for (let row = begin; row < end; row++) {
      if ((from[row] as Instant) <= instant && instant < (until.get(row) ?? Number.POSITIVE_INFINITY))
        rows[count++] = row;
    }
  }
  return rows.slice(0, count);
}

/** The rows dated from `first` to `last`, one range per source: from `begin` up to, not including, `end`. */
export function rowsDated(
  columns: ObservationColumns,
  first: Day,
  last: Day,
): readonly (readonly [begin: Row, end: Row])[] {
  return DAILY_SOURCES.map((_, source) => {
    const begin = firstRow(columns, source, first);
    return [begin, Math.max(begin, firstRow(columns, source, last + 1))] as const;
  });
}

function firstRow({ count, source, date }: ObservationColumns, sourceIndex: number, day: Day): Row {
  return firstNot(count, (row) => {
    const at = source[row] as number;
    return at < sourceIndex || (at === sourceIndex && (date[row] as Day) < day);
  });
}
