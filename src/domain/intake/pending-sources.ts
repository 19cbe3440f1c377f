/** Daily sources that were never collected, and the answers that need them. */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { History } from "#domain/history/history.ts";
import { type Day, formatDay } from "#domain/time/day.ts";

export interface PendingSource {
  readonly source: DailySource;
  /** Currencies of which it has figures, its pivot included. */
  readonly currencies: ReadonlySet<CurrencyIndex>;
  /** True while its first collection may still be running: then nothing that needs it is answered. */
  readonly isCollecting: boolean;
  /** Currencies of the sources that were collected, and the newest day of them; null where no source was. */
  readonly collected: { readonly currencies: ReadonlySet<CurrencyIndex>; readonly newest: Day } | null;
}

/** The source of a currency's value now; null where nothing does. */
type Given = Source | null;

interface PendingQuery {
  readonly base: CurrencyIndex;
  /** null, or all other currencies: those that have no value may be left out once nothing is pending. */
  readonly symbols: readonly CurrencyIndex[] | null;
  /** By currency; never called for the dollar, which needs no figure. */
  readonly given: (currency: CurrencyIndex) => Given;
}

/** Seconds after which a client should retry while a first collection is under way. */
const PENDING_RETRY_SECONDS = 5;

/**
 * Failure `data_unavailable` when the answer needs a source of which nothing was ever collected: a named currency without
 * a value that the source would give, and while the source is pending also any other one, and one whose value comes
 * from a source of lower rank until then.
 */
export function refusePending(
  pending: readonly PendingSource[] | undefined,
  { base, symbols, given }: PendingQuery,
): void {
  if (pending === undefined || pending.length === 0) return;
  const isAll = symbols === null || new Set([base, ...symbols]).size === CURRENCY_COUNT;
  const wanted = symbols === null ? Array.from({ length: CURRENCY_COUNT }, (_, index) => index) : symbols;
  for (const currency of new Set([base, ...wanted])) {
    if (currency === USD) continue;
    const value = given(currency);
    for (const one of pending) {
      const { source, currencies, isCollecting } = one;
      if (!currencies.has(currency)) continue;
      const isLacking = value === null && (isCollecting || !isAll || currency === base);
      if (isLacking || (isCollecting && ranksBelow(value, source))) throw pendingFailure(one, currency);
    }
  }
}

function ranksBelow(value: Given, source: DailySource): boolean {
  return DAILY_SOURCES.indexOf(value as DailySource) > DAILY_SOURCES.indexOf(source);
}

function pendingFailure(
  { source, isCollecting, collected }: PendingSource,
  currency: CurrencyIndex,
): Failure {
  const code = currencyCode(currency);
  const isOld = collected?.currencies.has(currency) === true;
  const lack = isOld
    ? `the newest figures of ${code} here are of ${formatDay(collected.newest)}`
    : `${code} needs ${source}, which was not collected here yet`;
  return new Failure("data_unavailable", {
    reason: `${lack}; ${isCollecting ? "collecting now, ask again in a few seconds" : "the last collection failed, see /status"}`,
    ...(isCollecting && { retryAfterSeconds: PENDING_RETRY_SECONDS }),
  });
}

/** What gives a currency its daily value on every one of the days: the one of lowest rank, null where a day has none. */
export function givenOn(history: History, days: readonly Day[]): PendingQuery["given"] {
  return (currency) => {
    let lowest = 0;
    for (const day of days) {
      const row = rowInForce(history, day, currency);
      if (row < 0) return null;
      lowest = Math.max(lowest, history.observations.source[row] as number);
    }
    return DAILY_SOURCES[lowest] as DailySource;
  };
}

/** Where the ECB's dollar is in force the euro has no separate figure: that figure is its value. */
function rowInForce(history: History, day: Day, currency: CurrencyIndex): number {
  if (currency === EUR) {
    const dollar = history.inForce(day, USD);
    if (dollar >= 0) return dollar;
  }
  return history.inForce(day, currency);
}

/** The same without the sources that an answer of one source does not need. */
export function pendingOf(
  pending: readonly PendingSource[] | undefined,
  only: DailySource | null,
): readonly PendingSource[] {
  return (pending ?? []).filter(({ source }) => only === null || source === only);
}
