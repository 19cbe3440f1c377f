/** The newest value of every currency against the dollar: a live quote where one may be served, else the daily figure standing. */

import { isPerPivot } from "#domain/cross.ts";
import { CURRENCY_CODES, type CurrencyCode, type CurrencyIndex, EUR, USD } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { dayAt, type Instant } from "#domain/day.ts";
import type { Row } from "#domain/history.ts";
import type { Book } from "#domain/live/book.ts";
import { type MarketSession, marketSession } from "#domain/session.ts";
import { dailyFigure, liveFigure, type SpotFigure } from "./figure.ts";
import { ageOf, type LivePolicy } from "./live-policy.ts";

/** A figure on the way from the dollar to a currency. */
export interface SpotStep {
  readonly figure: SpotFigure;
  /** True when it says how many units of the currency's side one unit of the dollar's side is. */
  readonly multiplies: boolean;
}

/** Immutable; answers made from one table belong together, and hold as long as it does. */
export interface SpotTable {
  readonly now: Instant;
  /** From this instant on another table is needed, whatever else happens. */
  readonly holdsUntil: Instant;
  readonly session: MarketSession;
  readonly simulated: boolean;
  /** True when daily figures are left out because they may be in damaged files. */
  readonly isDamaged: boolean;
  /**
   * By currency: the steps to the dollar, its own first; empty for the dollar; null where nothing is known. One value
   * a currency, so that reciprocals and triangles close whatever is live and whatever is not.
   */
  readonly chains: readonly (readonly SpotStep[] | null)[];
  /** The dollar's own observation: the ECB's figure for it, where that stands. */
  readonly dollar: SpotFigure | null;
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
  const daily = dataset === null ? NO_DAILY : dailySteps(dataset, now);
  const expired = new Set<CurrencyCode>();
  const chains = CURRENCY_CODES.map((code, currency): readonly SpotStep[] | null => {
    if (currency === USD) return [];
    const standing = daily.chain(currency);
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
    chains,
    dollar: daily.dollar,
    expired,
  };
}

interface DailySteps {
  readonly chain: (currency: CurrencyIndex) => readonly SpotStep[] | null;
  readonly dollar: SpotFigure | null;
}

const NO_DAILY: DailySteps = { chain: () => null, dollar: null };

/**
 * Daily figures hang on EUR (ECB) or USD (H.10), and the ECB's euro on the dollar by the ECB's own figure of that day:
 * never by a live one, whose time is another.
 */
function dailySteps(dataset: Dataset, now: Instant): DailySteps {
  const { history } = dataset;
  const day = dayAt(now);
  const step = (row: Row): SpotStep => ({
    figure: dailyFigure({ dataset, now }, row),
    multiplies: isPerPivot(history, row),
  });
  const dollarRow = history.standing(day, USD);
  const euroRow = history.standing(day, EUR);
  const dollar = dollarRow < 0 ? null : step(dollarRow);
  const euro: readonly SpotStep[] | null =
    dollar !== null
      ? [{ figure: dollar.figure, multiplies: !dollar.multiplies }]
      : euroRow < 0
        ? null
        : [step(euroRow)];
  return {
    dollar: dollar?.figure ?? null,
    chain: (currency) => {
      if (currency === EUR) return euro;
      const row = history.standing(day, currency);
      if (row < 0) return null;
      const own = step(row);
      if (own.figure.source === "fred_daily") return [own];
      return euro === null ? null : [own, ...euro];
    },
  };
}
