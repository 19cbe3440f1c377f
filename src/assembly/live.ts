/** The live side of the product, joined: feeds, archive and hot book, and the policy by which quotes are served. */

import { CURRENCY_CODES, type CurrencyCode, USD } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { MILLISECONDS_PER_DAY } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import { CHOICE_POLICY } from "#domain/live/feed-choice.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { MOST_AHEAD_SECONDS } from "#domain/live/quote-rules.ts";
import type { LivePolicy } from "#domain/spot/live-policy.ts";
import { spotRate } from "#domain/spot/rates.ts";
import { spotTable } from "#domain/spot/table.ts";
import { type LiveCollector, startLive } from "#ingest/live/collect.ts";
import type { Clock, Feed, HotBook, QuoteArchive } from "#ports.ts";
import { LONGEST_DELAY_MINUTES } from "#rates/spot.ts";
import type { LiveSettings } from "#settings/live.ts";
import { openUpstream } from "#sources/fetch.ts";
import { feedAsker } from "#sources/live/ask.ts";
import { liveFeed } from "#sources/live/catalogue.ts";
import { memoryHotBook } from "#store/memory/hot-book.ts";
import type { Tell } from "#telemetry.ts";
import { later } from "./timers.ts";

export interface LiveSurroundings {
  readonly settings: LiveSettings;
  readonly redisUrl: string | null;
  readonly upstream: Omit<Parameters<typeof openUpstream>[0], "attempts">;
  readonly archive: QuoteArchive;
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly tell: Tell;
}

/** A rate is stale from this age on, unless its feed is polled so seldom that three polls take longer. */
const STALE_SECONDS = 300;
const STALE_POLLS = 3;
/** The market is never shut for so long that an older quote could still be served. */
const WARM_DAYS = 7;

/** Opens the hot book and fills it with what the archive has as newest. Nothing is asked yet. */
export async function openLive(surroundings: LiveSurroundings) {
  const { settings, archive, dataset, clock, tell } = surroundings;
  const feeds = settings.feeds.map((id) => {
    const feed = liveFeed(id, settings.access);
    if (feed === null) throw new Error(`the feed ${id} has no key`);
    return feed;
  });
  const hotBook = await openHotBook(surroundings);
  await warm(surroundings, hotBook);
  let collector: LiveCollector | null = null;
  return {
    hotBook,
    policy: policyOf(feeds, settings),
    feeds: {
      order: settings.feeds,
      currencies: settings.currencies,
      kind: surroundings.redisUrl === null ? ("memory" as const) : ("redis" as const),
      states: () => collector?.states() ?? null,
    },
    /** How the feeds do and which of them speaks; nothing where this process does not ask them. */
    feedsNow: () => ({
      states: collector?.states() ?? [],
      choice: collector?.choice() ?? { policy: CHOICE_POLICY, currencies: [] },
    }),
    /** Starts polling the feeds; the returned function stops it. */
    collect: (): (() => void) => {
      if (feeds.length === 0) return () => {};
      const ask = feedAsker(openUpstream({ ...surroundings.upstream, attempts: 1 }), clock);
      const publish = hotBook.publish;
      const references = referencesOf(dataset, clock);
      const { currencies, pollSeconds } = settings;
      const known = hotBook.read().quotes;
      const started = startLive(
        { clock, tell, ask, archive, publish, references, later, random: Math.random },
        { feeds, currencies, pollSeconds, known },
      );
      collector = started;
      return started.stop;
    },
    /** Quotes of the longest delay and what stood before, so that delayed rates are there at once. */
    recent: async () => {
      if (feeds.length === 0) return [];
      const now = clock.now();
      const since = now - LONGEST_DELAY_MINUTES * 60_000;
      return [
        ...(await orNothing(tell, archive.newest(now - WARM_DAYS * MILLISECONDS_PER_DAY, since))),
        ...(await orNothing(tell, archive.quotes(since, ahead(clock)))),
      ];
    },
    close: () => hotBook.close(),
  };
}

export type Live = Awaited<ReturnType<typeof openLive>>;

/** The library is loaded only where it is used: it costs memory and a part of the start. */
async function openHotBook({ redisUrl, clock, tell }: LiveSurroundings): Promise<HotBook> {
  if (redisUrl === null) return memoryHotBook({ clock, tell });
  const { openRedisHotBook } = await import("#store/redis/hot-book.ts");
  return await openRedisHotBook({ url: redisUrl, clock, tell, later });
}

/** A book that was lost is made good from the archive: a restart, or a Redis that was emptied. */
async function warm({ settings, archive, clock, tell }: LiveSurroundings, hotBook: HotBook): Promise<void> {
  if (settings.feeds.length === 0) return;
  const since = clock.now() - WARM_DAYS * MILLISECONDS_PER_DAY;
  const newest = await orNothing(tell, archive.newest(since, ahead(clock)));
  if (newest.length > 0) await hotBook.publish(newest);
}

/**
 * A damaged file stops no start: the feeds bring quotes within a poll. What the other files have is not taken for the
 * newest in its place.
 */
async function orNothing(tell: Tell, reading: Promise<readonly LiveQuote[]>): Promise<readonly LiveQuote[]> {
  try {
    return await reading;
  } catch (fault) {
    if (!(fault instanceof Failure) || fault.code !== "data_unavailable") throw fault;
    const reason = fault.cause instanceof Error ? fault.cause.message : fault.message;
    tell({ kind: "lake_damaged", detail: `live rates begin without the quotes kept of them: ${reason}` });
    return [];
  }
}

/** Feeds' clocks may be a little ahead of ours. */
function ahead(clock: Clock): number {
  return clock.now() + MOST_AHEAD_SECONDS * 1000 + 1;
}

function policyOf(
  feeds: readonly Feed[],
  { currencies, pollSeconds, staleSeconds }: LiveSettings,
): LivePolicy {
  const seconds = new Map(
    feeds.map((feed) => {
      const pace = Math.max(pollSeconds, Math.ceil(feed.leastPollSeconds(currencies)));
      // A plan that takes several polls for everything brings each currency once a round.
      const round = pace * Math.max(1, feed.polls(currencies).length);
      return [feed.id, staleSeconds ?? Math.max(STALE_SECONDS, STALE_POLLS * round)];
    }),
  );
  return {
    // What an earlier configuration left in a shared book is not served once live quotes are off.
    currencies: new Set(feeds.length === 0 ? [] : currencies),
    staleAfterSeconds: (feed) => seconds.get(feed) ?? staleSeconds ?? STALE_SECONDS,
  };
}

/** Units per dollar by the newest daily figures, looked up once a dataset: what live quotes are held against. */
function referencesOf(dataset: () => Dataset | null, clock: Clock) {
  let last: { readonly of: Dataset | null; readonly found: ReadonlyMap<CurrencyCode, number> } | null = null;
  return () => {
    const current = dataset();
    if (last?.of !== current || last === null) {
      const policy: LivePolicy = { currencies: new Set(), staleAfterSeconds: () => STALE_SECONDS };
      const now = clock.now();
      const table = spotTable({ dataset: current, book: EMPTY_BOOK, policy, now, simulated: false });
      const found = new Map<CurrencyCode, number>();
      for (const [currency, code] of CURRENCY_CODES.entries()) {
        const rate = spotRate(table, USD, currency);
        if (rate !== null) found.set(code, Number(rate.text));
      }
      last = { of: current, found };
    }
    return last.found;
  };
}
