/** Latest rates: the newest value of every currency, live where there is one, on any base. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { damagedFailure } from "#domain/faults/damage.ts";
import type { LatestRates } from "#domain/rates/rates.ts";
import { spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { refusePendingLatest } from "./pending.ts";
import { everyOther, type RatesDeps, withoutRate } from "./query.ts";

export interface LatestQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly dp: number | null;
  /** Minutes that live rates are held back; absent: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

/** Failure `data_unavailable` or `live_unavailable` when no wanted currency has a value. */
export function latest(deps: Pick<RatesDeps, "spot">, query: LatestQuery): LatestRates {
  return latestOf(deps.spot(query.delayMinutes), query);
}

/** The same from a table. */
export function latestOf(table: SpotTable, { base, symbols, dp }: LatestQuery): LatestRates {
  // Without the damaged part some currencies would be absent, without a sign of it.
  if (symbols === null && table.isDamaged) throw damagedFailure();
  refusePendingLatest(table, { base, symbols });
  const wanted = symbols ?? everyOther(base);
  const rates = wanted.flatMap((to) => spotRate(table, base, to) ?? []);
  if (rates.length === 0) throw withoutRate(table, [base, ...wanted]);
  const { session, simulated } = table;
  return { base, rates, origin: spotOrigin(base, rates), dp, session, simulated };
}
