/** One spelling per value, so that 366.9 and 366.90 are seen to be the same figure. Used by acceptance only. */

import { readPrinted } from "./plausibility.ts";

/** units / 10^scale as text without trailing zeros: equal for equal values, e.g. "3669e-1". */
export function canonicalOf(units: number, scale: number): string {
  let [shortUnits, shortScale] = [units, scale];
  while (shortScale > 0 && shortUnits % 10 === 0) {
    shortUnits /= 10;
    shortScale -= 1;
  }
  return `${shortUnits}e-${shortScale}`;
}

/** The same for printed digits; what is not a usable number stands for itself. */
export function canonicalPrinted(printed: string): string {
  const read = readPrinted(printed);
  return "rule" in read ? printed : canonicalOf(read.units, read.scale);
}
