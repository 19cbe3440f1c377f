/** The judgement of one series (source, base, quote): one pass by ascending day over its reports, held figures and current values. */

import type { Row } from "#domain/history/history.ts";
import type { Day } from "#domain/time/day.ts";
import { currentAt, latenessIn } from "./current.ts";
import { judgeDay, newDayCase } from "./judge-day.ts";
import type { HeldCommand, KnownRates, Report, SeriesCase, Tally } from "./judgement.ts";
import { addLosses } from "./losses.ts";
import type { SeriesPass } from "./plausibility.ts";

/** Judges every day that has a report or a held figure; results go to `tally`, and what routes stated to `series.memory`. */
export function judgeSeries(
  known: KnownRates,
  series: SeriesCase,
  today: Day,
  command: HeldCommand | null,
  tally: Tally,
): void {
  const { rows, reports, held, memory } = series;
  // Where no value is current and no route stated anything before, nothing can be lost.
  if (rows.length > 0 || !memory.isEmpty()) addLosses(known, series, tally);
  const pass: SeriesPass = {
    series,
    today,
    tally,
    isLate: latenessIn(known, series),
    before: null,
    reportAt: 0,
  };
  const here = newDayCase();
  const dateOf = (row: Row | undefined) =>
    row === undefined ? Infinity : (known.observations.date[row] as Day);
  const currentOf = (row: Row | undefined) => (row === undefined ? null : currentAt(known, row));
  let [rowAt, heldAt] = [0, 0];

  while (pass.reportAt < reports.length || heldAt < held.length) {
    const day = Math.min(reports[pass.reportAt]?.key.date ?? Infinity, held[heldAt]?.date ?? Infinity);
    for (; dateOf(rows[rowAt]) < day; rowAt++) pass.before = currentOf(rows[rowAt]);
    here.day = day;
    here.initial = dateOf(rows[rowAt]) === day ? currentOf(rows[rowAt++]) : null;
    here.reports.length = 0;
    while (reports[pass.reportAt]?.key.date === day) here.reports.push(reports[pass.reportAt++] as Report);
    here.heldBefore = null;
    for (; held[heldAt]?.date === day; heldAt++) here.heldBefore ??= held[heldAt] ?? null;
    here.after = currentOf(rows[rowAt]);
    pass.before = judgeDay(pass, here, command) ?? pass.before;
  }
}
