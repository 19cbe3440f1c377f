/** One happening of every kind, and what it must move: complete by its type. Readers that answer for a running process. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { EMPTY_BOOK, merge } from "#domain/live/book.ts";
import { startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import type { MetricsReaders } from "#metrics/readers.ts";
import type { Happening } from "#telemetry.ts";

/** A Monday at noon, the market open. */
export const NOON = Date.UTC(2026, 2, 2, 12);
const SECOND = 1000;

export interface Told {
  readonly happening: Happening;
  /** Name, labels and rise of every series that it moves, beside crossrate_events_total; empty where that is all. */
  readonly moves: readonly (readonly [string, Readonly<Record<string, string>>, number])[];
}

const SOURCE = { source: "ecb_daily" } as const;
const FEED = { feed: "massive" } as const;
const TABLE = { table: "pol_a" } as const;

/** What must not become a label: texts that are not of the code's own few words. */
export const UNBOUNDED = "an address, a figure or a secret";

export const TOLD: { readonly [Kind in Happening["kind"]]: Told & { happening: { kind: Kind } } } = {
  server_started: {
    happening: { kind: "server_started", url: UNBOUNDED, mode: "live", version: "1" },
    moves: [],
  },
  server_stopping: { happening: { kind: "server_stopping", signal: "SIGTERM" }, moves: [] },
  notice: { happening: { kind: "notice", text: UNBOUNDED }, moves: [] },
  history_built: {
    happening: { kind: "history_built", version: UNBOUNDED, observations: 250, milliseconds: 1_500 },
    moves: [
      ["crossrate_history_builds_total", {}, 1],
      ["crossrate_history_build_seconds_total", {}, 1.5],
      ["crossrate_dataset_observations", {}, 250],
    ],
  },
  collected: {
    happening: {
      ...{ kind: "collected", ...SOURCE, route: "daily XML", accepted: 30, revised: 2 },
      ...{ held: 1, withdrawn: 3, milliseconds: 250 },
    },
    moves: [
      ["crossrate_collections_total", { ...SOURCE, result: "changed" }, 1],
      ["crossrate_collection_seconds_total", SOURCE, 0.25],
      ["crossrate_observations_total", { ...SOURCE, change: "added" }, 28],
      ["crossrate_observations_total", { ...SOURCE, change: "revised" }, 2],
      ["crossrate_observations_total", { ...SOURCE, change: "withdrawn" }, 3],
    ],
  },
  nothing_new: {
    happening: { kind: "nothing_new", ...SOURCE, outcome: "holiday" },
    moves: [["crossrate_collections_total", { ...SOURCE, result: "holiday" }, 1]],
  },
  source_failed: {
    happening: { kind: "source_failed", ...SOURCE, detail: UNBOUNDED },
    moves: [["crossrate_collections_total", { ...SOURCE, result: "failed" }, 1]],
  },
  route_failed: {
    happening: {
      ...{ kind: "route_failed", ...SOURCE, route: "daily XML" },
      ...{ fault: "timeout, status", detail: UNBOUNDED },
    },
    moves: [
      ["crossrate_route_failures_total", { ...SOURCE, route: "daily XML", fault: "timeout" }, 1],
      ["crossrate_route_failures_total", { ...SOURCE, route: "daily XML", fault: "status" }, 1],
    ],
  },
  figure_held: {
    happening: {
      ...{ kind: "figure_held", ...SOURCE, figure: UNBOUNDED },
      ...{ rule: "decimal_slip", reason: UNBOUNDED },
    },
    moves: [["crossrate_figures_held_total", { ...SOURCE, rule: "decimal_slip" }, 1]],
  },
  figure_released: {
    happening: { kind: "figure_released", ...SOURCE, figure: UNBOUNDED, by: "a later figure" },
    moves: [["crossrate_figures_released_total", { ...SOURCE, by: "figure" }, 1]],
  },
  lake_damaged: {
    happening: { kind: "lake_damaged", detail: UNBOUNDED },
    moves: [["crossrate_damage_total", { part: "lake" }, 1]],
  },
  ledger_begun: { happening: { kind: "ledger_begun", ledger: UNBOUNDED, asked: true }, moves: [] },
  ledger_damaged: {
    happening: { kind: "ledger_damaged", detail: UNBOUNDED },
    moves: [["crossrate_damage_total", { part: "ledger" }, 1]],
  },
  publication_damaged: {
    happening: {
      ...{ kind: "publication_damaged", ...TABLE, publication: UNBOUNDED },
      ...{ version: 1, detail: UNBOUNDED },
    },
    moves: [["crossrate_damage_total", { part: "publication" }, 1]],
  },
  lake_repaired: {
    happening: { kind: "lake_repaired", detail: UNBOUNDED },
    moves: [["crossrate_lake_repairs_total", {}, 1]],
  },
  request_failed: {
    happening: { kind: "request_failed", requestId: "1", path: UNBOUNDED, error: UNBOUNDED },
    moves: [["crossrate_request_failures_total", {}, 1]],
  },
  quotes_collected: {
    happening: { kind: "quotes_collected", ...FEED, shown: 17, refused: 2 },
    moves: [
      ["crossrate_feed_answers_total", FEED, 1],
      ["crossrate_quotes_shown_total", FEED, 17],
      ["crossrate_quotes_refused_total", FEED, 2],
    ],
  },
  feed_failed: {
    happening: { kind: "feed_failed", ...FEED, fault: "rate_limited", detail: UNBOUNDED },
    moves: [["crossrate_feed_failures_total", { ...FEED, fault: "rate_limited" }, 1]],
  },
  feed_switched: {
    happening: { kind: "feed_switched", currency: "EUR", from: null, to: "coinbase", reason: "first" },
    moves: [["crossrate_feed_switches_total", { from: "none", to: "coinbase", reason: "first" }, 1]],
  },
  quote_held: {
    happening: { kind: "quote_held", ...FEED, pair: UNBOUNDED, rule: "jump", reason: UNBOUNDED },
    moves: [["crossrate_quotes_held_total", { ...FEED, rule: "jump" }, 1]],
  },
  quote_released: {
    happening: { kind: "quote_released", ...FEED, currency: "JPY", price: UNBOUNDED },
    moves: [["crossrate_quotes_released_total", FEED, 1]],
  },
  official_collected: {
    happening: { kind: "official_collected", ...TABLE, published: 5, corrected: 1, milliseconds: 500 },
    moves: [
      ["crossrate_official_collections_total", { ...TABLE, result: "changed" }, 1],
      ["crossrate_official_collection_seconds_total", TABLE, 0.5],
      ["crossrate_official_versions_total", { ...TABLE, change: "published" }, 5],
      ["crossrate_official_versions_total", { ...TABLE, change: "corrected" }, 1],
    ],
  },
  official_nothing_new: {
    happening: { kind: "official_nothing_new", ...TABLE, outcome: "empty" },
    moves: [["crossrate_official_collections_total", { ...TABLE, result: "empty" }, 1]],
  },
  official_failed: {
    happening: { kind: "official_failed", ...TABLE, detail: UNBOUNDED },
    moves: [["crossrate_official_collections_total", { ...TABLE, result: "failed" }, 1]],
  },
  official_route_failed: {
    happening: {
      ...{ kind: "official_route_failed", ...TABLE, route: "API" },
      ...{ fault: "timeout, status", detail: UNBOUNDED },
    },
    moves: [
      ["crossrate_official_route_failures_total", { ...TABLE, fault: "timeout" }, 1],
      ["crossrate_official_route_failures_total", { ...TABLE, fault: "status" }, 1],
    ],
  },
  official_held: {
    happening: {
      ...{ kind: "official_held", ...TABLE, publication: UNBOUNDED },
      ...{ rule: "decimal_slip", reason: UNBOUNDED },
    },
    moves: [["crossrate_official_held_total", { ...TABLE, rule: "decimal_slip" }, 1]],
  },
  official_released: {
    happening: { kind: "official_released", ...TABLE, publication: UNBOUNDED },
    moves: [["crossrate_official_released_total", TABLE, 1]],
  },
  official_doubted: {
    happening: {
      ...{ kind: "official_doubted", ...TABLE, publication: UNBOUNDED },
      ...{ rule: "vanished", reason: UNBOUNDED },
    },
    moves: [["crossrate_official_doubted_total", { ...TABLE, rule: "vanished" }, 1]],
  },
  export_failed: {
    happening: { kind: "export_failed", identity: UNBOUNDED, error: UNBOUNDED },
    moves: [["crossrate_export_failures_total", {}, 1]],
  },
  job_failed: {
    happening: { kind: "job_failed", job: "lake-watch", error: UNBOUNDED },
    moves: [["crossrate_job_failures_total", { job: "lake-watch" }, 1]],
  },
};

