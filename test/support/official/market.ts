/** Prices of currencies outside the catalogue, each tied to one in it. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";

/** Currencies outside the catalog: so many units for one of the currency that they are tied to. */
const TIED: Record<string, readonly [CurrencyCode, number]> = {
  AED: ["USD", 3.6725],
  /** Grams of gold, as Bucharest counts them. */
  XAU: ["USD", 0.0075],
};

/** What is in a special drawing right, units of each currency. */
const DRAWING_RIGHT = { USD: 0.57813, EUR: 0.37379, CNY: 1.0993, JPY: 13.452, GBP: 0.08087 } as const;

/** Throws TypeError on a code that the world does not have: a mistake in a table of the simulator. */
export function unitsPerEuro(code: string, perEuro: (code: CurrencyCode) => number): number {
  if (CATALOG.has(code)) return perEuro(code as CurrencyCode);
  if (code === "XDR") {
    const parts = Object.entries(DRAWING_RIGHT) as [CurrencyCode, number][];
    return 1 / parts.reduce((euros, [part, units]) => euros + units / perEuro(part), 0);
  }
  const [anchor, units] = TIED[code] ?? [];
  if (anchor === undefined || units === undefined) throw new TypeError(`no ${code} in the simulated world`);
  return perEuro(anchor) * units;
}

const CATALOG: ReadonlySet<string> = new Set(CURRENCY_CODES);
