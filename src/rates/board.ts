/** All rates of one base with their last 30 days: what the site's first page shows. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import type { LatestRates } from "#domain/rates/rates.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import { type MarketSession, nextTurn } from "#domain/time/session.ts";
import { latest } from "./latest.ts";
import type { RatesDeps } from "./query.ts";

const DAYS = 30;

export interface Board {
  readonly latest: LatestRates;
  readonly now: Instant;
  readonly nextTurn: { readonly at: Instant; readonly session: MarketSession };
  readonly months: ReadonlyMap<CurrencyIndex, Month>;
}

/** Daily reference rates of one currency, of days on which they were published; oldest first. */
export type Month = readonly { readonly day: Day; readonly rate: number }[];

/** Failures as of `latest`. */
export function board(
  deps: RatesDeps,
  { base, delayMinutes }: { readonly base: CurrencyIndex; readonly delayMinutes: number },
): Board {
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