/** A quote against the dollar, so many seconds old at NOON. */
export function liveQuote(feed: FeedId, quote: CurrencyCode, ageSeconds: number): LiveQuote {
  const observedAt = NOON - ageSeconds * SECOND;
  return { feed, base: "USD", quote, bid: null, ask: null, mid: "1.25", observedAt, retrievedAt: observedAt };
}

export const BOOK = merge(
  EMPTY_BOOK,
  [liveQuote("coinbase", "EUR", 20), liveQuote("coinbase", "GBP", 50), liveQuote("massive", "JPY", 400)],
  NOON - 15 * SECOND,
);

/** All readers, answering: two feeds of which nobody has spoken yet, two daily sources, readers of the stream, accounts. */
export const READERS: MetricsReaders = {
  hotBook: () => ({
    book: BOOK,
    state: { status: "ok" },
    kind: "memory",
    staleQuotes: 1,
    unconfirmed: ["GBP"],
  }),
  feeds: async () => ({
    states: [
      { feed: "coinbase", lastSuccessAt: NOON - 30 * SECOND, pausedUntil: NOON - SECOND },
      { feed: "massive", lastSuccessAt: null, pausedUntil: NOON + SECOND },
    ],
    choice: startChoice(
      [
        { feed: "coinbase", oldestSeconds: 180 },
        { feed: "massive", oldestSeconds: 180 },
      ],
      ["EUR", "GBP", "JPY"],
    ),
    refused: [
      {
        ...{ feed: "coinbase", currency: "JPY", pair: "USD/JPY", price: "0.00628", perDollar: 0.00628 },
        ...{
          reference: { perDollar: 159.19, observedAt: NOON },
          rule: "beyond_reference",
          reason: UNBOUNDED,
        },
        ...{ observedAt: NOON, since: NOON, isUnanswered: true },
      },
      {
        ...{ feed: "massive", currency: "GBP", pair: "USD/GBP", price: "7.5", perDollar: 7.5 },
        ...{ reference: null, rule: "decimal_slip", reason: UNBOUNDED },
        ...{ observedAt: NOON, since: NOON, isUnanswered: false },
      },
    ],
  }),
  daily: async () => [
    {
      source: "ecb_daily",
      status: "ok",
      newestObservedAt: NOON - 3_600 * SECOND,
      wholeReadAt: NOON - 86_400 * SECOND,
      held: 2,
    },
    { source: "fred_daily", status: "missing", newestObservedAt: null, wholeReadAt: null, held: 0 },
  ],
  lakeReadable: async () => true,
  official: async () => [
    { table: "pol_a", status: "ok", lastSuccessAt: NOON - 600 * SECOND, held: 1 },
    { table: "mex_fix", status: "missing", lastSuccessAt: null, held: 0 },
  ],
  stream: () => ({
    ...{ subscribers: 4, events: 900, coalesced: 30 },
    ...{ begun: 7, resumed: 5, dropped: 2 },
    refused: { full: 1, caller: 2, network: 3, keyless: 4 },
  }),
  limits: () => ({
    ...{ kind: "redis", status: "ok", detail: UNBOUNDED },
    ...{ lastSeenAt: NOON - 2 * SECOND, callers: 12, crowded: 3 },
  }),
  usage: () => ({ calls: 40, since: NOON - 0.75 * SECOND }),
  ledger: async () => ({ kind: "sqlite", answeredInSeconds: 0.004 }),
  webhooks: async () => ({ due: 6, oldestDueAt: NOON - 90 * SECOND }),
  billing: async () => ({ waiting: 1, reconciledAt: NOON - 1_800 * SECOND }),
  listener: async () => ({ connections: 17, requestsInFlight: 3 }),
  caches: () => [
    { name: "ready", bytes: 2_000, limitBytes: 48_000_000 },
    { name: "range", bytes: 0, limitBytes: 48_000_000 },
  ],
};
