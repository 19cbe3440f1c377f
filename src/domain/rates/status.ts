/** The readiness of a server, as a value: src/api/status prints it. */

import type { Unsettled } from "#domain/acceptance/unsettled.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { CollectionState, OwnClock } from "#domain/intake/reading.ts";
import type { HotBookState } from "#domain/live/book.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import type { FeedId, FeedState } from "#domain/live/live-quote.ts";
import type { OfficialTableStatus } from "#domain/official/publication.ts";
import type { MarketSession } from "#domain/time/calendar.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface ServiceStatus {
  /** `unready`: lake or ledger cannot be read, or the process is stopping. `degraded`: something is stale, missing, failing or contradicted. */
  readonly status: "ready" | "degraded" | "unready";
  readonly version: string;
  readonly process: ProcessStatus;
  /** This machine's clock, as the sources' hosts see it. */
  readonly clock: Pick<OwnClock, "status" | "detail">;
  /** The ledger; `unused` where access is open. */
  readonly database: {
    readonly status: "ok" | "failed" | "unused";
    readonly kind: "sqlite" | "postgres" | null;
    readonly detail: string | null;
  };
  /** The counters of limits; `unused` where access is open. */
  readonly limits: {
    readonly status: "ok" | "degraded" | "unused";
    readonly kind: "memory" | "redis" | null;
    readonly detail: string | null;
  };
  readonly cache: HotBookState & { readonly kind: "memory" | "redis" };
  readonly lake: {
    readonly status: "ok" | "failed";
    readonly detail: string | null;
    /** One sentence a file that differs from the log. */
    readonly damaged: readonly string[];
    /** Version of the data that is served; null before the first collection. */
    readonly dataset: string | null;
    readonly observations: number;
  };
  readonly live: LiveStatus;
  readonly daily: Readonly<Record<DailySource, DailyStatus>>;
  readonly official: readonly OfficialTableCheck[];
}

/** What was wrong, from when to when, each to a look a minute. */
export interface Incident {
  /** The part and its state: "ecb_daily stale", "database failed". */
  readonly fault: string;
  readonly since: Instant;
  /** When it was first seen to be over; null while it lasts. */
  readonly until: Instant | null;
}

/** How often a part was looked at on a day, and how often it was at fault. */
export interface PartDay {
  readonly part: string;
  readonly day: Day;
  readonly looks: number;
  readonly faults: number;
}

/** What the installation has seen of itself, over all its processes and starts. */
export interface StatusRecord {
  /** The newest first. */
  readonly incidents: readonly Incident[];
  readonly days: readonly PartDay[];
  /** Milliseconds from the publication of each official document to its collection, by table, where the authority states the time. */
  readonly delays: ReadonlyMap<string, readonly number[]>;
}

export interface ProcessStatus {
  readonly role: "all" | "api" | "collector";
  /** A collector that does not collect stands by. */
  readonly collecting: boolean;
  /** It was asked to end. */
  readonly stopping: boolean;
}

export interface DailyStatus extends Omit<CollectionState, "source">, Unsettled {
  /**
   * The first that applies. `missing`: nothing was ever collected. `stale`: a newer publication was due. `failing`: the last
   * attempt failed. `contradicted`: a route states something else than what is served.
   */
  readonly status: "ok" | "contradicted" | "stale" | "failing" | "missing";
  readonly newestDay: Day | null;
  readonly newestObservedAt: Instant | null;
  readonly coveredThrough: Day | null;
  readonly wholeReadAt: Instant | null;
  readonly wholeReadDueAt: Instant | null;
}

export interface LiveStatus {
  /**
   * `stale`: a live rate is missing or older than its window. The first of stale, refused and unconfirmed that applies; without
   * any quote refused, missing or waiting.
   */
  readonly status: "ok" | "unconfirmed" | "refused" | "stale" | "missing" | "waiting" | "off";
  readonly ageSeconds: number | null;
  /** The feed that is active for most currencies; null without a quote. */
  readonly source: FeedId | null;
  readonly session: MarketSession;
  readonly liveCurrencies: number;
  readonly configuredCurrencies: number;
  readonly stale: readonly CurrencyCode[];
  readonly unconfirmed: readonly CurrencyCode[];
  readonly refused: readonly RefusedQuote[];
  readonly feeds: readonly FeedStatus[];
}

export interface FeedStatus {
  readonly feed: FeedId;
  readonly role: "primary" | "fallback";
  /** Currencies with their newest quote from this feed. */
  readonly currencies: number;
  /** Null where this server does not poll the feed. */
  readonly state: FeedState | null;
}

export interface OfficialTableCheck extends OfficialTableStatus {
  readonly status: "ok" | "failing" | "missing";
}
