/**
 * What live quotes are checked against, kept current: daily references, operators' releases, and the list of what is refused. The hot
 * book is served through this check, whichever store has it.
 */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import type { Book } from "#domain/live/book.ts";
import {
  currencyOf,
  type FeedId,
  isInForce,
  type LiveQuote,
  type QuoteRelease,
  type References,
} from "#domain/live/live-quote.ts";
import { isCredible } from "#domain/live/quote-evidence.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import { referencesAt } from "#domain/spot/rates.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { LiveCollector } from "#ingest/live/collect.ts";
import type { Clock, HotBook } from "#ports.ts";
import { openReleases, readRefused, writeRefused } from "#store/live/releases.ts";
import type { Emit } from "#telemetry.ts";
import { every, failedJob } from "./process.ts";

export interface ReferenceOptions {
  readonly dataDir: string;
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
  readonly emit: Emit;
}

interface Watched {
  readonly hotBook: GuardedBook;
  readonly refused: () => readonly RefusedQuote[];
  /** Null while this process does not ask the feeds. */
  readonly collector: () => Pick<LiveCollector, "reconsider"> | null;
}

/** How soon a newer reference, or an operator's release in another process, is noticed. */
const WATCH_MILLISECONDS = 2_000;

export function openReferences({ dataDir, dataset, clock, emit }: ReferenceOptions) {
  const references = referencesOf(dataset, clock);
  const stored = openReleases(dataDir, emit);
  const releases = stored.list;
  return {
    references,
    releases,
    credible: (quote: LiveQuote) =>
      isCredible(quote, references().get(currencyOf(quote)) ?? null, releases()),
    /** For the command line, in another process than the one that collects. */
    operator: {
      refused: () => readRefused(dataDir),
      inForce: () =>
        releases().filter((release) => isInForce(release, references().get(release.currency) ?? null)),
      /** Durable when this returns; running servers notice it within seconds. */
      release: (feed: FeedId, currency: CurrencyCode, price: string): QuoteRelease => {
        const reference = references().get(currency) ?? null;
        const release = { at: clock.now(), feed, currency, price, reference };
        stored.append(release);
        return release;
      },
    },
    /** Follows what changes from now on; the returned function ends that. */
    watch: ({ hotBook, refused, collector }: Watched): (() => Promise<void>) => {
      let seen = { references: references(), releases: releases() };
      /** Always written the first time: refusals of an earlier process no longer hold. */
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
 * Looked up once a dataset and day. What a currency's reference was last still counts while the lake has none, for as
 * long as a figure may stand: files that are damaged under a running server take no measure away.
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

/** The references of a dataset, and of those before it the ones that it lacks and that still count. */
function renewed(before: References | undefined, dataset: Dataset | null, now: Instant): References {
  const oldest = now - FILL_DAYS * MILLISECONDS_PER_DAY;
  const lasting = [...(before ?? [])].filter(([, { observedAt }]) => observedAt >= oldest);
  return new Map([...lasting, ...referencesAt(dataset, now)]);
}

export interface Witnesses {
  readonly references: () => References;
  readonly releases: () => readonly QuoteRelease[];
}

export interface GuardedBook extends HotBook {
  /** To be called when references or releases have changed: notifies the listeners where that changes what is served. */
  recheck(): void;
}

/**
 * A book in Redis may be another release's, and one from the archive is of an earlier reference: what is not credible is
 * left out of every reading and every message, and stays out until a reference or a release says otherwise.
 */
export function guardBook(book: HotBook, { references, releases }: Witnesses): GuardedBook {
  const listeners = new Set<(book: Book) => void>();
  let last: {
    readonly of: Book;
    readonly by: References;
    readonly released: unknown;
    readonly credible: Book;
  } | null = null;

  /** Asked with every request: only what has changed is judged. */
  const credible = (of: Book): Book => {
    const by = references();
    const released = releases();
    if (last?.of === of && last.by === by && last.released === released) return last.credible;
    const quotes = [...of.quotes].filter(([currency, quote]) =>
      isCredible(quote, by.get(currency) ?? null, released),
    );
    let judged = quotes.length === of.quotes.size ? of : { ...of, quotes: new Map(quotes) };
    // The same object for the same content: caches are kept by it.
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
    subscribe: (listener) => {
      // A wrapper: one function may subscribe twice.
      const entry = (book: Book) => listener(book);
      listeners.add(entry);
      // Each subscribes to the book below by itself: a fault of one listener does not affect the others.
      const stop = book.subscribe((newer) => listener(credible(newer)));
      return () => {
        stop();
        listeners.delete(entry);
      };
    },
    recheck: () => {
      const now = credible(book.read());
      if (now === served) return;
      served = now;
      for (const listener of [...listeners]) listener(now);
    },
  };
}

/** For two judgements of one book. */
function hasSameCurrencies({ quotes }: Book, other: Book): boolean {
  return (
    quotes.size === other.quotes.size && [...quotes.keys()].every((currency) => other.quotes.has(currency))
  );
}
