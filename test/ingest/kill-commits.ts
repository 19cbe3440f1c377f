/** What the writer of the kill test commits, as a function of the commit's number: so that the test knows what must be there. */

import type { DocumentReading } from "#domain/acceptance/judgement.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import { ecbObservedAt, isTargetDay } from "#domain/time/calendar.ts";
import { type Day, dayOf } from "#domain/time/day.ts";

const FIRST = dayOf(2023, 1, 1) as Day;
export const TODAY = dayOf(2025, 12, 31) as Day;
export const QUOTES: readonly CurrencyCode[] = ["USD", "JPY", "NOK"];
const DAYS = Array.from({ length: TODAY - FIRST + 1 }, (_, nth) => FIRST + nth).filter(isTargetDay);
/** Rows of the history: each figure once. */
export const HISTORY_ROWS = DAYS.length * QUOTES.length;
/** Days that a correction touches: two in each year, the same ones again and again. */
const CORRECTED = DAYS.filter((_, nth) => nth % 127 === 60);

/** Commit 0 is the history; every later one corrects the same few days in every year. No value ever comes back. */
export function daysOf(commit: number): readonly Day[] {
  return commit === 0 ? DAYS : CORRECTED;
}

export function printedIn(commit: number): string {
  return (1.1 + commit / 10_000).toFixed(4);
}

/** The commit's document; routes of two kinds that state the same confirm its corrections. */
export function documentOf(commit: number, route = "files"): DocumentReading {
  const printed = printedIn(commit);
  const figures = daysOf(commit).flatMap((date) =>
    QUOTES.map((quote): Figure => {
      const observedAt = ecbObservedAt(date);
      return { date, base: "EUR", quote, printed, decimals: 4, observedAt, publishedAt: null };
    }),
  );
  const provenance = {
    source: "ecb_daily",
    document: `https://example.org/${commit}`,
    documentSha256: commit.toString(16).padStart(64, "0"),
    retrievedAt: (TODAY + 1) * 86_400_000 + commit * 60_000,
  } as const;
  return { provenance, route, figures, withdrawals: [] };
}
