/** Reads FRED's documents: fredgraph.csv (the keyless download, a column a series) and series/observations (the API, JSON). */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { isUsFederalDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { columnsOf, readCsv } from "#sources/csv.ts";
import { conclude, readDay, readDigits } from "#sources/reading.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { fredFigure, fredSeries, isMissing } from "./series.ts";

const FRED_CSV = "FRED CSV";
/** `DATE` until late 2024, `observation_date` since. */
const DATE_COLUMNS = ["observation_date", "DATE"];

/**
 * Reads the series that the document's own address names; further columns are ignored. A missing one is
 * noted; where none of them is there the document is broken. Rows ascend by date. Every row counts as covered, also one without figures.
 */
export function parseFredCsv(document: UpstreamDocument, window: Window): Reading {
  const ids = (new URL(document.url).searchParams.get("id") ?? "").split(",");
  const table = readCsv(decodeText(document.bytes, FRED_CSV), FRED_CSV);
  if (!DATE_COLUMNS.includes(table.header[0] ?? "")) {
    throw new BrokenDocument(`${FRED_CSV}: unknown header ${quoted(table.header.join(","))}`);
  }
  // A series that has ended must not take the others with it: what is named is read, what is missing is reported.
  const named = ids.filter((id) => table.header.includes(id));
  const requested = named.length === 0 ? ids : named;
  const series = requested.map(fredSeries);
  const positions = columnsOf(table, requested, FRED_CSV);
  const figures: Figure[] = [];
  let newest: Day | null = null;
  for (const cells of table.rows) {
    const date = readDay(cells[0] as string, window, FRED_CSV);
    if (newest !== null && date <= newest) {
      throw new BrokenDocument(`${FRED_CSV}: ${cells[0]} is there twice or out of order`);
    }
    newest = date;
    if (date < COVERAGE_START) continue;
    series.forEach((one, column) => {
      const value = cells[positions[column] as number] as string;
      if (!isMissing(value)) figures.push(fredFigure(one, date, readDigits(value, FRED_CSV, date, one.id)));
    });
  }
  const reading = conclude(window, isUsFederalDay, figures, [], newest);
  if (reading.outcome !== "figures" || requested.length === ids.length) return reading;
  return { ...reading, note: missingNote(ids.filter((id) => !requested.includes(id))) };
}

function missingNote(missing: readonly string[]): string {
  const listed = missing.slice(0, 5).join(", ");
  return `the document has no column for ${listed}${missing.length > 5 ? ` and ${missing.length - 5} more` : ""}`;
}

const FRED_JSON = "FRED JSON";

/** Reads one series, named by the document's own address: the answer does not repeat it. Throws BrokenDocument on another shape or a part of a series. */
export function parseFredJson(document: UpstreamDocument, window: Window): Reading {
  const series = fredSeries(new URL(document.url).searchParams.get("series_id") ?? "");
  const figures: Figure[] = [];
  let newest: Day | null = null;
  for (const observation of observationsOf(decodeText(document.bytes, FRED_JSON))) {
    const { date: day, value } = (observation ?? {}) as { date?: unknown; value?: unknown };
    if (typeof day !== "string" || typeof value !== "string") {
      throw new BrokenDocument(`${FRED_JSON}: an observation without date or value as text`);
    }
    const date = readDay(day, window, FRED_JSON);
    if (newest !== null && date <= newest) {
      throw new BrokenDocument(`${FRED_JSON}: ${day} is there twice or out of order`);
    }
    newest = date;
    if (date < COVERAGE_START || isMissing(value)) continue;
    figures.push(fredFigure(series, date, readDigits(value, FRED_JSON, date, series.id)));
  }
  return conclude(window, isUsFederalDay, figures, [], newest);
}

function observationsOf(text: string): readonly unknown[] {
  let answer: Readonly<Record<string, unknown>> | null;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new BrokenDocument(`${FRED_JSON}: not JSON, or cut off: ${quoted(text)}`, error);
  }
  if (typeof answer?.["error_message"] === "string") {
    throw new BrokenDocument(`${FRED_JSON}: an error instead of data: ${quoted(answer["error_message"])}`);
  }
  const observations = answer?.["observations"];
  if (!Array.isArray(observations)) throw new BrokenDocument(`${FRED_JSON}: no observations in it`);
  if (answer?.["units"] !== "lin")
    throw new BrokenDocument(`${FRED_JSON}: units are not "lin", the plain values`);
  if (answer["count"] !== observations.length) {
    throw new BrokenDocument(`${FRED_JSON}: ${observations.length} observations of ${answer["count"]}`);
  }
  return observations;
}
