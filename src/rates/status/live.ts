/** The readiness of live quotes: their age, the number of currencies of each active feed, and the state of each feed. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { FeedState } from "#domain/live/feed-outcome.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { isUnconfirmed } from "#domain/live/quote-evidence.ts";
import type { References } from "#domain/live/reference.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import type { LiveStatus } from "#domain/rates/status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { MarketSession } from "#domain/time/session.ts";
import type { Clock, HotBook } from "#ports.ts";
import type { Spot } from "#rates/spot.ts";

export interface LiveStatusDeps {
  readonly clock: Clock;
  readonly spot: Spot;
  readonly hotBook: Pick<HotBook, "read" | "state">;
  readonly feeds: {
    /** In order of preference; empty when live quotes are off. */
    readonly order: readonly FeedId[];
    readonly currencies: readonly CurrencyCode[];
    /** Where the newest quotes are stored. */
    readonly kind: "memory" | "redis";
    /** How the feeds do; null on a server that leaves asking them to another. */
    readonly states: () => readonly FeedState[] | null;
    /** What quotes are judged by, and those that are refused now; none on a server that leaves asking to another. */
    readonly references: () => References;
    readonly refused: () => readonly RefusedQuote[];
  };
}

/** How the live quotes are: see LiveStatus. */
export function liveStatus({ clock, spot, hotBook, feeds }: LiveStatusDeps): LiveStatus {
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
      // It was live once, and a daily figure replaces it.
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
  const currenciesOf = (feed: FeedId) => quotes.filter((quote) => quote.feed === feed).length;
  const activeFeed = [...feeds.order].sort((a, b) => currenciesOf(b) - currenciesOf(a))[0];
  return {
    status: verdict({
      feeds: feeds.order.length,
      quotes: quotes.length,
      stale: stale.length,
      refused: refused.filter(({ isUnanswered }) => isUnanswered).length,
      unconfirmed: unconfirmed.length,
      session: table.session,
    }),
    ageSeconds: newest === null ? null : Math.max(0, Math.floor((clock.now() - newest) / 1000)),
    source: quotes.length === 0 ? null : (activeFeed ?? null),
    session: table.session,
    liveCurrencies: served.length,
    configuredCurrencies: feeds.order.length === 0 ? 0 : feeds.currencies.length,
    stale: stale.map(([code]) => code),
    unconfirmed,
    refused,
    feeds: feeds.order.map((feed, place) => ({
      feed,
      role: place === 0 ? "primary" : "fallback",
      currencies: currenciesOf(feed),
      state: feeds.states()?.find((state) => state.feed === feed) ?? null,
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

function verdict({ feeds, quotes, stale, refused, unconfirmed, session }: Counted): LiveStatus["status"] {
  if (feeds === 0) return "off";
  // A server that is set up on a weekend has nothing to be late with.
  if (quotes === 0 && refused === 0) return session === "open" ? "missing" : "waiting";
  if (quotes === 0) return "refused";
  return stale > 0 ? "stale" : refused > 0 ? "refused" : unconfirmed > 0 ? "unconfirmed" : "ok";
}
