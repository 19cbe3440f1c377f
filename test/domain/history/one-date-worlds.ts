/** Histories with random holes for the tests of the rule of one date: the real one where it is there, else a generated one of both sources. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, formatDay, weekdayOf } from "#domain/time/day.ts";
import { realFigures } from "#test/domain/spot/real.ts";
import { day, ecb, fred, type PlainObservation } from "./columns.ts";
import { subjectOf } from "./one-date-oracle.ts";

export type Random = () => number;

/** Figures of 1999 … 2026, or of two generated years. */
export async function wholeHistory(): Promise<readonly PlainObservation[]> {
  const real = await realFigures();
  return real.length > 0 ? real : madeUp(day("2024-01-01"), day("2025-12-31"));
}

/** Every currency on every weekday, H.10 for five of them; digits from the day and the place in the catalog. */
export function madeUp(first: Day, last: Day): PlainObservation[] {
  const figures: PlainObservation[] = [];
  for (let date = first; date <= last; date++) {
    if (weekdayOf(date) === 0 || weekdayOf(date) === 6) continue;
    const text = formatDay(date);
    for (const [place, code] of CURRENCY_CODES.entries()) {
      const printed = (1 + place + ((date * (place + 7)) % 997) / 10_000).toFixed(4);
      if (code === "EUR" || (code === "BRL" && date < first + 200)) {
        // The ECB has none of these.
      } else if (code !== "TWD") figures.push(ecb(text, code, printed));
      if (code === "TWD" || code === "BRL" || code === "MXN") figures.push(fred(text, code, printed));
      if (code === "EUR") {
        figures.push({ ...fred(text, "USD", (1.1 + (date % 89) / 1000).toFixed(4)), base: "EUR" });
      }
    }
  }
  return figures;
}

/**
 * Takes figures away: single ones of every currency, the dollar of the ECB more often, and runs of days, some of them
 * longer than the fill.
 */
export function withHoles(random: Random, figures: readonly PlainObservation[]): PlainObservation[] {
  const gaps = new Map<string, Day>();
  const chance = (code: CurrencyCode) => (code === "USD" || code === "TWD" ? 0.04 : 0.008);
  return [...figures]
    .sort((a, b) => a.date - b.date)
    .filter((figure) => {
      const code = subjectOf(figure);
      const key = `${figure.source} ${code}`;
      if (random() < chance(code)) {
        const isLong = random() < 0.1;
        gaps.set(key, figure.date + (isLong ? 12 + Math.floor(random() * 16) : Math.floor(random() * 4)));
      }
      return figure.date > (gaps.get(key) ?? 0);
    });
}
