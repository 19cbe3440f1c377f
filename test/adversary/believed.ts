/** What the lake serves, as the oracle compares it. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { LakeRecord } from "#ports.ts";

export type Believed = ReadonlyMap<string, number>;

export function believedIn({ observations }: Pick<LakeRecord, "observations">): Believed {
  const { count, source, base, quote, date, units, scale } = observations;
  const found = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const from = DAILY_SOURCES[source[row] as number] as string;
    const pivot = from === "ecb_daily" ? "EUR" : "USD";
    const [left, right] = [CURRENCY_CODES[base[row] as number], CURRENCY_CODES[quote[row] as number]];
    const value = Number(`${units[row]}e-${scale[row]}`);
    found.set(`${from} ${left === pivot ? right : left} ${date[row]}`, value);
  }
  return found;
}
