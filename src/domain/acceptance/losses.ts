/** Figures that a document lacks although it covers their days. Whether they were withdrawn is decided before a series is judged. */

import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import { statedOf } from "./current.ts";
import type { KnownRates, Report, SeriesCase, SeriesExtent, Tally } from "./judgement.ts";
import { NOTHING_STATED } from "./statements.ts";

/** So many figures of a series may be missing at once in one document; a document that lacks more is torn. */
const MOST_LOSSES = 3;

/**
 * Adds a withdrawal to `series.reports` for each figure that a document lost: the same route stated it before, and its day lies
 * strictly between the first and the last figure of the series in the document. It needs proof as any other change does. More than
 * three of them in one document claim nothing, and are reported. A figure that the route is not known to have stated is noted as
 * missing there.
 */
export function addLosses(known: KnownRates, series: SeriesCase, tally: Tally): void {
  const { reports, extents, base, quote } = series;
  const lost: Report[] = [];
  for (const extent of extents) {
    const { route, provenance, first, last } = extent;
    const { stated, unstated } = missingIn(known, series, extent);
    if (stated.length > MOST_LOSSES) {
      extent.isComplete = false;
      const missing = stated.length;
      tally.torn.push({ base, quote, route, document: provenance.document, missing, first, last });
      continue;
    }
    for (const date of stated)
      lost.push({ route, key: { date, base, quote, publishedAt: null }, figure: null, provenance });
    if (unstated.length > MOST_LOSSES) extent.isComplete = false;
    else for (const date of unstated) noteMissing(series, date, route, provenance);
  }
  if (lost.length === 0) return;
  reports.push(...lost);
  reports.sort((a, b) => a.key.date - b.key.date);
}

function noteMissing({ memory }: SeriesCase, day: Day, route: string, { retrievedAt }: Provenance): void {
  memory.note(day, route, { ...NOTHING_STATED, since: retrievedAt });
}

/** A series that a route stated so recently belongs in its next document. */
const RECENT_DAYS = 14;

/**
 * Notes that a document has figures of its newest day but not of this series, which its route stated shortly before and which another
 * route has. It withdraws nothing: the document may only begin to lag.
 */
export function noteAbsence(known: KnownRates, series: SeriesCase, newest: NewestFigures): void {
  const { memory, rows, reports } = series;
  for (const [provenance, { route, day, count }] of newest) {
    const last = memory.lastOf(route);
    if (count < 2 || last === null || last >= day || day - last > RECENT_DAYS) continue;
    const row = rows[firstAfter(known.observations.date, rows, day - 1)];
    if (row === undefined || known.observations.date[row] !== day) continue;
    const isReported = reports.some((report) => report.provenance === provenance && report.key.date === day);
    if (!isReported) noteMissing(series, day, route, provenance);
  }
}

/** By document: its route, the newest day that it has, and how many figures it has of that day. */
export type NewestFigures = ReadonlyMap<
  Provenance,
  { readonly route: string; readonly day: Day; readonly count: number }
>;

/** Days that the document lacks: those that its route stated before, and those that it is not known to have stated. */
function missingIn(
  { observations }: KnownRates,
  { memory, reports, rows }: SeriesCase,
  { route, provenance, first, last }: SeriesExtent,
): { readonly stated: readonly Day[]; readonly unstated: readonly Day[] } {
  const stated: Day[] = [];
  const unstated: Day[] = [];
  const isReported = inOrder(reports, provenance);
  // What the route stated and no current value answers to: figures that are held back.
  const noted = memory.daysStated(route, first, last).sort((a, b) => a - b);
  const currentDays = new Set<Day>();
  const [from, to] = [
    firstAfter(observations.date, rows, first),
    firstAfter(observations.date, rows, last - 1),
  ];
  for (let index = from; index < to; index++) {
    const row = rows[index] as Row;
    const day = observations.date[row] as Day;
    if (noted.length > 0) currentDays.add(day);
    if (isReported(day)) continue;
    const current = { units: observations.units[row] as number, scale: observations.scale[row] as number };
    const before = memory.before(route, day, statedOf(current));
    if (before === undefined) unstated.push(day);
    else if (before.value !== null) stated.push(day);
  }
  const isReportedOn = inOrder(reports, provenance);
  for (const day of noted) if (!currentDays.has(day) && !isReportedOn(day)) stated.push(day);
  return { stated, unstated };
}

/** Whether the document reports on a day; to be called by ascending day. */
function inOrder(reports: readonly Report[], provenance: Report["provenance"]): (day: Day) => boolean {
  let at = 0;
  return (day) => {
    while (at < reports.length && (reports[at] as Report).key.date < day) at++;
    for (let near = at; reports[near]?.key.date === day; near++) {
      if (reports[near]?.provenance === provenance) return true;
    }
    return false;
  };
}

/** Position of the first row after a day. */
function firstAfter(date: Int32Array, rows: readonly Row[], day: Day): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((date[rows[middle] as Row] as Day) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}
