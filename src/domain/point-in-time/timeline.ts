/** The known time of every revision on one basis, and the instants at which the state changes. */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { ObservationColumns, Row } from "#domain/history/history.ts";
import { type AsOfBasis, knownFrom, knownUntil } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { type EveryRevision, keyAt, type RunColumn, runColumn } from "./columns.ts";

export interface Timeline extends EveryRevision {
  /** A revision is known at an instant t when from ≤ t < until; one without an entry in `until` has no end. */
  readonly from: RunColumn;
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
      const ends = knownUntil(supersededAt.get(row) ?? Number.POSITIVE_INFINITY, later.map(from.at));
      if (ends !== Number.POSITIVE_INFINITY) until.set(row, ends);
    }
  }
  return { ...every, from, until, instants: changeInstants(columns.count, from, until) };
}

function knownFromColumn(every: EveryRevision, basis: AsOfBasis): RunColumn {
  const { columns, publishedAt } = every;
  const [starts, instants]: [Row[], Instant[]] = [[], []];
  for (let row = 0; row < columns.count; row++) {
    if (hasTimesOfRowBefore(every, row)) continue;
    const published = publishedAt[row] as number;
    starts.push(row);
    instants.push(
      knownFrom(
        {
          source: DAILY_SOURCES[columns.source[row] as number] as DailySource,
          date: columns.date[row] as Day,
          revision: columns.revision[row] as number,
          publishedAt: Number.isNaN(published) ? null : published,
          retrievedAt: columns.retrievedAt[row] as Instant,
        },
        basis,
      ),
    );
  }
  return runColumn(starts, instants);
}

/** Most figures of a day come with one document: all that says when they were known is the same. */
function hasTimesOfRowBefore({ columns, publishedAt }: EveryRevision, row: Row): boolean {
  const before = row - 1;
  return (
    row > 0 &&
    columns.date[row] === columns.date[before] &&
    columns.source[row] === columns.source[before] &&
    columns.revision[row] === columns.revision[before] &&
    columns.retrievedAt[row] === columns.retrievedAt[before] &&
    Object.is(publishedAt[row], publishedAt[before])
  );
}

/** Rows of each figure that has a past: few, so only rows that can be part of one are examined. */
function figuresWithVersions(
  columns: ObservationColumns,
  supersededAt: ReadonlyMap<Row, Instant>,
): Iterable<Row[]> {
  const figures = new Map<number, Row[]>();
  for (let row = 0; row < columns.count; row++) {
    if ((columns.revision[row] as number) === 1 && !supersededAt.has(row)) continue;
    const key = keyAt(columns, row);
    const known = figures.get(key);
    if (known === undefined) figures.set(key, [row]);
    else known.push(row);
  }
  return figures.values();
}

function changeInstants(count: number, from: RunColumn, until: ReadonlyMap<Row, Instant>): Float64Array {
  const distinct = new Set<Instant>();
  let last = Number.NaN;
  for (let row = 0; row < count; row++) {
    const begins = from.at(row);
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
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((instants[middle] as Instant) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
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
      if (from.at(row) <= instant && instant < (until.get(row) ?? Number.POSITIVE_INFINITY))
        rows[count++] = row;
    }
  }
  return rows.slice(0, count);
}

/** The rows dated from `first` to `last`, a stretch per source: from the first number up to, not including, the second. */
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

function firstRow({ count, source, date }: ObservationColumns, wanted: number, day: Day): Row {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = source[middle] as number;
    if (at < wanted || (at === wanted && (date[middle] as Day) < day)) low = middle + 1;
    else high = middle;
  }
  return low;
}
