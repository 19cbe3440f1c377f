/** Billing periods: the same day of a later month, or its last day, counted from the anchor as Stripe does. */

import type { Price } from "./objects.ts";

/** The end, in Unix seconds, of the period that contains or begins at `start`. */
export function periodEnd(anchor: number, start: number, price: Price): number {
  const months = price.recurring.interval_count * (price.recurring.interval === "year" ? 12 : 1);
  for (let count = 1; ; count++) {
    const end = monthsLater(anchor, count * months);
    if (end > start) return end;
  }
}

function monthsLater(second: number, months: number): number {
  const from = new Date(second * 1000);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to.getTime() / 1000;
}
