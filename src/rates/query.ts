/** The start of every rates use case: the dataset, the instant, and the shared parts of a query. */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import { damagedFailure, notCollected } from "#domain/history/damage.ts";
import { OLDEST_OPEN_HOURS } from "#domain/live/quote-rules.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import type { Day } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Spot } from "./spot.ts";

export interface DailyDeps {
  /** The newest dataset, or null before the first ingest. */
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
}

export interface RatesDeps extends DailyDeps {
  /** What latest rates are made from: live quotes and, beside them, the daily figures in force. */
  readonly spot: Spot;
}

/** Pins one dataset and one instant for a whole request; Failure `data_unavailable` before the first ingest. */
export function openView(deps: DailyDeps): View {
  const dataset = deps.dataset();
  if (dataset === null || dataset.history.observations.count === 0) throw notCollected();
  return { dataset, now: deps.clock.now() };
}

/** The rates of the wanted currencies (null: every other one) that exist on the day, in the order of the catalog or of the query. */
export function ratesOn(
  view: View,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[] | null,
): readonly (readonly [CurrencyIndex, Cross])[] {
  const rates: (readonly [CurrencyIndex, Cross])[] = [];
  for (const currency of symbols ?? everyOther(base)) {
    const cross = crossRate(view.dataset.history, day, base, currency);
    if (cross !== null) rates.push([currency, cross]);
  }
  return rates;
}

/** Every currency but the base, in the order of the catalog. */
export function everyOther(base: CurrencyIndex): CurrencyIndex[] {
  return Array.from({ length: CURRENCY_COUNT }, (_, index) => index).filter((index) => index !== base);
}

/** Why none of the currencies has a latest rate: `live_unavailable` where a live one has died, else `data_unavailable`. */
export function withoutRate(table: SpotTable, currencies: readonly CurrencyIndex[]): Failure {
  const expired = currencies.map(currencyCode).filter((code) => table.expired.has(code));
  if (table.isDamaged) return damagedFailure();
  if (expired.length === 0) return notCollected();
  return new Failure("live_unavailable", {
    reason: `the live rate of ${expired.join(", ")} is more than ${OLDEST_OPEN_HOURS} hours of open market old, and no daily reference is newer; see /status`,
  });
}
