/** Daily sources of which nothing was ever collected, and the answers that need them. */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { History } from "#domain/history/history.ts";
import type { Day } from "#domain/time/day.ts";

export interface AwaitedSource {
  readonly source: DailySource;
  /** Currencies of which it has figures, its pivot included. */
  readonly currencies: ReadonlySet<CurrencyIndex>;
  /** True while its first collection may still be under way: then nothing that needs it is answered. */
  readonly isPending: boolean;
}

/** What gives a currency its value now; null where nothing does. */
type Given = Source | null;

export interface AwaitingQuestion {
  readonly base: CurrencyIndex;
  /** null, or all other currencies: those that have no value may be left out once nothing is pending. */
  readonly symbols: readonly CurrencyIndex[] | null;
  /** By currency; never asked about the dollar, which needs no figure of its own. */
  readonly given: (currency: CurrencyIndex) => Given;
}

/** Seconds after which a client should ask again while a first collection is under way. */
const PENDING_RETRY_SECONDS = 5;

/**
 * Failure `data_unavailable` when the answer needs a source of which nothing was ever collected: a named currency without
 * a value that the source would give, and while the source is pending also any other one, and one whose value comes
 * from a source of lower rank until then.
 */
export function refuseAwaited(
  awaited: readonly AwaitedSource[] | undefined,
  { base, symbols, given }: AwaitingQuestion,
): void {
  if (awaited === undefined || awaited.length === 0) return;
  const isAll = symbols === null || new Set([base, ...symbols]).size === CURRENCY_COUNT;
  const wanted = symbols === null ? Array.from({ length: CURRENCY_COUNT }, (_, index) => index) : symbols;
  for (const currency of new Set([base, ...wanted])) {
    if (currency === USD) continue;
    const value = given(currency);
    for (const { source, currencies, isPending } of awaited) {
      if (!currencies.has(currency)) continue;
      const isLacking = value === null && (isPending || !isAll || currency === base);
      if (isLacking || (isPending && ranksBelow(value, source)))
        throw awaitedFailure(source, currency, isPending);
    }
  }
}

function ranksBelow(value: Given, source: DailySource): boolean {
  return DAILY_SOURCES.indexOf(value as DailySource) > DAILY_SOURCES.indexOf(source);
}

function awaitedFailure(source: DailySource, currency: CurrencyIndex, isPending: boolean): Failure {
  const code = currencyCode(currency);
  return isPending
    ? new Failure("data_unavailable", {
        reason: `${source} is being collected for the first time, and ${code} needs it; ask again in a few seconds`,
        retryAfterSeconds: PENDING_RETRY_SECONDS,
      })
    : new Failure("data_unavailable", {
        reason: `${source} was never collected here, and ${code} needs it; see /status`,
      });
}

/** What gives a currency its daily value on every one of the days: the one of lowest rank, null where a day has none. */
export function givenOn(history: History, days: readonly Day[]): AwaitingQuestion["given"] {
  return (currency) => {
    let lowest = 0;
    for (const day of days) {
      const row = standingOf(history, day, currency);
      if (row < 0) return null;
      lowest = Math.max(lowest, history.observations.source[row] as number);
    }
    return DAILY_SOURCES[lowest] as DailySource;
  };
}

/** The euro has no figure of its own where the ECB's dollar stands: that figure is its value. */
function standingOf(history: History, day: Day, currency: CurrencyIndex): number {
  if (currency === EUR) {
    const dollar = history.standing(day, USD);
    if (dollar >= 0) return dollar;
  }
  return history.standing(day, currency);
}

/** The same without the sources that an answer of one source alone does not need. */
export function awaitedOf(
  awaited: readonly AwaitedSource[] | undefined,
  only: DailySource | null,
): readonly AwaitedSource[] {
  return (awaited ?? []).filter(({ source }) => only === null || source === only);
}
