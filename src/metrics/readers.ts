/** What a scrape reads from the rest of the process, types only. assembly/observation.ts fills them in, gauges turn them into samples. */

import type { CacheUse } from "#domain/cache/budget.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Book, HotBookState } from "#domain/live/book.ts";
import type { FeedChoice, RefusedQuote } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/ledger.ts";
import type { Backlog } from "#ports/webhooks.ts";

export const DAILY_STATUSES = ["ok", "contradicted", "stale", "missing", "failing"] as const;
export type DailyStatus = (typeof DAILY_STATUSES)[number];

export interface HotBookReading {
  readonly book: Book;
  readonly state: Pick<HotBookState, "status">;
  readonly kind: "memory" | "redis";
  /** Currencies with a quote outside its freshness window. */
  readonly staleQuotes: number;
  /** Currencies served on the evidence of one feed, far from their reference. */
  readonly unconfirmed: readonly CurrencyCode[];
}

export interface FeedReading {
  readonly feed: FeedId;
  readonly lastSuccessAt: Instant | null;
  /** No poll before it. */
  readonly pausedUntil: Instant | null;
}

export interface FeedsReading {
  readonly states: readonly FeedReading[];
  readonly choice: FeedChoice;
  readonly refused: readonly RefusedQuote[];
}

export interface DailyReading {
  readonly source: DailySource;
  readonly status: DailyStatus;
  /** Of the newest figure that is served; null when there is none. */
  readonly newestObservedAt: Instant | null;
  /** Null where that is not known. */
  readonly wholeReadAt: Instant | null;
  /** Figures that are held back now, by rule. */
  readonly heldByRule: ReadonlyMap<string, number>;
  /** What routes state differently from what is served; null where they agree. */
  readonly contradictions: { readonly count: number; readonly since: Instant } | null;
  /** Currencies that the newest figures of the source lack. */
  readonly behind: readonly { readonly code: CurrencyCode; readonly days: number }[];
}

export interface StreamReading {
  readonly subscribers: number;
  readonly events: number;
  /** Events that a reader did not read in time; one later event has their content. */
  readonly coalesced: number;
  /** Readers who began with everything, and those who resumed. */
  readonly begun: number;
  readonly resumed: number;
  /** Readers who did not read for too long. */
  readonly dropped: number;
  /** Readers without a place, by the bound that refused them. */
  readonly refused: Readonly<Record<"full" | "caller" | "network" | "keyless", number>>;
}

export interface UsageReading {
  /** Not yet in the ledger. */
  readonly calls: number;
  /** Null when there is none. */
  readonly since: Instant | null;
}

export interface LedgerReading {
  readonly kind: "sqlite" | "postgres";
  /** Null when it did not answer. */
  readonly answeredInSeconds: number | null;
}

export const OFFICIAL_STATUSES = ["ok", "failing", "missing"] as const;

export interface OfficialReading {
  readonly table: string;
  readonly status: (typeof OFFICIAL_STATUSES)[number];
  readonly lastSuccessAt: Instant | null;
  /** Publications that are held back now. */
  readonly held: number;
}

export interface BillingReading {
  /** Notices received a while ago and not processed. */
  readonly waiting: number;
  /** Null when there was none. */
  readonly reconciledAt: Instant | null;
}

export interface ListenerReading {
  /** Null where the system does not list them. */
  readonly connections: number | null;
  /** Null before the server listens. */
  readonly requestsInFlight: number | null;
}

/** Spans since the start, by what became of them. */
export type TracesReading = Readonly<Record<"exported" | "dropped" | "refused", number>>;

export type Answer<T> = T | Promise<T>;

/** Called at a scrape, all at the same time. One that throws, rejects or is late leaves out its own metrics and is counted. */
export interface MetricsReaders {
  hotBook(): Answer<HotBookReading>;
  feeds(): Answer<FeedsReading>;
  daily(): Answer<readonly DailyReading[]>;
  lakeReadable(): Answer<boolean>;
  /** Milliseconds by which this machine's clock is ahead, as the sources' hosts see it. */
  clockAhead(): Answer<number>;
  /** Absent for a process that only answers. */
  collecting(): Answer<boolean>;
  stream(): Answer<StreamReading>;
  limits(): Answer<CountersState>;
  usage(): Answer<UsageReading>;
  ledger(): Answer<LedgerReading>;
  webhooks(): Answer<Backlog>;
  official(): Answer<readonly OfficialReading[]>;
  /** Absent where nothing is sold. */
  billing(): Answer<BillingReading>;
  /** Of the API's port. */
  listener(): Answer<ListenerReading>;
  /** Absent where no traces are made. */
  traces(): Answer<TracesReading>;
  caches(): Answer<readonly Pick<CacheUse, "name" | "bytes" | "limitBytes">[]>;
}
