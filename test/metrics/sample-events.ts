/** One event of every kind, complete by its type. Readers that answer for a running process. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { EMPTY_BOOK, merge } from "#domain/live/book.ts";
import { startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import type { MetricsReaders } from "#metrics/gauges.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";

/** A Monday at noon, the market open. */
export const NOON = Date.UTC(2026, 2, 2, 12);
const SECOND = 1000;

const SOURCE = { source: "ecb_daily" } as const;
const FEED = { feed: "massive" } as const;
const TABLE = { table: "pol_a" } as const;

/** What must not become a label: texts that are not among the code's own few values. */
export const UNBOUNDED = "an address, a figure or a secret";

type Kind = TelemetryEvent["kind"];
type EventOf<K extends Kind> = Extract<TelemetryEvent, { kind: K }>;
type Said<Event> = Event extends unknown ? Omit<Event, "kind"> : never;

/** What an event of each kind says beside it. */
const SAMPLES: { readonly [K in Kind]: Said<EventOf<K>> } = {
  server_started: { url: UNBOUNDED, mode: "live", version: "1" },
  shutdown_cut_off: { seconds: 25 },
  usage_lost: { calls: 7 },
  leadership_gained: { lease: UNBOUNDED, epoch: 2 },
  leadership_lost: { lease: UNBOUNDED, epoch: 2 },
  server_stopping: { signal: "SIGTERM" },
  listener_started: { listener: "operators", url: UNBOUNDED, tokenPath: UNBOUNDED },
  snapshot_old: { ...SOURCE, newestDay: UNBOUNDED },
  lake_committed: { version: UNBOUNDED, milliseconds: 40 },
  export_made: { identity: UNBOUNDED, format: "csv", bytes: 100, milliseconds: 40 },
  trace_collector_unavailable: { detail: UNBOUNDED },
  trace_collector_recovered: {},
  ledger_unavailable: { detail: UNBOUNDED },
  ledger_recovered: {},
  new_ledger_ignored: { ledger: UNBOUNDED },
  redis_unavailable: { use: "limits", effect: UNBOUNDED, detail: UNBOUNDED },
  redis_recovered: { use: "hot_book" },
  storage_unavailable: { address: UNBOUNDED, detail: UNBOUNDED },
  storage_recovered: { address: UNBOUNDED },
  archived_quotes_refused: { quotes: [UNBOUNDED] },
  release_unreadable: { path: UNBOUNDED },
  archive_read_only: { detail: UNBOUNDED },
  archive_flush_failed: { detail: UNBOUNDED },
  history_unsigned: { detail: UNBOUNDED },
  history_signed: {},
  sign_in_refused: { reason: "denied", detail: UNBOUNDED },
  identity_provider_failed: { reason: "issuer", detail: UNBOUNDED },
  api_key_unreadable: { key: UNBOUNDED, prefix: UNBOUNDED, detail: UNBOUNDED },
  billing_event_refused: { fault: "unsigned", detail: UNBOUNDED },
  billing_event_deferred: { id: UNBOUNDED, type: UNBOUNDED, fault: "unavailable", detail: UNBOUNDED },
  checkout_failed: { organization: UNBOUNDED, fault: "unavailable", detail: UNBOUNDED },
  billing_cancellation_failed: { organization: UNBOUNDED, fault: "unavailable", detail: UNBOUNDED },
  billing_reconciled: { customers: 3, notices: 2, changed: 1, failed: 0 },
  billing_reconcile_failed: { subject: UNBOUNDED, detail: UNBOUNDED },
  billing_price_differs: { detail: UNBOUNDED },
  plans_differ: { detail: UNBOUNDED },
  subscription_unassigned: {
    subscription: UNBOUNDED,
    customer: UNBOUNDED,
    organization: UNBOUNDED,
    reason: UNBOUNDED,
  },
  subscriptions_duplicated: { organization: UNBOUNDED, subscriptions: [UNBOUNDED] },
  history_built: { version: UNBOUNDED, observations: 250, milliseconds: 1_500 },
  collected: {
    ...SOURCE,
    route: "daily XML",
    accepted: 30,
    revised: 2,
    held: 1,
    withdrawn: 3,
    milliseconds: 250,
  },
  nothing_new: { ...SOURCE, outcome: "holiday", milliseconds: 40 },
  source_failed: { ...SOURCE, detail: UNBOUNDED, milliseconds: 40 },
  route_failed: { ...SOURCE, route: "daily XML", fault: "timeout, status", detail: UNBOUNDED },
  figure_held: { ...SOURCE, figure: UNBOUNDED, rule: "decimal_slip", reason: UNBOUNDED, count: 3 },
  figure_released: { ...SOURCE, figure: UNBOUNDED, by: "a later figure", count: 1 },
  lake_damaged: { detail: UNBOUNDED },
  ledger_begun: { ledger: UNBOUNDED },
  ledger_damaged: { detail: UNBOUNDED },
  publication_damaged: { ...TABLE, publication: UNBOUNDED, version: 1, detail: UNBOUNDED },
  request_failed: { requestId: "1", path: UNBOUNDED, error: UNBOUNDED },
  quotes_collected: { ...FEED, shown: 17, refused: 2 },
  feed_failed: { ...FEED, fault: "rate_limited", detail: UNBOUNDED },
  feed_switched: { currency: "EUR", from: null, to: "coinbase", reason: "first" },
  quote_held: { ...FEED, pair: UNBOUNDED, rule: "jump", reason: UNBOUNDED },
  quote_released: { ...FEED, currency: "JPY", price: UNBOUNDED },
  official_collected: { ...TABLE, published: 5, corrected: 1, milliseconds: 500 },
  official_nothing_new: { ...TABLE, outcome: "empty", milliseconds: 40 },
  official_failed: { ...TABLE, detail: UNBOUNDED, milliseconds: 40 },
  official_route_failed: { ...TABLE, route: "API", fault: "timeout, status", detail: UNBOUNDED },
  official_held: { ...TABLE, publication: UNBOUNDED, rule: "decimal_slip", reason: UNBOUNDED },
  official_released: { ...TABLE, publication: UNBOUNDED },
  export_failed: { identity: UNBOUNDED, error: UNBOUNDED },
  job_failed: { job: "lake-watch", error: UNBOUNDED },
};

