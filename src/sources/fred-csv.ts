/** fredgraph.csv, the keyless download: a date column and one column per series asked for. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/point-in-time/reading.ts";
import { isUsFederalDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { columnsOf, readCsv } from "./csv.ts";
import { fredFigure, fredSeries, isMissing } from "./fred-series.ts";
import { conclude, readDay, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";

const WHAT = "FRED CSV";
/** `DATE` until late 2024, `observation_date` since. */
const DATE_COLUMNS = ["observation_date", "DATE"];

/**
 * Reads the series that the document's own address asks for; further columns are passed over. A missing one is
 * noted; where none of them is there the document is broken. Rows ascend by date. Every row counts as covered, also one without figures.
 */
export function parseFredCsv(document: UpstreamDocument, window: Window): Reading {
  const ids = (new URL(document.url).searchParams.get("id") ?? "").split(",");
  const table = readCsv(decodeText(document.bytes, WHAT), WHAT);
  if (!DATE_COLUMNS.includes(table.header[0] ?? "")) {
    throw new BrokenDocument(`${WHAT}: unknown header ${quoted(table.header.join(","))}`);
  }
  // A series that has ended must not take the others with it: what is named is read, what is missing is said.
  const named = ids.filter((id) => table.header.includes(id));
  const asked = named.length === 0 ? ids : named;
  const series = asked.map(fredSeries);
  const positions = columnsOf(table, asked, WHAT);
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
  const reading = conclude(window, isUsFederalDay, figures, [], newest);
  if (reading.outcome !== "figures" || asked.length === ids.length) return reading;
  return { ...reading, note: missingNote(ids.filter((id) => !asked.includes(id))) };
}

function missingNote(missing: readonly string[]): string {
  const shown = missing.slice(0, 5).join(", ");
  return `the document has no column for ${shown}${missing.length > 5 ? ` and ${missing.length - 5} more` : ""}`;
}
