/**
 * Connects the live side of the product: feeds, archive, hot book, and the policy by which quotes are served. They are checked
 * against daily references, which are kept current here.
 */

import type { Config } from "#config.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import type { Book } from "#domain/live/book.ts";
import { type RefusedQuote, refusedQuotes } from "#domain/live/feed-choice.ts";
import {
  currencyOf,
  type FeedId,
  isInForce,
  type LiveQuote,
  type QuoteRelease,
  type References,
} from "#domain/live/live-quote.ts";
import { isCredible } from "#domain/live/quote-evidence.ts";
import { referencesAt } from "#domain/spot/rates.ts";
import type { LivePolicy } from "#domain/spot/table.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type LiveCollector, planOf, startLive } from "#ingest/live.ts";
import type { Clock, Feed, HotBook, QuoteArchive } from "#ports.ts";
import { LONGEST_DELAY_MINUTES } from "#rates/spot.ts";
import { liveFeed } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { feedPoller } from "#sources/live/poll.ts";
import type { Archive } from "#store/archive/archive.ts";
import { openReleases, readRefused, writeRefused } from "#store/live/releases.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import type { Emit } from "#telemetry.ts";
import { every, failedJob, later } from "./process.ts";

export interface LiveOptions {
  readonly settings: Config["live"];
  readonly dataDir: string;
  readonly redisUrl: string | null;
  /** The id of the lake; null before its first commit. */
  readonly lake: () => string | null;
  readonly upstream: Omit<Parameters<typeof openUpstream>[0], "attempts">;
  readonly archive: QuoteArchive & Pick<Archive, "isOwned">;
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** Quotes of a feed are stale after this, or after three polls if these take longer. */
const STALE_SECONDS = 300;
const STALE_POLLS = 3;
/** No older quote could be served: the market is never closed for so long. */
const WARM_DAYS = 7;

/** Fills the hot book from the archive. Polls no feed yet. */
export async function openLive(options: LiveOptions) {
  const { settings, archive, clock, emit } = options;
  const feeds = settings.feeds.map((id) => {
    const feed = liveFeed(id, settings.access);
    if (feed === null) throw new Error(`the feed ${id} has no key`);
    return feed;
  });
  const witnesses = openReferences(options);
  const hotBook = guardBook(await openHotBook(options), witnesses.references, witnesses.releases);
  await warm(options, hotBook, witnesses.credible);
  let collector: LiveCollector | null = null;
  const choice = () => collector?.choice() ?? [];
  const refused = () => refusedQuotes(choice(), witnesses.references(), clock.now());
  // A collector that was replaced still has its choice, but may not write.
  const collecting = () => (archive.isOwned() ? collector : null);
  const stopWatching = feeds.length === 0 ? () => {} : witnesses.watch(hotBook, refused, collecting);
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
    polled: feeds,
    feedsNow: () => ({
      states: collector?.states() ?? [],
      choice: choice(),
      refused: refused(),
    }),
    /** Brings the archive's newest quotes into the book: after a takeover the journal may have newer ones than Redis. */
    refill: () => warm(options, hotBook, witnesses.credible),
    collect: (): (() => void) => {
      if (feeds.length === 0) return () => {};
      const publish = hotBook.publish;
      const { references, releases } = witnesses;
      const { currencies, pollSeconds } = settings;
      const lastQuotes = hotBook.read().quotes;
      const ask = feedPoller(openUpstream({ ...options.upstream, attempts: 1 }), clock, lastQuotes);
      const started = startLive(
        { clock, emit, ask, archive, publish, references, releases, later, random: Math.random },
        { feeds, currencies, pollSeconds, lastQuotes: lastQuotes },
      );
      collector = started;
      return started.stop;
    },
    /** The quotes of the longest delay, and those in force at its start: delayed rates are then available at once. */
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

async function openHotBook({ redisUrl, clock, emit, lake }: LiveOptions): Promise<HotBook> {
  if (redisUrl === null) return memoryHotBook({ clock, emit });
  const { openRedisHotBook } = await import("#store/redis/hot-book/hot-book.ts");
  return await openRedisHotBook({ url: redisUrl, clock, emit, later, lake });
}

/**
 * Fills the book from the archive, after a restart or with an emptied Redis. Leaves out quotes that are not credible now, and quotes
 * that a wrong clock has dated ahead.
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

/** The quotes, or [] when a file is damaged: a start must not fail, and feeds bring quotes soon. */
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

function policyOf(feeds: readonly Feed[], settings: Config["live"]): LivePolicy {
  const { currencies, staleSeconds } = settings;
  const polls = new Map(feeds.map((feed) => [feed.id, STALE_POLLS * planOf(feed, settings).roundSeconds]));
  return {
    // Without feeds, quotes that an earlier configuration left in a shared book are not served.
    currencies: new Set(feeds.length === 0 ? [] : currencies),
    staleAfterSeconds: (feed) => staleSeconds ?? Math.max(STALE_SECONDS, polls.get(feed) ?? 0),
  };
}

/** How soon newer references and other processes' releases are noticed. */
const WATCH_MILLISECONDS = 2_000;

function openReferences({ dataDir, dataset, clock, emit }: LiveOptions) {
  const references = referencesOf(dataset, clock);
  const stored = openReleases(dataDir, emit);
  const releases = stored.list;
  return {
    references,
    releases,
    credible: (quote: LiveQuote) =>
      isCredible(quote, references().get(currencyOf(quote)) ?? null, releases()),
    /** For commands, which run in another process than the collector. */
    operator: {
      refused: () => readRefused(dataDir),
      inForce: () =>
        releases().filter((release) => isInForce(release, references().get(release.currency) ?? null)),
      /** Durable when it returns; servers notice it within seconds. */
      release: (feed: FeedId, currency: CurrencyCode, price: string): QuoteRelease => {
        const reference = references().get(currency) ?? null;
        const release = { at: clock.now(), feed, currency, price, reference };
        stored.append(release);
        return release;
      },
    },
    /** `collector` is null while this process does not poll. The returned function ends it. */
    watch: (
      hotBook: GuardedBook,
      refused: () => readonly RefusedQuote[],
      collector: () => Pick<LiveCollector, "reconsider"> | null,
    ): (() => Promise<void>) => {
      let seen = { references: references(), releases: releases() };
      /** Empty: the first look always writes, because earlier refusals no longer hold. */
      let written = "";
      const look = async () => {
        for (const { feed, currency, price } of stored.refresh())
          emit({ kind: "quote_released", feed, currency, price });
        const now = { references: references(), releases: releases() };
        if (now.references !== seen.references || now.releases !== seen.releases) {
          seen = now;
          await collector()?.reconsider();
          hotBook.recheck();
        }
        if (collector() === null) return;
        const list = refused();
        const text = JSON.stringify(list);
        if (text === written) return;
        await writeRefused(dataDir, { at: clock.now(), refused: list });
        written = text;
      };
      /** A fault that repeats, such as a full disk, is reported once. */
      let lastFault = "";
      const report = (fault: unknown) => {
        if (lastFault !== String(fault)) failedJob(emit, "live-watch")(fault);
        lastFault = String(fault);
      };
      let looking: Promise<void> | null = null;
      const stop = every(WATCH_MILLISECONDS, () => {
        looking ??= look()
          .then(() => {
            lastFault = "";
          }, report)
          .finally(() => {
            looking = null;
          });
      });
      return async () => {
        stop();
        await looking;
      };
    },
  };
}

/**
 * References, computed once for a dataset and day. While the lake lacks a currency's reference, its last one counts for FILL_DAYS:
 * files damaged under a running server do not disable the check.
 */
function referencesOf(dataset: () => Dataset | null, clock: Clock): () => References {
  let last: { readonly of: Dataset | null; readonly day: Day; readonly references: References } | null = null;
  return () => {
    const current = dataset();
    const now = clock.now();
    const day = dayAt(now);
    if (last === null || last.of !== current || last.day !== day)
      last = { of: current, day, references: renewed(last?.references, current, now) };
    return last.references;
  };
}

/** The references of a dataset. A currency without one has its earlier reference as long as that still counts. */
function renewed(before: References | undefined, dataset: Dataset | null, now: Instant): References {
  const oldest = now - FILL_DAYS * MILLISECONDS_PER_DAY;
  const lasting = [...(before ?? [])].filter(([, { observedAt }]) => observedAt >= oldest);
  return new Map([...lasting, ...referencesAt(dataset, now)]);
}

type GuardedBook = ReturnType<typeof guardBook>;

/**
 * Hides quotes that are not credible now from readings and messages, until a reference or a release changes that. A book from Redis or
 * from the archive may have such quotes.
 */
export function guardBook(
  book: HotBook,
  references: () => References,
  releases: () => readonly QuoteRelease[],
) {
  const listeners = new Set<(book: Book) => void>();
  let last: {
    readonly of: Book;
    readonly by: References;
    readonly released: unknown;
    readonly credible: Book;
  } | null = null;

  /** Called with every request: judges only what has changed. */
  const credible = (of: Book): Book => {
    if (of.quotes.size === 0) return of;
    const by = references();
    const released = releases();
    if (last?.of === of && last.by === by && last.released === released) return last.credible;
    const quotes = [...of.quotes].filter(([currency, quote]) =>
      isCredible(quote, by.get(currency) ?? null, released),
    );
    let judged = quotes.length === of.quotes.size ? of : { ...of, quotes: new Map(quotes) };
    // The same object for the same content: it is a key of caches.
    if (last?.of === of && hasSameCurrencies(judged, last.credible)) judged = last.credible;
    last = { of, by, released, credible: judged };
    return judged;
  };

  let served = credible(book.read());
  book.subscribe((newer) => {
    served = credible(newer);
  });
  return {
    ...book,
    read: () => credible(book.read()),
    subscribe: (listener: (book: Book) => void) => {
      // A wrapper: one function may subscribe twice.
      const entry = (book: Book) => listener(book);
      listeners.add(entry);
      // Each has its own subscription: a fault of one listener does not affect others.
      const stop = book.subscribe((newer) => listener(credible(newer)));
      return () => {
        stop();
        listeners.delete(entry);
      };
    },
    /** To be called when references or releases have changed. Notifies listeners if other quotes are served now. */
    recheck: () => {
      const now = credible(book.read());
      if (now === served) return;
      served = now;
      for (const listener of [...listeners]) listener(now);
    },
  };
}

function hasSameCurrencies({ quotes }: Book, other: Book): boolean {
  return (
    quotes.size === other.quotes.size && [...quotes.keys()].every((currency) => other.quotes.has(currency))
  );
}
