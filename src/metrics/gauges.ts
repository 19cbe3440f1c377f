/** What a scrape reads from the rest of the process, and the metrics that show it. assembly/observation.ts has the readers. */

import { ACCEPTANCE_RULES } from "#domain/acceptance/printed.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Book, HotBookState } from "#domain/live/book.ts";
import type { CurrencyChoice, FeedChoice, RefusedQuote } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/ledger.ts";
import type { Backlog } from "#ports/webhooks.ts";
import { type Shown, secondsSince } from "./instruments.ts";

/** Called at a scrape, all at the same time. One that throws or rejects leaves out its own metrics and is counted; those that ask a store have its deadline. */
export type MetricsReaders = {
  [Name in keyof typeof READINGS]: () =>
    | ReadingOf<(typeof READINGS)[Name]>
    | Promise<ReadingOf<(typeof READINGS)[Name]>>;
};
type ReadingOf<Metrics> = Metrics extends Shown<infer Reading> ? Reading : never;

interface HotBookReading {
  readonly book: Book;
  readonly state: Pick<HotBookState, "status">;
  readonly kind: "memory" | "redis";
  /** Currencies with a quote outside its freshness window. */
  readonly staleQuotes: number;
  /** Currencies served on the evidence of one feed, far from their reference. */
  readonly unconfirmed: readonly CurrencyCode[];
}

interface FeedsReading {
  readonly states: readonly { readonly feed: FeedId; readonly lastSuccessAt: Instant | null }[];
  readonly choice: FeedChoice;
  readonly refused: readonly RefusedQuote[];
}

