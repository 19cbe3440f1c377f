/** FRED's API, series/observations as JSON: one series an answer, values as text. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/point-in-time/reading.ts";
import { isUsFederalDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { fredFigure, fredSeries, isMissing } from "./fred-series.ts";
import { conclude, readDay, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";

const WHAT = "FRED JSON";

/** Reads one series, named by the document's own address: the answer does not repeat it. Throws BrokenDocument on another shape or a part of a series. */
export function parseFredJson(document: UpstreamDocument, window: Window): Reading {
  const series = fredSeries(new URL(document.url).searchParams.get("series_id") ?? "");
  const figures: Figure[] = [];
  let newest: Day | null = null;
  for (const observation of observationsOf(decodeText(document.bytes, WHAT))) {
    const { date: day, value } = (observation ?? {}) as { date?: unknown; value?: unknown };
    if (typeof day !== "string" || typeof value !== "string") {
      throw new BrokenDocument(`${WHAT}: an observation without date or value as text`);
    }
    const date = readDay(day, window, WHAT);
    if (newest !== null && date <= newest) {
      throw new BrokenDocument(`${WHAT}: ${day} is there twice or out of order`);
    }
    newest = date;
    if (date < COVERAGE_START || isMissing(value)) continue;
    figures.push(fredFigure(series, date, readDigits(value, WHAT, date, series.id)));
  }
  return conclude(window, isUsFederalDay, figures, [], newest);
}

function observationsOf(text: string): readonly unknown[] {
  let answer: Readonly<Record<string, unknown>> | null;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new BrokenDocument(`${WHAT}: not JSON, or cut off: ${quoted(text)}`, error);
  }
  if (typeof answer?.["error_message"] === "string") {
    throw new BrokenDocument(`${WHAT}: an error instead of data: ${quoted(answer["error_message"])}`);
  }
  const observations = answer?.["observations"];
  if (!Array.isArray(observations)) throw new BrokenDocument(`${WHAT}: no observations in it`);
  if (answer?.["units"] !== "lin") throw new BrokenDocument(`${WHAT}: units are not "lin", the plain values`);
  if (answer["count"] !== observations.length) {
    throw new BrokenDocument(`${WHAT}: ${observations.length} observations of ${answer["count"]}`);
  }
  return observations;
}
