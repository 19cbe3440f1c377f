/** Readiness of the live quotes: how old they are, which feed speaks for how many currencies, and how each feed does. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { HotBookState } from "#domain/live/book.ts";
import type { FeedState } from "#domain/live/feed-state.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { isUnconfirmed } from "#domain/live/quote-evidence.ts";
import type { References } from "#domain/live/reference.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { MarketSession } from "#domain/time/session.ts";
import type { Clock, HotBook } from "#ports.ts";
import type { Spot } from "./spot.ts";

export interface LiveStatusDeps {
  readonly clock: Clock;
  readonly spot: Spot;
  readonly hotBook: Pick<HotBook, "read" | "state">;
  readonly feeds: {
    /** In order of preference; empty when live quotes are off. */
    readonly order: readonly FeedId[];
    readonly currencies: readonly CurrencyCode[];
    /** Where the newest quotes are kept. */
    readonly kind: "memory" | "redis";
    /** How the feeds do; null on a server that leaves asking them to another. */
    readonly states: () => readonly FeedState[] | null;
    /** What quotes are judged by, and those that are refused now; none on a server that leaves asking to another. */
    readonly references: () => References;
    readonly refused: () => readonly RefusedQuote[];
  };
}

/**
 * The `live_data` member of /status. `stale`: a rate that should be live is not, or is older than its window. Of the words
 * that apply the first of stale, refused and unconfirmed counts; without any quote it is refused, missing or waiting.
 */
export function liveStatus({ clock, spot, hotBook, feeds }: LiveStatusDeps) {
  const quotes = feeds.currencies.flatMap((code) => hotBook.read().quotes.get(code) ?? []);
  const table = spot(0);
  const figures = feeds.currencies.map(
    (code) => [code, table.chains[currencyIndex(code)]?.[0]?.figure] as const,
  );
  const served = figures.filter(([, figure]) => figure?.source === "live");
  const stale = figures.filter(
    ([code, figure]) =>
      table.expired.has(code) ||
      (figure !== undefined && figure.source === "live" && figure.stale) ||
      // It was live once, and a daily figure stands in for it.
      (figure?.source !== "live" && hotBook.read().quotes.has(code)),
  );
  const newest = quotes.reduce<Instant | null>(
    (latest, { observedAt }) => Math.max(latest ?? 0, observedAt),
    null,
  );
  const references = feeds.references();
  const unconfirmed = served.flatMap(([code]) => {
    const quote = hotBook.read().quotes.get(code);
    return quote !== undefined && isUnconfirmed(quote, references.get(code) ?? null) ? [code] : [];
  });
  const refused = feeds.refused();
  const speaksFor = (feed: FeedId) => quotes.filter((quote) => quote.feed === feed).length;
  const speaker = [...feeds.order].sort((a, b) => speaksFor(b) - speaksFor(a))[0];
  return {
    status: verdict({
      feeds: feeds.order.length,
      quotes: quotes.length,
      stale: stale.length,
      refused: refused.filter(({ isUnanswered }) => isUnanswered).length,
      unconfirmed: unconfirmed.length,
      session: table.session,
    }),
    age_seconds: newest === null ? null : Math.max(0, Math.floor((clock.now() - newest) / 1000)),
    source: quotes.length === 0 ? null : (speaker ?? null),
    market_session: table.session,
    live_currencies: served.length,
    configured_currencies: feeds.order.length === 0 ? 0 : feeds.currencies.length,
    stale: stale.map(([code]) => code),
    unconfirmed,
    refused: refused.map((quote) => ({
      feed: quote.feed,
      currency: quote.currency,
      pair: quote.pair,
      price: quote.price,
      per_dollar: sixDigits(quote.perDollar),
      reference: quote.reference === null ? null : sixDigits(quote.reference.perDollar),
      reference_at: instantOrNull(quote.reference?.observedAt),
      rule: quote.rule,
      reason: quote.reason,
      observed_at: formatInstant(quote.observedAt),
      since: formatInstant(quote.since),
    })),
    feeds: feeds.order.map((feed, place) => ({
      feed,
      role: place === 0 ? "primary" : "fallback",
      speaks_for: speaksFor(feed),
      ...stateOf(feeds.states()?.find((state) => state.feed === feed)),
    })),
  };
}

interface Counted {
  readonly feeds: number;
  readonly quotes: number;
  readonly stale: number;
  readonly refused: number;
  readonly unconfirmed: number;
  readonly session: MarketSession;
}

function verdict({ feeds, quotes, stale, refused, unconfirmed, session }: Counted) {
  if (feeds === 0) return "off";
  // A server that is set up on a weekend has nothing to be late with.
  if (quotes === 0 && refused === 0) return session === "open" ? "missing" : "waiting";
  if (quotes === 0) return "refused";
  return stale > 0 ? "stale" : refused > 0 ? "refused" : unconfirmed > 0 ? "unconfirmed" : "ok";
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}

/** Null throughout where this server does not ask the feed. */
function stateOf(state: FeedState | undefined) {
  return {
    outcome: state?.outcome ?? null,
    last_attempt_at: instantOrNull(state?.lastAttemptAt),
    last_success_at: instantOrNull(state?.lastSuccessAt),
    paused_until: instantOrNull(state?.pausedUntil),
    detail: state?.detail ?? null,
  };
}

/** The `cache` member of /status. */
export function cacheStatus(kind: "memory" | "redis", { status, detail, lastSeenAt }: HotBookState) {
  return { status, kind, detail, last_seen_at: instantOrNull(lastSeenAt) };
}

function instantOrNull(instant: Instant | null | undefined): string | null {
  return instant === null || instant === undefined ? null : formatInstant(instant);
}
