/** The European Union's customs rates. No document has them: they are computed from the ECB's daily rates by the legal rules. */

import { penultimateInMonth, periodEnd, periodStart } from "#domain/history/periods.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { ECB_FILES } from "#sources/ecb/ecb.ts";
import { conclude, publicationOf } from "#sources/official/reading.ts";
import { type EuroDay, readEcbDays } from "./ecb-days.ts";

/** The first month whose rates were published the month before. */
const BEGAN = dayOf(1999, 2, 1) as Day;
const WEDNESDAY = 3;
/** Without a rate that Wednesday "the most recent" applies; the ECB has never paused for more than five days. */
const LONGEST_PAUSE_DAYS = 7;

export const EUE_CUSTOMS: OfficialAdapter = {
  id: "eue_customs",
  // ISO 3166-1 has no code for the Union; EUE is what it reserves for the Union's travel documents.
  country: "EUE",
  types: ["customs"],
  title: "EU customs exchange rates, computed from the ECB's reference rates",
  authority: "European Union, Article 146 of Implementing Regulation (EU) 2015/2447",
  homepage: "https://eur-lex.europa.eu/eli/reg_impl/2015/2447/oj",
  terms:
    "Computed by this service by Article 146 of Implementing Regulation (EU) 2015/2447 from the ECB's euro foreign " +
    "exchange reference rates (source: European Central Bank), which it reproduces as published. " +
    "Member States outside the euro area use the rate of their own authority instead.",
  cadence: "monthly",
  zone: "Europe/Berlin",
  currency: "EUR",
  historyYears: 100,
  historyAtStart: true,

  /** The file of 90 days has what this month and the next are made of, the zip everything. */
  routes(window) {
    const wanted = inMonths(window);
    if (wanted.from > wanted.to) return [];
    const route = (name: string, request: UpstreamRequest): OfficialRoute => ({
      name,
      requests: [request],
      parse: (document) => parseCustoms(document, wanted),
    });
    const history = route("history zip", { ...ECB_FILES.history, timeoutSeconds: 60 });
    return window.reach === "latest" ? [route("90-day XML", ECB_FILES.ninetyDays), history] : [history];
  },
};

/** In whole months, from the one in force on the first day to the one after the last: its rates are fixed before it begins. */
function inMonths(window: OfficialWindow): OfficialWindow {
  const from = Math.max(periodStart("1mo", window.from), BEGAN);
  return { ...window, from, to: periodEnd("1mo", window.to) + 1 };
}

/** From a month's first day back to that Wednesday, and to the day that may replace it. */
const DAYS_BEFORE = 31 + LONGEST_PAUSE_DAYS;

/** Every month of a window that the document has the rates of. Throws BrokenDocument. */
function parseCustoms(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const days = readEcbDays(document, { from: window.from - DAYS_BEFORE, to: window.to });
  const readings: OfficialReading[] = [];
  for (let month = window.from; month <= window.to; month = periodEnd("1mo", month) + 1) {
    const reading = euCustomsReading(month, days);
    if (reading !== null) readings.push(reading);
  }
  return conclude(window, readings, "EU customs rates");
}

/**
 * The rates that apply in the calendar month holding `month`: those published on the second-to-last Wednesday of the
 * month before, or the most recent before it (Art. 146 (2)), for the whole month (Art. 146 (3)). Named by it: `2026-06`.
 * `days` are the ECB's current ones, ascending. Null while that Wednesday's rates can still come, which is until that
 * day or a later one is there, and where the days do not reach back to it.
 */
export function euCustomsReading(month: Day, days: readonly EuroDay[]): OfficialReading | null {
  const first = periodStart("1mo", month);
  const wednesday = secondToLastWednesday(first - 1);
  const published = days.findLast(({ date }) => date <= wednesday);
  if ((days.at(-1)?.date ?? wednesday - 1) < wednesday) return null;
  if (published === undefined || published.date < wednesday - LONGEST_PAUSE_DAYS) return null;
  return publicationOf(formatDay(first).slice(0, 7), first, published.rows(), periodEnd("1mo", first));
}

/** The second-to-last Wednesday of the month that holds a day. */
export function secondToLastWednesday(day: Day): Day {
  return penultimateInMonth(WEDNESDAY, day);
}
