/** What frames every Open-Exchange-Rates-compatible body: disclaimer and license in our own words, time as Unix seconds. */

import { noticeText } from "#domain/history/provenance.ts";

export function frame(simulated: boolean): { readonly disclaimer: string; readonly license: string } {
  return {
    disclaimer: noticeText(simulated),
    license:
      "Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.",
  };
}

/** An ISO 8601 instant in Unix seconds, as `timestamp` has it: of the oldest observation that contributes, so that no rate is older than it says. */
export function unixSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
