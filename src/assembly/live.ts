/** Connects the live side of the product: feeds, archive and hot book, and the policy by which quotes are served. */

import type { Config } from "#config.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { CHOICE_POLICY } from "#domain/live/feed-choice.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { refusedQuotes } from "#domain/live/refused.ts";
import type { LivePolicy } from "#domain/spot/table.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type LiveCollector, startLive } from "#ingest/live/collect.ts";
import type { Clock, Feed, HotBook, QuoteArchive } from "#ports.ts";
import { LONGEST_DELAY_MINUTES } from "#rates/spot.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { liveFeed } from "#sources/live/catalogue.ts";
import { feedPoller } from "#sources/live/poll.ts";
import type { Archive } from "#store/archive/archive.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import type { Emit } from "#telemetry.ts";
import { later } from "./process.ts";
import { guardBook, openReferences } from "./references.ts";

export interface LiveOptions {
  readonly settings: Config["live"];
  /** Folder of operators' releases, and of the list of what is refused. */
  readonly dataDir: string;
  readonly redisUrl: string | null;
  readonly upstream: Omit<Parameters<typeof openUpstream>[0], "attempts">;
  readonly archive: QuoteArchive & Pick<Archive, "isOwned">;
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** A rate is stale from this age on, unless its feed is polled so seldom that three polls take longer. */
const STALE_SECONDS = 300;
const STALE_POLLS = 3;
/** The market is never shut for so long that an older quote could still be served. */
const WARM_DAYS = 7;

/** Opens the hot book and fills it with what the archive has as newest. No feed is polled yet. */
export async function openLive(options: LiveOptions) {
  const { settings, archive, clock, emit } = options;
  const feeds = settings.feeds.map((id) => {
    const feed = liveFeed(id, settings.access);
    if (feed === null) throw new Error(`the feed ${id} has no key`);
    return feed;
  });
  const witnesses = openReferences(options);
  const hotBook = guardBook(await openHotBook(options), witnesses);
  await warm(options, hotBook, witnesses.credible);
  let collector: LiveCollector | null = null;
  const choice = () => collector?.choice() ?? { policy: CHOICE_POLICY, currencies: [] };
  const refused = () => refusedQuotes(choice(), witnesses.references());
  // A collector that another process took over from has its choice still, and nothing to write to.
  const collecting = () => (archive.isOwned() ? collector : null);
  const stopWatching =
    feeds.length === 0 ? () => {} : witnesses.watch({ hotBook, refused, collector: collecting });
  return {
    hotBook,
    policy: { ...policyOf(feeds, settings), isCredible: witnesses.credible },
    feeds: {
      order: settings.feeds,
      currencies: settings.currencies,
      kind: options.redisUrl === null ? ("memory" as const) : ("redis" as const),
      states: () => collector?.states() ?? null,
      references: witnesses.references,
      refused,
    },
    operator: witnesses.operator,
    /** Identities of the feeds that are set up. */
    polled: feeds,
    /** Feed health and the active feed per currency; nothing where this process does not poll. */
    feedsNow: () => ({
      states: collector?.states() ?? [],
      choice: choice(),
      refused: refused(),
    }),
    /** Starts polling the feeds; the returned function stops it. */
    collect: (): (() => void) => {
      if (feeds.length === 0) return () => {};
      const ask = feedPoller(openUpstream({ ...options.upstream, attempts: 1 }), clock);
      const publish = hotBook.publish;
      const { references, releases } = witnesses;
      const { currencies, pollSeconds } = settings;
      const known = hotBook.read().quotes;
      const started = startLive(
        { clock, emit, ask, archive, publish, references, releases, later, random: Math.random },
        { feeds, currencies, pollSeconds, known },
      );
      collector = started;
      return started.stop;
    },
    /** Quotes of the longest delay and those in force before it, so that delayed rates are there at once. */
    recent: async () => {
      if (feeds.length === 0) return [];
      const now = clock.now();
      const since = now - LONGEST_DELAY_MINUTES * 60_000;
      return [
        ...(await orNothing(emit, archive.newest(now - WARM_DAYS * MILLISECONDS_PER_DAY, since))),
        ...(await orNothing(emit, archive.quotes(since, now + 1))),
      ].filter(witnesses.credible);
    },
    close: async () => {
      await stopWatching();
      await hotBook.close();
    },
  };
}

export type Live = Awaited<ReturnType<typeof openLive>>;

/** The library is loaded only where it is used: it costs memory and a part of the start. */
async function openHotBook({ redisUrl, clock, emit }: LiveOptions): Promise<HotBook> {
  if (redisUrl === null) return memoryHotBook({ clock, emit });
  const { openRedisHotBook } = await import("#store/redis/hot-book/hot-book.ts");
  return await openRedisHotBook({ url: redisUrl, clock, emit, later });
}

/**
 * A book that was lost is made good from the archive: a restart, or a Redis that was emptied. Only what is credible beside
 * the references of now: the archive may be an earlier release's. What a wrong clock has dated ahead is passed over.
 */
async function warm(
  { settings, archive, clock, emit }: LiveOptions,
  hotBook: HotBook,
  credible: (quote: LiveQuote) => boolean,
): Promise<void> {
  if (settings.feeds.length === 0) return;
  const now = clock.now();
  const newest = await orNothing(emit, archive.newest(now - WARM_DAYS * MILLISECONDS_PER_DAY, now + 1));
  const kept = newest.filter(credible);
  if (kept.length < newest.length) {
    const refused = newest
      .filter((quote) => !credible(quote))
      .map(({ base, quote, mid }) => `${base}/${quote} ${mid}`);
    emit({ kind: "archived_quotes_refused", quotes: refused });
  }
  if (kept.length > 0) await hotBook.publish(kept);
}

/**
 * A damaged file stops no start: the feeds bring quotes within a poll. What the other files have is not taken for the
 * newest in its place.
 */
async function orNothing(emit: Emit, reading: Promise<readonly LiveQuote[]>): Promise<readonly LiveQuote[]> {
  try {
    return await reading;
  } catch (fault) {
    if (!(fault instanceof Failure) || fault.code !== "data_unavailable") throw fault;
    const reason = fault.cause instanceof Error ? fault.cause.message : fault.message;
    emit({ kind: "lake_damaged", detail: `live rates begin without the archived quotes: ${reason}` });
    return [];
  }
}

function policyOf(
  feeds: readonly Feed[],
  { currencies, pollSeconds, staleSeconds }: Config["live"],
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
