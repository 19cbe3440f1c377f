/** What live quotes are checked against, kept current: daily references, operators' releases, and the list of what is refused. */

import { every } from "#assembly/timers.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { currencyOf } from "#domain/live/feed-outcome.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import { isCredible } from "#domain/live/quote-evidence.ts";
import { isInForce, type QuoteRelease, type References } from "#domain/live/reference.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import { referencesAt } from "#domain/spot/rates.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { LiveCollector } from "#ingest/live/collect.ts";
import type { Clock } from "#ports.ts";
import { openReleases, readRefused, writeRefused } from "#store/live/releases.ts";
import type { Emit } from "#telemetry.ts";
import type { GuardedBook } from "./guard.ts";

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
    watch: (watched: Watched) => watchReferences({ dataDir, clock, emit }, { references, stored }, watched),
  };
}

function watchReferences(
  { dataDir, clock, emit }: Omit<ReferenceOptions, "dataset">,
  { references, stored }: { references: () => References; stored: ReturnType<typeof openReleases> },
  { hotBook, refused, collector }: Watched,
): () => Promise<void> {
  let seen = { references: references(), releases: stored.list() };
  /** Always written the first time: refusals of an earlier process no longer hold. */
  let written = "";
  let underWay: Promise<void> = Promise.resolve();

  const look = async () => {
    for (const { feed, currency, price } of stored.refresh())
      emit({ kind: "quote_released", feed, currency, price });
    const now = { references: references(), releases: stored.list() };
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
  let isLooking = false;
  /** A fault that repeats, such as a full disk, is reported once. */
  let lastFault = "";
  const stop = every(WATCH_MILLISECONDS, () => {
    if (isLooking) return;
    isLooking = true;
    underWay = look()
      .then(
        () => {
          lastFault = "";
        },
        (fault: unknown) => {
          if (lastFault !== String(fault))
            emit({ kind: "job_failed", job: "live-watch", error: String(fault) });
          lastFault = String(fault);
        },
      )
      .finally(() => {
        isLooking = false;
      });
  });
  return async () => {
    stop();
    await underWay;
  };
}

/**
 * Looked up once a dataset and day. What a currency's reference was last still counts while the lake has none, for as
 * long as a figure may stand: files that are damaged under a running server take no measure away.
 */
function referencesOf(dataset: () => Dataset | null, clock: Clock): () => References {
  let last: { readonly of: Dataset | null; readonly day: Day; readonly found: References } | null = null;
  return () => {
    const current = dataset();
    const now = clock.now();
    const day = dayAt(now);
    if (last === null || last.of !== current || last.day !== day)
      last = { of: current, day, found: renewed(last?.found, current, now) };
    return last.found;
  };
}

/** The references of a dataset, and of those before it the ones that it lacks and that still count. */
function renewed(before: References | undefined, dataset: Dataset | null, now: Instant): References {
  const oldest = now - FILL_DAYS * MILLISECONDS_PER_DAY;
  const kept = [...(before ?? [])].filter(([, { observedAt }]) => observedAt >= oldest);
  return new Map([...kept, ...referencesAt(dataset, now)]);
}
