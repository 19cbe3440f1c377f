/** Small worlds whose crosses are hard to round, and means of printed rates. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { meanOfDigits } from "#domain/history/periods.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { day, ecb, fred, type PlainObservation } from "./columns.ts";

/** The mean that the JSON pages have of printed rates. */
export function meanText(texts: readonly string[]): string {
  return meanOfDigits(
    texts.map((text) => ({ bytes: Buffer.from(text, "latin1"), from: 0, to: text.length })),
  );
}

/** Over the end of a year with 53 weeks. */
export const FIRST = day("2020-11-20");
export const LAST = FIRST + 79;

const ECB_CURRENCIES: readonly CurrencyCode[] = ["GBP", "JPY", "HUF", "ISK", "IDR", "MXN"];
const ONLY_H10: readonly CurrencyCode[] = ["TWD", "BRL", "MXN"];

/** Denominators and numerators that meet in exact halves of the tenth digit, and others that never end. */
const HARD_DOLLARS = ["1.024", "2.048", "4.096", "0.512", "3", "0.7", "1.1699", "9.000001"];

/**
 * Eighty days of figures with gaps longer than the fill, days without the ECB's dollar, currencies of one source and
 * of both, quotes either way round, and scales from 0 to 6.
 */
export function hardWorld(random: () => number): PlainObservation[] {
  const rows: PlainObservation[] = [];
  const gaps = new Map<string, Day>();
  const misses = (key: string, date: Day) => {
    if (random() < 0.03) gaps.set(key, date + 10 + Math.floor(random() * 15));
    return date < (gaps.get(key) ?? 0) || random() < 0.25;
  };
  for (let date = FIRST; date < LAST - 10; date++) {
    const text = formatDay(date);
    if (!misses("ecb USD", date)) {
      rows.push(ecb(text, "USD", HARD_DOLLARS[Math.floor(random() * HARD_DOLLARS.length)] as string));
    }
    for (const code of ECB_CURRENCIES) {
      if (!misses(`ecb ${code}`, date)) rows.push(ecb(text, code, hardFigure(random, code)));
    }
    for (const code of ONLY_H10) {
      if (!misses(`h10 ${code}`, date)) rows.push(fred(text, code, hardFigure(random, code), 4));
    }
    if (!misses("h10 AUD", date)) {
      rows.push({ ...fred(text, "USD", hardFigure(random, "AUD")), base: "AUD" });
    }
  }
  return rows;
}

function hardFigure(random: () => number, code: CurrencyCode): string {
  if (code === "IDR") return (15_000 + random() * 5000).toFixed(Math.floor(random() * 3));
  // Odd thousandths over powers of two: eleven digits that end in 5.
  if (random() < 0.4) return ((1025 + 2 * Math.floor(random() * 4000)) / 1000).toFixed(3);
  const whole = 1 + Math.floor(random() * 400);
  return (whole + random()).toFixed(Math.floor(random() * 7));
}
