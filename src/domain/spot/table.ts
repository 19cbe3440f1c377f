/** The newest value of every currency against the dollar: a live quote where one may be served, else the daily figure standing. */

import {
  CURRENCY_CODES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  USD,
} from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import type { AwaitedSource } from "#domain/intake/awaited.ts";
import type { Book } from "#domain/live/book.ts";
import type { Instant } from "#domain/time/day.ts";
import { type MarketSession, marketSession } from "#domain/time/session.ts";
import { type DailySpot, dailySpot, NO_DAILY, type SpotStep } from "./daily.ts";
import { liveFigure } from "./figure.ts";
import { ageOf, type LivePolicy } from "./live-policy.ts";

/** Immutable; answers made from one table belong together, and hold as long as it does. */
export interface SpotTable {
  readonly now: Instant;
  /** From this instant on another table is needed, whatever else happens. */
  readonly holdsUntil: Instant;
  readonly session: MarketSession;
  readonly simulated: boolean;
  /** True when daily figures are left out because they may be in damaged files. */
  readonly isDamaged: boolean;
  /** Daily sources of which nothing was ever collected. */
  readonly awaited: readonly AwaitedSource[];
  /**
   * By currency: the steps of its rate per dollar, its own figure first; empty for the dollar; null where nothing is
   * known. One value a currency, so that reciprocals and triangles close whatever is live and whatever is not.
   */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** What the chains of currencies without a live quote are taken from, and pairs of these where the sources have holes. */
  readonly daily: DailySpot;
  /** Currencies whose live quote is too old to serve while no daily figure is newer. */
  readonly expired: ReadonlySet<CurrencyCode>;
}

export interface SpotQuestion {
  /** null before the first ingest, and where the newest figures may be damaged. */
  readonly dataset: Dataset | null;
  readonly isDamaged?: boolean;
  readonly book: Book;
  readonly policy: LivePolicy;
  readonly now: Instant;
  /** The demo: rates are made up, and everything says so. */
  readonly simulated: boolean;
}

const MINUTE = 60_000;

/** Linear in currencies; some tens of microseconds. */
export function spotTable(question: SpotQuestion): SpotTable {
  const { dataset, book, policy, now, simulated, isDamaged = false } = question;
  // Sessions, days and publication times all turn on whole minutes.
  let holdsUntil = (Math.floor(now / MINUTE) + 1) * MINUTE;
  const daily = dataset === null ? NO_DAILY : dailySpot(dataset, now);
  const expired = new Set<CurrencyCode>();
  const chains = CURRENCY_CODES.map((code, currency): readonly SpotStep[] | null => {
    const standing = daily.chains[currency] ?? null;
    if (currency === USD) return standing;
    const quote = policy.currencies.has(code) ? book.quotes.get(code) : undefined;
    if (quote === undefined) return standing;
    const { verdict, turnsAt } = ageOf(quote.observedAt, now, policy.staleAfterSeconds(quote.feed));
    holdsUntil = Math.min(holdsUntil, turnsAt);
    if (verdict !== "expired") {
      return [{ figure: liveFigure(quote, verdict === "stale"), multiplies: quote.base === "USD" }];
    }
    const isNewer = (standing?.[0]?.figure.observedAt ?? Number.NEGATIVE_INFINITY) > quote.observedAt;
    if (!isNewer) expired.add(code);
    return isNewer ? standing : null;
  });
  return {
    now,
    holdsUntil,
    session: marketSession(now),
    simulated,
    isDamaged,
    awaited: dataset?.awaited ?? [],
    chains,
    daily,
    expired,
  };
}

/** True when the currency's latest rate is made of daily figures, or would be if there were any. */
export function isDaily({ chains, daily, expired }: SpotTable, currency: CurrencyIndex): boolean {
  return chains[currency] === daily.chains[currency] && !expired.has(currencyCode(currency));
}
