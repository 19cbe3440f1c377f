/** Shared by all sources: requests, strict dates and digits, and the verdict figures, holiday or empty. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window, Withdrawal } from "#domain/intake/reading.ts";
import { type Day, formatDay, parseDay, weekdayOf } from "#domain/time/day.ts";
import type { UpstreamRequest } from "#ports/upstream.ts";
import { quoted } from "./text.ts";

const MEDIA_TYPES = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  text: "text/plain",
  xml: "application/xml, text/xml",
  zip: "application/zip",
} as const;

/** A GET for at most `kilobytes` within `seconds`. The largest document of official tables, a year of rates, is under a megabyte. */
export function get(
  format: keyof typeof MEDIA_TYPES,
  url: string,
  { kilobytes, seconds } = { kilobytes: 4096, seconds: 60 },
): UpstreamRequest {
  return { url, accept: MEDIA_TYPES[format], maxBytes: kilobytes * 1024, timeoutSeconds: seconds };
}

/** A calendar day as `YYYY-MM-DD`. Throws BrokenDocument on anything else, and on a day after the window, which is in the future. */
export function readDay(text: string, window: Window, what: string): Day {
  const day = parseDay(text);
  if (day === null) throw new BrokenDocument(`${what}: not a date: ${quoted(text)}`);
  if (day > window.to) {
    throw new BrokenDocument(`${what}: ${text} is later than ${formatDay(window.to)}, a date in the future`);
  }
  return day;
}

const DIGITS = /^\d+(?:\.\d+)?$/;
/** A double is exact up to 15 digits; no authority prints half as many. */
const MOST_CHARACTERS = 16;

/**
 * Plain digits with an optional fraction, as printed. Zero passes: acceptance judges values. Throws BrokenDocument on
 * anything else, and on a figure dated on a weekend, when nothing is published.
 */
export function readDigits(text: string, what: string, date: Day, series: string): string {
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6) {
    throw new BrokenDocument(`${what}: ${series} has a figure on ${formatDay(date)}, a weekend`);
  }
  if (text.length <= MOST_CHARACTERS && DIGITS.test(text)) return text;
  throw new BrokenDocument(`${what}: ${series} on ${formatDay(date)} is not a number: ${quoted(text)}`);
}

/**
 * Decimals of a figure: the authority's usual number, or more where more are printed. Trailing zeros do not
 * count, because some routes pad and some strip them: a figure must not differ by its route.
 */
export function decimalsOf(published: number, printed: string): number {
  const point = printed.indexOf(".");
  if (point === -1 || printed.length - point - 1 <= published) return published;
  let end = printed.length;
  while (end - point - 1 > published && printed.charCodeAt(end - 1) === 48) end--;
  return end - point - 1;
}

/**
 * The verdict on an intact document. Without figures it is a holiday when the authority was closed on every day of the
 * window, else empty. `coveredThrough` is the newest day in the document; null when it names no day.
 */
export function conclude(
  window: Window,
  isOpen: (day: Day) => boolean,
  figures: readonly Figure[],
  withdrawals: readonly Withdrawal[],
  coveredThrough: Day | null,
): Reading {
  if (coveredThrough !== null && (figures.length > 0 || withdrawals.length > 0)) {
    return { outcome: "figures", figures, withdrawals, coveredThrough };
  }
  for (let day = window.to; day >= window.from; day--) {
    if (isOpen(day)) {
      return { outcome: "empty", reason: `no figure, although one was due on ${formatDay(day)}` };
    }
  }
  return { outcome: "holiday", coveredThrough: window.to };
}
