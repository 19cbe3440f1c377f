/** The start of every rates use case: the dataset, the instant, and the shared parts of a query. */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import { damagedFailure, notCollected } from "#domain/history/damage.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { OLDEST_OPEN_HOURS } from "#domain/live/quote-rules.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
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

/**
 * Why none of the currencies, the base first, has a latest rate: `live_unavailable` where a live one has died, `no_data_for_date` where asking again
 * brings none, else `data_unavailable`.
 */
export function withoutRate(table: SpotTable, currencies: readonly CurrencyIndex[]): Failure {
  const expired = currencies.map(currencyCode).filter((code) => table.expired.has(code));
  if (table.isDamaged) return damagedFailure();
  const lacking = currencies.filter((currency) => table.chains[currency] === null);
  const suspended = lacking.filter((currency) => isSuspended(table, currency));
  // Without its base an answer has nothing, whatever else is lacking.
  const isBase = suspended.includes(currencies[0] as CurrencyIndex);
  if (isBase || (suspended.length > 0 && suspended.length === lacking.length))
    return suspendedFailure(table, suspended);
  if (expired.length === 0) return notCollected(table.daily.newestDay);
  return new Failure("live_unavailable", {
    reason: `the live rate of ${expired.join(", ")} is more than ${OLDEST_OPEN_HOURS} hours of open market old, and no daily reference is newer; see /status`,
  });
}

/** Whether the currency has no latest rate because it is suspended: asking again brings none. */
export function isSuspended({ chains, daily, expired }: SpotTable, currency: CurrencyIndex): boolean {
  return chains[currency] === null && daily.suspended.has(currency) && !expired.has(currencyCode(currency));
}

function suspendedFailure({ daily }: SpotTable, currencies: readonly CurrencyIndex[]): Failure {
  const each = currencies.map(
    (currency) => `${currencyCode(currency)} since ${formatDay(daily.suspended.get(currency) as Day)}`,
  );
  return new Failure("no_data_for_date", {
    reason: `no figure was published of ${each.join(", ")}, and one is in force for ${FILL_DAYS} days; /v1/{date} has the days before`,
  });
}

/** The currencies requested that an answer has no rate of, in the order of the request. */
export function missingOf(
  wanted: readonly CurrencyIndex[],
  rated: Iterable<CurrencyIndex>,
): readonly CurrencyIndex[] {
  const present = new Set(rated);
  return wanted.filter((currency) => !present.has(currency));
}
