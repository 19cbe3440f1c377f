/** What a scrape reads from the rest of the process, types only. assembly/observation.ts fills them in, gauges turn them into samples. */

import type { CacheUse } from "#domain/cache/budget.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Book, HotBookState } from "#domain/live/book.ts";
import type { FeedChoice } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/counters.ts";
import type { Backlog } from "#ports/webhooks.ts";

export const DAILY_STATUSES = ["ok", "contradicted", "stale", "missing", "failing"] as const;
export type DailyStatus = (typeof DAILY_STATUSES)[number];

export interface HotBookReading {
  readonly book: Book;
  readonly state: Pick<HotBookState, "status">;
  /** Where the book is shared. */
  readonly kind: "memory" | "redis";
  /** Currencies whose quote is outside its freshness window, by the policy that answers go by. */
  readonly staleQuotes: number;
  /** Currencies served on the evidence of one feed although they are far from their reference. */
  readonly unconfirmed: readonly CurrencyCode[];
}

/** How the last poll of a feed went. */
export interface FeedReading {
  readonly feed: FeedId;
  readonly lastSuccessAt: Instant | null;
  /** The feed must not be polled before; an instant that has passed is no pause. */
  readonly pausedUntil: Instant | null;
}

export interface FeedsReading {
  readonly states: readonly FeedReading[];
  readonly choice: FeedChoice;
  readonly refused: readonly RefusedQuote[];
}

export interface DailyReading {
  readonly source: DailySource;
  /** As /status says it. */
  readonly status: DailyStatus;
  /** Observation time of the newest figure that is served; null when there is none. */
  readonly newestObservedAt: Instant | null;
  /** When the whole history was last read; null where that is not known. */
  readonly wholeReadAt: Instant | null;
  /** Figures that are held back now, by rule. */
  readonly heldByRule: ReadonlyMap<string, number>;
  /** What routes state differently from what is served; null where they agree. */
  readonly contradictions: { readonly count: number; readonly since: Instant } | null;
  /** Currencies that the newest figures of the source lack. */
  readonly behind: readonly { readonly code: CurrencyCode; readonly days: number }[];
}

/** The stream of live quotes; all but `subscribers` since the start. */
export interface StreamReading {
  /** Readers that are connected now. */
  readonly subscribers: number;
  readonly events: number;
  /** Events that readers were not sent because they did not read; they get their content in one later. */
  readonly coalesced: number;
  /** Readers who began with everything, and those who went on from where they had been. */
  readonly begun: number;
  readonly resumed: number;
  /** Readers let go because they did not read for too long. */
  readonly dropped: number;
  /** Readers for whom there was no place, by the bound that refused them. */
  readonly refused: Readonly<Record<"full" | "caller" | "network" | "keyless", number>>;
}

export interface UsageReading {
  /** Not yet in the ledger. */
  readonly calls: number;
  /** When the oldest of them was made; null when there is none. */
  readonly since: Instant | null;
}

export interface LedgerReading {
  readonly kind: "sqlite" | "postgres";
  /** Null when it did not answer. */
  readonly answeredInSeconds: number | null;
}

export const OFFICIAL_STATUSES = ["ok", "failing", "missing"] as const;

export interface OfficialReading {
  /** Id of an official table. */
  readonly table: string;
  /** As /status says. */
  readonly status: (typeof OFFICIAL_STATUSES)[number];
  readonly lastSuccessAt: Instant | null;
  /** Publications that are held back now. */
  readonly held: number;
}

export interface BillingReading {
  /** Notices taken a while ago and not dealt with. */
  readonly waiting: number;
  /** The start of the last complete reconciliation; null when there was none. */
  readonly reconciledAt: Instant | null;
}

export interface ListenerReading {
  /** Established; null where the system does not list them. */
  readonly connections: number | null;
  /** Whose answers are being made or sent; null before the server listens. */
  readonly requestsInFlight: number | null;
}

/** Spans since the start, by what became of them. */
export type TracesReading = Readonly<Record<"exported" | "dropped" | "refused", number>>;

export type Answer<T> = T | Promise<T>;

/**
 * Called once a scrape, all at the same time. One that throws, rejects or is late leaves its own metrics out of that
 * scrape and is counted; the others are unaffected.
 */
export interface MetricsReaders {
  hotBook(): Answer<HotBookReading>;
  feeds(): Answer<FeedsReading>;
  daily(): Answer<readonly DailyReading[]>;
  lakeReadable(): Answer<boolean>;
  /** Milliseconds by which this machine's clock is ahead, as the sources' hosts see it. */
  clockAhead(): Answer<number>;
  /** Whether this process is the one that collects. Not given by one that only answers. */
  collecting(): Answer<boolean>;
  stream(): Answer<StreamReading>;
  limits(): Answer<CountersState>;
  usage(): Answer<UsageReading>;
  ledger(): Answer<LedgerReading>;
  webhooks(): Answer<Backlog>;
  official(): Answer<readonly OfficialReading[]>;
  /** Not given where nothing is sold. */
  billing(): Answer<BillingReading>;
  /** Of the API's own port. */
  listener(): Answer<ListenerReading>;
  /** Not given where no traces are made. */
  traces(): Answer<TracesReading>;
  caches(): Answer<readonly Pick<CacheUse, "name" | "bytes" | "limitBytes">[]>;
}
