/** Gauges of the live side: the hot book, the feeds, the stream. Filled at a scrape from what the readers answer. */

import type { Registry } from "prom-client";
import type { CurrencyChoice, FeedChoice } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { gauge, total } from "#metrics/instruments.ts";
import type { HotBookReading, MetricsReaders } from "#metrics/readers.ts";
import { group, type ReaderGroup } from "#metrics/scrape.ts";

export function liveGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  return [hotBookGauges(registry), feedGauges(registry), streamGauges(registry)];
}

function hotBookGauges(registry: Registry) {
  const ok = gauge(
    registry,
    "crossrate_hot_book_ok",
    "1 while the hot book is shared as configured, 0 while it is degraded.",
    ["kind"],
  );
  const age = gauge(
    registry,
    "crossrate_hot_book_age_seconds",
    "Time since the hot book last changed, in seconds.",
  );
  const quotes = gauge(registry, "crossrate_hot_book_quotes", "Currencies in the hot book, by feed.", [
    "feed",
  ]);
  const stale = gauge(
    registry,
    "crossrate_hot_book_stale_quotes",
    "Currencies whose live quote is outside its freshness window.",
  );
  const newest = gauge(
    registry,
    "crossrate_newest_quote_age_seconds",
    "Age of the newest live quote by its own time, in seconds.",
  );
  const each = gauge(
    registry,
    "crossrate_quote_age_seconds",
    "Age of each currency's live quote by its own time, in seconds.",
    ["currency"],
  );
  const unconfirmed = gauge(
    registry,
    "crossrate_unconfirmed_quotes",
    "1 for each currency that is served on one feed's word although it is far from its reference.",
    ["currency"],
  );
  return group(
    "hotBook",
    [ok, age, quotes, stale, newest, each, unconfirmed],
    ({ book, state, kind, staleQuotes, unconfirmed: currencies }: HotBookReading, now) => {
      for (const currency of currencies) unconfirmed.set({ currency }, 1);
      ok.set({ kind }, state.status === "ok" ? 1 : 0);
      stale.set({}, staleQuotes);
      // Version 0 is the empty book; every other version is the instant of its change, or a little above it.
      if (book.version > 0) age.set({}, secondsSince(book.version, now));
      const perFeed = new Map<string, number>();
      let latest: Instant | null = null;
      for (const [currency, { feed, observedAt }] of book.quotes) {
        perFeed.set(feed, (perFeed.get(feed) ?? 0) + 1);
        latest = Math.max(latest ?? observedAt, observedAt);
        each.set({ currency }, secondsSince(observedAt, now));
      }
      for (const [feed, count] of perFeed) quotes.set({ feed }, count);
      newest.set({}, secondsSince(latest, now));
    },
  );
}

function feedGauges(registry: Registry) {
  const age = gauge(
    registry,
    "crossrate_feed_last_success_age_seconds",
    "Time since a poll of the feed last succeeded, in seconds; absent until one has.",
    ["feed"],
  );
  const paused = gauge(
    registry,
    "crossrate_feed_paused",
    "1 while the feed is not polled, because it asked for a pause or its quota is used up.",
    ["feed"],
  );
  const active = gauge(
    registry,
    "crossrate_feed_speaks_for",
    "Currencies for which the feed is active, as primary or in the place of a better placed one.",
    ["feed", "place"],
  );
  const refused = ["feed", "currency", "rule"] as const;
  const price = gauge(
    registry,
    "crossrate_refused_quote_per_dollar",
    "Price that is refused now and why, in units of the currency per dollar.",
    refused,
  );
  const reference = gauge(
    registry,
    "crossrate_refused_quote_reference",
    "Daily reference that the refused price was held against, in units of the currency per dollar.",
    refused,
  );
  const gauges = [age, paused, active, price, reference];
  return group("feeds", gauges, ({ states, choice, refused: quotes }, now) => {
    for (const quote of quotes) {
      const { feed, currency, rule } = quote;
      price.set({ feed, currency, rule }, quote.perDollar);
      reference.set({ feed, currency, rule }, quote.reference?.perDollar ?? null);
    }
    for (const { feed, lastSuccessAt, pausedUntil } of states) {
      age.set({ feed }, secondsSince(lastSuccessAt, now));
      paused.set({ feed }, pausedUntil !== null && pausedUntil > now ? 1 : 0);
    }
    for (const [feed, { primary, fallback }] of activeFeeds(choice)) {
      active.set({ feed, place: "primary" }, primary);
      active.set({ feed, place: "fallback" }, fallback);
    }
  });
}

function streamGauges(registry: Registry) {
  const subscribers = gauge(
    registry,
    "crossrate_stream_subscribers",
    "Readers of the stream of live quotes that are connected now.",
  );
  const events = total(registry, "crossrate_stream_events_total", "Events that readers were sent.");
  const coalesced = total(
    registry,
    "crossrate_stream_coalesced_events_total",
    "Events that readers were not sent because they did not read; they get their content in one later.",
  );
  const joins = total(
    registry,
    "crossrate_stream_joins_total",
    "Readers that connected, by whether they began with everything or went on from where they had been.",
    ["start"],
  );
  const dropped = total(
    registry,
    "crossrate_stream_dropped_total",
    "Readers that were let go because they did not read for too long.",
  );
  const refused = total(
    registry,
    "crossrate_stream_refused_total",
    "Readers that were refused for want of a place, by the bound that was reached.",
    ["reason"],
  );
  return group("stream", [subscribers, events, coalesced, joins, dropped, refused], (reading) => {
    subscribers.set({}, reading.subscribers);
    events.set({}, reading.events);
    coalesced.set({}, reading.coalesced);
    joins.set({ start: "snapshot" }, reading.begun);
    joins.set({ start: "resumed" }, reading.resumed);
    dropped.set({}, reading.dropped);
    for (const [reason, count] of Object.entries(reading.refused)) refused.set({ reason }, count);
  });
}

/** Never below zero: a feed's clock may be a little ahead of ours. */
function secondsSince(instant: Instant | null, now: Instant): number | null {
  return instant === null ? null : Math.max(now - instant, 0) / 1000;
}

export interface ActiveCurrencies {
  readonly primary: number;
  readonly fallback: number;
}

/**
 * Every feed of the choice, with the currencies for which it is active. A feed is a fall-back for a currency when one placed
 * before it could be expected to be active: it has been believed on that currency before, or on no currency at all (so it
 * has been down from the start). A currency that the primary feed does not quote is not a fall-back's.
 */
export function activeFeeds({ currencies }: FeedChoice): ReadonlyMap<FeedId, ActiveCurrencies> {
  const delivering = new Set<FeedId>();
  const spoken = new Map<FeedId, ActiveCurrencies>();
  for (const { feeds } of currencies) {
    for (const { feed, newest } of feeds) {
      spoken.set(feed, { primary: 0, fallback: 0 });
      if (newest !== null) delivering.add(feed);
    }
  }
  for (const choice of currencies) {
    const count = choice.activeFeed === null ? undefined : spoken.get(choice.activeFeed);
    if (choice.activeFeed === null || count === undefined) continue;
    const place = isInPlaceOfAnother(choice, delivering) ? "fallback" : "primary";
    spoken.set(choice.activeFeed, { ...count, [place]: count[place] + 1 });
  }
  return spoken;
}

function isInPlaceOfAnother({ activeFeed, feeds }: CurrencyChoice, delivering: ReadonlySet<FeedId>): boolean {
  const before = feeds.slice(
    0,
    feeds.findIndex(({ feed }) => feed === activeFeed),
  );
  return before.some(({ feed, newest }) => newest !== null || !delivering.has(feed));
}
