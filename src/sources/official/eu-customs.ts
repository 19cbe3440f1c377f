/** The European Union's customs rates: no document has them, so they are computed from the ECB's daily figures as the law says. */

import { type Day, formatDay, weekdayOf } from "#domain/day.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { periodEnd, periodStart } from "#domain/periods.ts";

export const EUE_CUSTOMS: OfficialTable = {
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
};

/** 1 EUR = `printed` `quote` on a date; the domain's Figure is one of these. */
export interface EuroFigure {
  readonly date: Day;
  readonly base: string;
  readonly quote: string;
  readonly printed: string;
}

const WEDNESDAY = 3;
/** Without a rate that Wednesday "the most recent" applies; the ECB has never paused for more than five days. */
const LONGEST_PAUSE_DAYS = 7;

/**
 * The rates that apply in the calendar month holding `month`: those published on the second-to-last Wednesday of the
 * month before, or the most recent before it (Art. 146 (2)), for the whole month (Art. 146 (3)). Named by it: `2026-06`.
 * `figures` are the ECB's as they now stand, in any order; others than of the euro are passed over. Null while that
 * Wednesday's rates can still come, which is until a figure of that day or a later one is there, and where the figures
 * do not reach back to it. Throws BrokenDocument where a currency has two figures on the day.
 */
export function euCustomsReading(month: Day, figures: readonly EuroFigure[]): OfficialReading | null {
  const first = periodStart("1mo", month);
  const wednesday = secondToLastWednesday(first - 1);
  let published: Day | null = null;
  let passed = false;
  for (const { date, base } of figures) {
    if (base !== "EUR") continue;
    passed ||= date >= wednesday;
    if (date <= wednesday && (published === null || date > published)) published = date;
  }
  if (!passed || published === null || published < wednesday - LONGEST_PAUSE_DAYS) return null;
  const rows = figures
    .filter(({ date, base }) => date === published && base === "EUR")
    .map(({ quote, printed }) => ({ base: "EUR", quote, rate: printed, unit: 1, kind: "mid" as const }));
  return {
    publication: publicationId(formatDay(first).slice(0, 7)),
    validFrom: first,
    validTo: periodEnd("1mo", first),
    publishedAt: null,
    rows: orderedRows(rows),
  };
}

/** The second-to-last Wednesday of the month that holds a day. */
export function secondToLastWednesday(day: Day): Day {
  const last = periodEnd("1mo", day);
  return last - ((weekdayOf(last) - WEDNESDAY + 7) % 7) - 7;
}