interface StreamReading {
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

const DAILY_STATUSES = ["ok", "contradicted", "stale", "missing", "failing"] as const;

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

const OFFICIAL_STATUSES = ["ok", "failing", "missing"] as const;

interface OfficialReading {
  readonly table: string;
  readonly status: (typeof OFFICIAL_STATUSES)[number];
  readonly lastSuccessAt: Instant | null;
  readonly held: number;
}

/** By reader: its metrics, from what it answers. */
export const READINGS = {
  hotBook: reading<HotBookReading>({
    "crossrate_hot_book_ok{kind} 1 while the hot book is shared as configured, 0 while it is degraded.": (
      hotBook,
    ) => [[{ kind: hotBook.kind }, Number(hotBook.state.status === "ok")]],
    "crossrate_hot_book_quotes{feed} Currencies in the hot book, by feed.": ({ book }) =>
      Map.groupBy(book.quotes.values(), ({ feed }) => feed)
        .entries()
        .map(([feed, quotes]) => [{ feed }, quotes.length]),
    "crossrate_hot_book_stale_quotes Currencies with a live quote outside its freshness window.": (hotBook) =>
      hotBook.staleQuotes,
    // Without a quote the newest is at -Infinity, which is no sample.
    "crossrate_newest_quote_age_seconds Age of the newest live quote by its own time, in seconds.": (
      { book },
      now,
    ) => secondsSince(Math.max(...book.quotes.values().map(({ observedAt }) => observedAt)), now),
    "crossrate_quote_age_seconds{currency} Age of each currency's live quote by its own time, in seconds.": (
      { book },
      now,
    ) =>
      book.quotes
        .entries()
        .map(([currency, { observedAt }]) => [{ currency }, secondsSince(observedAt, now)]),
    "crossrate_unconfirmed_quotes{currency} 1 for each currency that is served by one feed alone although it is far from its reference, or that another feed contradicts.":
      ({ unconfirmed }) => unconfirmed.map((currency) => [{ currency }, 1]),
  }),
  feeds: reading<FeedsReading>({
    "crossrate_feed_last_success_age_seconds{feed} Time since a poll of the feed last succeeded, in seconds; absent until one has.":
      ({ states }, now) =>
        states.map(({ feed, lastSuccessAt }) => [{ feed }, secondsSince(lastSuccessAt, now)]),
    "crossrate_feed_speaks_for{feed,place} Currencies for which the feed is active, as primary or in the place of a better placed one.":
      ({ choice }) =>
        [...activeFeeds(choice)].flatMap(([feed, counts]) =>
          Object.entries(counts).map(([place, count]) => [{ feed, place }, count] as const),
        ),
    "crossrate_refused_quote_per_dollar{feed,currency,rule} Price that is refused now or contradicts the served one, and why, in units of the currency per dollar.":
      ({ refused }) =>
        refused.map(({ feed, currency, rule, perDollar }) => [{ feed, currency, rule }, perDollar]),
    "crossrate_refused_quote_reference{feed,currency,rule} Daily reference that the refused price was held against, in units of the currency per dollar.":
      ({ refused }) =>
        refused.map(({ feed, currency, rule, reference }) => [
          { feed, currency, rule },
          reference?.perDollar ?? null,
        ]),
  }),
  stream: reading<StreamReading>({
    "crossrate_stream_subscribers Readers of the stream of live quotes that are connected now.": (stream) =>
      stream.subscribers,
    "crossrate_stream_events_total Events that readers were sent.": (stream) => stream.events,
    "crossrate_stream_coalesced_events_total Events that readers were not sent because they did not read; they get their content in one later.":
      (stream) => stream.coalesced,
    "crossrate_stream_joins_total{start} Readers that connected, by whether they began with everything or went on from where they had been.":
      ({ begun, resumed }) => [
        [{ start: "snapshot" }, begun],
        [{ start: "resumed" }, resumed],
      ],
    "crossrate_stream_dropped_total Readers that were let go because they did not read for too long.": (
      stream,
    ) => stream.dropped,
    "crossrate_stream_refused_total{reason} Readers that were refused for want of a place, by the bound that was reached.":
      ({ refused }) => Object.entries(refused).map(([reason, count]) => [{ reason }, count]),
  }),
  daily: reading<readonly DailyReading[]>({
    "crossrate_daily_observation_age_seconds{source} Age of the newest figure of a daily source by its observation time, in seconds.":
      (sources, now) =>
        sources.map(({ source, newestObservedAt }) => [{ source }, secondsSince(newestObservedAt, now)]),
    "crossrate_daily_source_status{source,status} 1 for the status that /status gives the daily source now, 0 for the others.":
      (sources) => sources.flatMap(({ source, status }) => oneOf(DAILY_STATUSES, status, { source })),
    "crossrate_daily_figures_held{source,rule} Figures of a daily source that a rule holds back now.": (
      sources,
    ) =>
      sources.flatMap(({ source, heldByRule }) =>
        [...new Set([...ACCEPTANCE_RULES, ...heldByRule.keys()])].map(
          (rule) => [{ source, rule }, heldByRule.get(rule) ?? 0] as const,
        ),
      ),
    "crossrate_contradicted_figures{source} Figures that routes of a daily source state differently from what is served.":
      (sources) => sources.map(({ source, contradictions }) => [{ source }, contradictions?.count ?? 0]),
    "crossrate_daily_currency_behind_days{source,currency} Days from the last figure of a currency to the newest day of its source; only of currencies that the newest day lacks.":
      (sources) =>
        sources.flatMap(({ source, behind }) =>
          behind.map(({ code: currency, days }) => [{ source, currency }, days] as const),
        ),
    "crossrate_daily_whole_read_age_seconds{source} Time since the whole history of a daily source was last read, in seconds.":
      (sources, now) =>
        sources.map(({ source, wholeReadAt }) => [{ source }, secondsSince(wholeReadAt, now)]),
  }),
  official: reading<readonly OfficialReading[]>({
    "crossrate_official_table_status{table,status} 1 for the status that /status gives the official table now, 0 for the others.":
      (tables) => tables.flatMap(({ table, status }) => oneOf(OFFICIAL_STATUSES, status, { table })),
    "crossrate_official_success_age_seconds{table} Time since an official table was last read intact, in seconds.":
      (tables, now) =>
        tables.map(({ table, lastSuccessAt }) => [{ table }, secondsSince(lastSuccessAt, now)]),
    "crossrate_official_publications_held{table} Publications of an official table that are held back now.": (
      tables,
    ) => tables.map(({ table, held }) => [{ table }, held]),
  }),
  lakeReadable: reading<boolean>({
    "crossrate_lake_readable 1 while the lake can be read, else 0.": Number,
  }),
  /** Milliseconds by which this machine's clock is ahead, as the sources' hosts see it. */
  clockAhead: reading<number>({
    "crossrate_clock_ahead_seconds How far this machine's clock is ahead of the sources' hosts, in seconds, negative when it is behind; 0 while it agrees with them within two minutes.":
      (milliseconds) => milliseconds / 1000,
  }),
  /** Without a reader in a process that only answers. */
  collecting: reading<boolean>({
    "crossrate_collecting 1 in the collector that collects, 0 in one that stands by.": Number,
  }),
  limits: reading<CountersState>({
    "crossrate_limits_ok{kind} 1 while limits are counted as configured, 0 while each replica grants its share of them.":
      ({ kind, status }) => [[{ kind }, Number(status === "ok")]],
    "crossrate_limit_callers Callers with calls that this process remembers.": (limits) => limits.callers,
    "crossrate_limit_crowded_calls_total Calls of callers who had to share a place in memory with others, because it was full.":
      (limits) => limits.crowded,
  }),
  /** Calls that are not yet in the ledger, and since when; null without any. */
  usage: reading<{ readonly calls: number; readonly since: Instant | null }>({
    "crossrate_usage_waiting_calls Calls, served or refused by a limit, that are not yet counted in the ledger.":
      (waiting) => waiting.calls,
    "crossrate_usage_waiting_seconds Age of the oldest call that is not yet counted in the ledger, in seconds; 0 when there is none.":
      ({ since }, now) => secondsSince(since, now) ?? 0,
  }),
  /** `answeredInSeconds` is null when the ledger did not answer. */
  ledger: reading<{ readonly kind: "sqlite" | "postgres"; readonly answeredInSeconds: number | null }>({
    "crossrate_ledger_ok{kind} 1 while the ledger answers, else 0.": ({ kind, answeredInSeconds }) => [
      [{ kind }, Number(answeredInSeconds !== null)],
    ],
    "crossrate_ledger_answer_seconds Time in which the ledger answered this scrape's question, in seconds; absent when it did not.":
      (ledger) => ledger.answeredInSeconds,
  }),
  webhooks: reading<Backlog>({
    "crossrate_webhook_due_deliveries Deliveries of events that are due and not claimed, of all replicas; 10000 stands for more.":
      (backlog) => backlog.due,
    "crossrate_webhook_due_seconds Since when the one of them that waits longest is due, in seconds; 0 when there is none.":
      ({ oldestDueAt }, now) => secondsSince(oldestDueAt, now) ?? 0,
  }),
  /** Notices received a while ago and not processed. Without a reader where nothing is sold. */
  billing: reading<{ readonly waiting: number; readonly reconciledAt: Instant | null }>({
    "crossrate_billing_notices_waiting Notices of the billing provider that were accepted a minute ago or earlier and not processed; 500 stands for more.":
      (notices) => notices.waiting,
    "crossrate_billing_reconciled_age_seconds Time since billing was last reconciled completely, by any replica, in seconds; absent until it was.":
      ({ reconciledAt }, now) => secondsSince(reconciledAt, now),
  }),
  /** Null before the server listens. */
  requestsInFlight: reading<number | null>({
    "crossrate_http_requests_in_flight Requests with answers that are made or sent now, streams among them.":
      (count) => count,
  }),
  caches: reading<readonly Pick<ReturnType<CacheBudget["uses"]>[number], "name" | "bytes" | "limitBytes">[]>({
    "crossrate_cache_bytes{cache} Memory that a cache holds now, in bytes.": (caches) =>
      caches.map(({ name: cache, bytes }) => [{ cache }, bytes]),
    "crossrate_cache_limit_bytes{cache} Memory that a cache may hold, in bytes; caches can share one bound.":
      (caches) => caches.map(({ name: cache, limitBytes }) => [{ cache }, limitBytes]),
  }),
};

function reading<Reading>(metrics: Shown<Reading>): Shown<Reading> {
  return metrics;
}

function oneOf(statuses: readonly string[], current: string, labels: Readonly<Record<string, string>>) {
  return statuses.map((status) => [{ ...labels, status }, Number(status === current)] as const);
}

/**
 * Returns every feed of the choice, with its number of active currencies. A feed counts as fallback for a currency if an earlier
 * feed should be active: the earlier feed was believed on this currency before, or never on any currency (it has been down from
 * the start). Else it counts as primary.
 */
export function activeFeeds(
  choices: FeedChoice,
): ReadonlyMap<FeedId, Readonly<Record<"primary" | "fallback", number>>> {
  const delivering = new Set<FeedId>();
  const spoken = new Map<FeedId, Readonly<Record<"primary" | "fallback", number>>>();
  for (const { feeds } of choices) {
    for (const { feed, newest } of feeds) {
      spoken.set(feed, { primary: 0, fallback: 0 });
      if (newest !== null) delivering.add(feed);
    }
  }
  for (const choice of choices) {
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
