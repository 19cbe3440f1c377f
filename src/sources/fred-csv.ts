/** fredgraph.csv, the keyless download: a date column and one column per series asked for. */

import { isUsFederalDay } from "#domain/calendar.ts";
import { COVERAGE_START, type Day } from "#domain/day.ts";
import { BrokenDocument } from "#domain/faults.ts";
import type { Figure } from "#domain/observation.ts";
import type { Reading, UpstreamDocument, Window } from "#ports.ts";
import { columnsOf, readCsv } from "./csv.ts";
import { fredFigure, fredSeries, isMissing } from "./fred-series.ts";
import { conclude, readDay, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";

const WHAT = "FRED CSV";
/** `DATE` until late 2024, `observation_date` since. */
const DATE_COLUMNS = ["observation_date", "DATE"];

/**
 * Reads the series that the document's own address asks for; further columns are passed over, a missing one breaks
 * the document. Rows ascend by date. Every row counts as covered, also one without figures.
 */
export function parseFredCsv(document: UpstreamDocument, window: Window): Reading {
  const ids = (new URL(document.url).searchParams.get("id") ?? "").split(",");
  const table = readCsv(decodeText(document.bytes, WHAT), WHAT);
  if (!DATE_COLUMNS.includes(table.header[0] ?? "")) {
    throw new BrokenDocument(`${WHAT}: unknown header ${quoted(table.header.join(","))}`);
  }
  const series = ids.map(fredSeries);
  const positions = columnsOf(table, ids, WHAT);
  const figures: Figure[] = [];
  let newest: Day | null = null;
  for (const cells of table.rows) {
    const date = readDay(cells[0] as string, window, WHAT);
    if (newest !== null && date <= newest) {
      throw new BrokenDocument(`${WHAT}: ${cells[0]} is there twice or out of order`);
    }
    newest = date;
    if (date < COVERAGE_START) continue;
    series.forEach((one, column) => {
      const value = cells[positions[column] as number] as string;
      if (!isMissing(value)) figures.push(fredFigure(one, date, readDigits(value, WHAT, date, one.id)));
    });
  }
  return conclude(window, isUsFederalDay, figures, [], newest);
}