export const SAMPLE_EVENTS = Object.fromEntries(
  Object.entries(SAMPLES).map(([kind, said]) => [kind, { kind, ...said }]),
) as unknown as { readonly [K in Kind]: EventOf<K> };

/** A quote against the dollar, so many seconds old at NOON. */
export function liveQuote(feed: FeedId, quote: CurrencyCode, ageSeconds: number): LiveQuote {
  return quoteOfPair(`USD/${quote}`, "1.25", NOON - ageSeconds * SECOND, { feed });
}

const BOOK = merge(
  EMPTY_BOOK,
  [liveQuote("coinbase", "EUR", 20), liveQuote("coinbase", "GBP", 50), liveQuote("massive", "JPY", 400)],
  NOON - 15 * SECOND,
);

const REFUSED = {
  ...{ price: "0.00628", perDollar: 0.00628 },
  ...{ reason: UNBOUNDED, observedAt: NOON, since: NOON },
};

/** All readers, answering: two feeds without an event so far, two daily sources, readers of the stream, accounts. */
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
        ...REFUSED,
        feed: "coinbase",
        currency: "JPY",
        pair: "USD/JPY",
        reference: { perDollar: 159.19, observedAt: NOON },
        rule: "beyond_reference",
        isUnanswered: true,
      },
      {
        ...REFUSED,
        feed: "massive",
        currency: "GBP",
        pair: "USD/GBP",
        reference: null,
        rule: "decimal_slip",
        isUnanswered: false,
      },
      {
        ...REFUSED,
        feed: "massive",
        currency: "EUR",
        pair: "EUR/USD",
        reference: null,
        rule: "contradicts",
        isUnanswered: false,
      },
    ],
  }),
  daily: async () => [
    {
      source: "ecb_daily",
      status: "ok",
      newestObservedAt: NOON - 3_600 * SECOND,
      wholeReadAt: NOON - 86_400 * SECOND,
      heldByRule: new Map([["implausible_jump", 2]]),
      contradictions: { count: 3, since: NOON - 7_200 * SECOND },
      behind: [{ code: "ISK", days: 3 }],
    },
    {
      source: "fred_daily",
      status: "missing",
      newestObservedAt: null,
      wholeReadAt: null,
      heldByRule: new Map(),
      contradictions: null,
      behind: [],
    },
  ],
  lakeReadable: async () => true,
  clockAhead: () => -180_000,
  collecting: () => true,
  official: async () => [
    { table: "pol_a", status: "ok", lastSuccessAt: NOON - 600 * SECOND, held: 1 },
    { table: "mex_fix", status: "missing", lastSuccessAt: null, held: 0 },
  ],
  stream: () => ({
    subscribers: 4,
    events: 900,
    coalesced: 30,
    begun: 7,
    resumed: 5,
    dropped: 2,
    refused: { full: 1, caller: 2, network: 3, keyless: 4 },
  }),
  limits: () => ({
    kind: "redis",
    status: "ok",
    detail: UNBOUNDED,
    callers: 12,
    crowded: 3,
  }),
  usage: () => ({ calls: 40, since: NOON - 0.75 * SECOND }),
  ledger: async () => ({ kind: "sqlite", answeredInSeconds: 0.004 }),
  webhooks: async () => ({ due: 6, oldestDueAt: NOON - 90 * SECOND }),
  billing: async () => ({ waiting: 1, reconciledAt: NOON - 1_800 * SECOND }),
  requestsInFlight: () => 3,
  caches: () => [
    { name: "ready", bytes: 2_000, limitBytes: 48_000_000 },
    { name: "range", bytes: 0, limitBytes: 48_000_000 },
  ],
};
