/** What a scrape reads from the rest of the process, types only. assembly/observation.ts provides it. */

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

export const OFFICIAL_STATUSES = ["ok", "failing", "missing"] as const;

type Answer<T> = T | Promise<T>;

/** Called at a scrape, all at the same time. One that throws, rejects or is late leaves out its own metrics and is counted. */
export interface MetricsReaders {
  hotBook(): Answer<{
    readonly book: Book;
    readonly state: Pick<HotBookState, "status">;
    readonly kind: "memory" | "redis";
    /** Currencies with a quote outside its freshness window. */
    readonly staleQuotes: number;
    /** Currencies served on the evidence of one feed, far from their reference. */
    readonly unconfirmed: readonly CurrencyCode[];
  }>;
  feeds(): Answer<{
    readonly states: readonly { readonly feed: FeedId; readonly lastSuccessAt: Instant | null }[];
    readonly choice: FeedChoice;
    readonly refused: readonly RefusedQuote[];
  }>;
  daily(): Answer<readonly DailyReading[]>;
  lakeReadable(): Answer<boolean>;
  /** Milliseconds by which this machine's clock is ahead, as the sources' hosts see it. */
  clockAhead(): Answer<number>;
  /** Absent for a process that only answers. */
  collecting(): Answer<boolean>;
  stream(): Answer<{
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
  }>;
  limits(): Answer<CountersState>;
  /** Calls that are not yet in the ledger, and since when; null without any. */
  usage(): Answer<{ readonly calls: number; readonly since: Instant | null }>;
  /** `answeredInSeconds` is null when the ledger did not answer. */
  ledger(): Answer<{ readonly kind: "sqlite" | "postgres"; readonly answeredInSeconds: number | null }>;
  webhooks(): Answer<Backlog>;
  official(): Answer<
    readonly {
      readonly table: string;
      readonly status: (typeof OFFICIAL_STATUSES)[number];
      readonly lastSuccessAt: Instant | null;
      readonly held: number;
    }[]
  >;
  /** Notices received a while ago and not processed. Absent where nothing is sold. */
  billing(): Answer<{ readonly waiting: number; readonly reconciledAt: Instant | null }>;
  /** Of the API's port. Null where the system does not list connections, and before the server listens. */
  listener(): Answer<{ readonly connections: number | null; readonly requestsInFlight: number | null }>;
  /** Spans since the start, by what became of them. Absent where no traces are made. */
  traces(): Answer<Readonly<Record<"exported" | "dropped" | "refused", number>>>;
  caches(): Answer<readonly Pick<CacheUse, "name" | "bytes" | "limitBytes">[]>;
}

interface DailyReading {
  readonly source: DailySource;
  readonly status: (typeof DAILY_STATUSES)[number];
  /** Null when no figure is served. */
  readonly newestObservedAt: Instant | null;
  readonly wholeReadAt: Instant | null;
  readonly heldByRule: ReadonlyMap<string, number>;
  /** What routes state differently from what is served; null where they agree. */
  readonly contradictions: { readonly count: number } | null;
  /** Currencies that the newest figures of the source lack. */
  readonly behind: readonly { readonly code: CurrencyCode; readonly days: number }[];
}
