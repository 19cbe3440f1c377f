/** What frames every Open-Exchange-Rates-compatible body: disclaimer and license in our own words, time as Unix seconds. */

import { noticeText } from "#domain/provenance.ts";

export function frame(simulated: boolean): { readonly disclaimer: string; readonly license: string } {
  return {
    disclaimer: noticeText(simulated),
    license:
      "Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.",
  };
}

/** The newest of some ISO 8601 instants, in Unix seconds. */
export function newestSeconds(instants: readonly string[]): number {
  return Math.floor(Math.max(...instants.map((instant) => Date.parse(instant))) / 1000);
}
