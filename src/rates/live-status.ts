/** Readiness of the live quotes: how old they are, which feed speaks for how many currencies, and how each feed does. */

import { type CurrencyCode, currencyIndex } from "#domain/currency.ts";
import { formatInstant, type Instant } from "#domain/day.ts";
import type { HotBookState } from "#domain/live/book.ts";
import type { FeedState } from "#domain/live/feed-state.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { MarketSession } from "#domain/session.ts";
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
  };
}

/** The `live_data` member of /status. `stale`: a rate that should be live is not, or is older than its window. */
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
  const speaksFor = (feed: FeedId) => quotes.filter((quote) => quote.feed === feed).length;
  const speaker = [...feeds.order].sort((a, b) => speaksFor(b) - speaksFor(a))[0];
  return {
    status: verdict(feeds.order.length, quotes.length, stale.length, table.session),
    age_seconds: newest === null ? null : Math.max(0, Math.floor((clock.now() - newest) / 1000)),
    source: quotes.length === 0 ? null : (speaker ?? null),
    market_session: table.session,
    live_currencies: served.length,
    configured_currencies: feeds.order.length === 0 ? 0 : feeds.currencies.length,
    stale: stale.map(([code]) => code),
    feeds: feeds.order.map((feed, place) => ({
      feed,
      role: place === 0 ? "primary" : "fallback",
      speaks_for: speaksFor(feed),
      ...stateOf(feeds.states()?.find((state) => state.feed === feed)),
    })),
  };
}

function verdict(feeds: number, quotes: number, stale: number, session: MarketSession) {
  if (feeds === 0) return "off";
  // A server that is set up on a weekend has nothing to be late with.
  if (quotes === 0) return session === "open" ? "missing" : "waiting";
  return stale > 0 ? "stale" : "ok";
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
