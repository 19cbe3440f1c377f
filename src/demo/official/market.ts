/** The simulated price of one currency in another at an authority's hour, including currencies tied to another. */

import type { World } from "#demo/world.ts";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, weekdayOf } from "#domain/time/day.ts";

/** The first day on which there is a market before its noon, too. */
export const OFFICIAL_START: Day = COVERAGE_START + 1;

/** Currencies outside the catalog: so many units for one of the currency that they are tied to. */
const TIED: Record<string, readonly [CurrencyCode, number]> = {
  AED: ["USD", 3.6725],
  AWG: ["USD", 1.79],
  BAM: ["EUR", 1.95583],
  BBD: ["USD", 2],
  BHD: ["USD", 0.376],
  BND: ["SGD", 1],
  BSD: ["USD", 1],
  BZD: ["USD", 2],
  COP: ["USD", 3700],
  CVE: ["EUR", 110.265],
  DJF: ["USD", 177.721],
  JOD: ["USD", 0.709],
  MKD: ["EUR", 61.5],
  MOP: ["HKD", 1.03],
  NAD: ["ZAR", 1],
  OMR: ["USD", 0.3845],
  PAB: ["USD", 1],
  QAR: ["USD", 3.64],
  RSD: ["EUR", 117.2],
  RUB: ["USD", 82],
  SAR: ["USD", 3.75],
  STN: ["EUR", 24.5],
  SZL: ["ZAR", 1],
  UAH: ["USD", 41.5],
  XAF: ["EUR", 655.957],
  XCD: ["USD", 2.7],
  XOF: ["EUR", 655.957],
  /** Grams of gold, as Bucharest counts them. */
  XAU: ["USD", 0.0075],
};

/** What is in a special drawing right, units of each currency. */
const DRAWING_RIGHT = { USD: 0.57813, EUR: 0.37379, CNY: 1.0993, JPY: 13.452, GBP: 0.08087 } as const;

/**
 * Units of `quote` for one `base`, so many sixteenths of a day after (or before) 14:15 Frankfurt: sixteenths, because the
 * market's figure then takes a few steps to find. At a weekend the Friday before counts.
 */
export function crossAt(world: World, base: string, quote: string, day: Day, sixteenths: number): number {
  const before = sixteenths < 0;
  const on = weekdayUpTo(before ? weekdayUpTo(day) - 1 : day);
  const elapsed = (before ? sixteenths + 16 : sixteenths) / 16;
  const perEuro = (code: CurrencyCode) => world.perEuro(code, on, elapsed);
  return unitsPerEuro(quote, perEuro) / unitsPerEuro(base, perEuro);
}

function weekdayUpTo(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday === 0 ? day - 2 : weekday === 6 ? day - 1 : day;
}

/** Throws TypeError on a code that the world does not have: a mistake in a table of the simulator. */
function unitsPerEuro(code: string, perEuro: (code: CurrencyCode) => number): number {
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
