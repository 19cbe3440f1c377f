/** The newest daily reference of every currency against the dollar, as live quotes are judged by it. */

import { CURRENCY_CODES, type CurrencyCode, USD } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import type { Reference, References } from "#domain/live/reference.ts";
import type { Instant } from "#domain/time/day.ts";
import type { LivePolicy } from "./live-policy.ts";
import { spotRate } from "./rates.ts";
import { spotTable } from "./table.ts";

/** Nothing is live. */
const DAILY_ONLY: LivePolicy = { currencies: new Set(), staleAfterSeconds: () => 0 };

/**
 * What `latest` would give for one dollar if nothing were live: of each currency the daily figures standing at `now`.
 * A currency without any is not in the map, and none is before the first collection.
 */
export function referencesAt(dataset: Dataset | null, now: Instant): References {
  const table = spotTable({ dataset, book: EMPTY_BOOK, policy: DAILY_ONLY, now, simulated: false });
  const found = new Map<CurrencyCode, Reference>();
  for (const [currency, code] of CURRENCY_CODES.entries()) {
    const rate = spotRate(table, USD, currency);
    if (rate === null || currency === USD) continue;
    const observedAt = Math.min(...rate.figures.map((figure) => figure.observedAt));
    found.set(code, { perDollar: Number(rate.text), observedAt });
  }
  return found;
}
