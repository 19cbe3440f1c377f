/** Latest rates on any base: the newest value of every currency, live if possible. The landing page adds 30 days of history. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import { damagedFailure } from "#domain/history/damage.ts";
import { spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { nextTurn } from "#domain/time/calendar.ts";
import { type Day, dayAt } from "#domain/time/day.ts";
import { everyOther, missingOf, type RatesDeps, refusePendingLatest, withoutRate } from "./query.ts";

export interface LatestQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly dp: number | null;
  /** Absent: the server's delay. */
  readonly delayMinutes?: number | undefined;
}

/** The newest rates on a base. Failure `data_unavailable` or `live_unavailable` when no wanted currency has a value. */
export function latest(deps: Pick<RatesDeps, "spot">, query: LatestQuery): LatestRates {
  return latestOf(deps.spot(query.delayMinutes), query);
}

export function latestOf(table: SpotTable, { base, symbols, dp }: LatestQuery) {
  // Otherwise damaged currencies would be missing unnoticed.
  if (symbols === null && table.isDamaged) throw damagedFailure();
  refusePendingLatest(table, { base, symbols });
  const requested = symbols ?? everyOther(base);
  const rates = requested.flatMap((to) => spotRate(table, base, to) ?? []);
  if (rates.length === 0) throw withoutRate(table, [base, ...requested]);
  const { session } = table;
  const origin = spotOrigin(table, base, rates);
  const missing = missingOf(
    requested,
    rates.map(({ to }) => to),
  );
  return { base, rates, missing, origin, dp, session, simulated: origin.simulated };
}

/** At least one rate; `dp` null: all digits. */
export type LatestRates = ReturnType<typeof latestOf>;

const DAYS = 30;

export type Board = ReturnType<typeof board>;

/** Daily reference rates of one currency on its publication days, oldest first. */
type Month = readonly { readonly day: Day; readonly rate: number }[];

/** Data of the landing page. Fails as `latest`. */
export function board(
  deps: RatesDeps,
  { base, delayMinutes }: { readonly base: CurrencyIndex; readonly delayMinutes: number },
) {
  const now = deps.clock.now();
  const rates = latest(deps, { base, symbols: null, dp: null, delayMinutes });
  const history = deps.dataset()?.history ?? null;
  const today = dayAt(now);
  const months = new Map<CurrencyIndex, Month>();
  for (const { to } of rates.rates) {
    const month: { day: Day; rate: number }[] = [];
    for (let day = today - DAYS; history !== null && day <= today; day++) {
      const cross = crossRate(history, day, base, to);
      if (cross !== null && isUnfilled(history, day, cross)) month.push({ day, rate: Number(cross.text) });
    }
    months.set(to, month);
  }
  return { latest: rates, now, nextTurn: nextTurn(now), months };
}
