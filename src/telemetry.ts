/** The events that an operator can read, and their log lines. src/metrics/events.ts counts them. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { redact } from "#domain/net/redact.ts";
import type { OfficialHoldRule } from "#domain/official/doubts.ts";
import type { Instant } from "#domain/time/day.ts";

/** `table` is the id of an official table. */
interface EventFields {
  server_started: { url: string; mode: string; version: string };
  server_stopping: { signal: string };
  history_built: { version: string; observations: number; milliseconds: number };
  collected: {
    source: DailySource;
    route: string;
    accepted: number;
    revised: number;
    held: number;
    withdrawn: number;
    milliseconds: number;
  };
  nothing_new: { source: DailySource; outcome: string; milliseconds: number };
  route_failed: { source: DailySource; route: string; fault: string; detail: string };
  source_failed: { source: DailySource; detail: string; milliseconds: number };
  figure_held: { source: DailySource; figure: string; rule: string; reason: string; count: number };
  /** `figure` is the first of `count`. */
  figure_released: { source: DailySource; figure: string; by: string; count: number };
  /** An empty lake began with the packaged history, which is older than 45 days. */
  snapshot_old: { source: DailySource; newestDay: string };
  lake_committed: { version: string; milliseconds: number };
  /** A stop took longer than it may: the remaining work is cut off. */
  shutdown_cut_off: { seconds: number };
  /** The ledger did not take these calls before the process ended. */
  usage_lost: { calls: number };
  lake_damaged: { detail: string };
  /** The next commit and the next start try again; `history_signed` ends it. */
  history_unsigned: { detail: string };
  history_signed: object;
  /** The local copy is served. Emitted once per outage; `storage_recovered` ends it. */
  storage_unavailable: { address: string; detail: string };
  storage_recovered: { address: string };
  request_failed: { requestId: string; path: string; error: string; traceId?: string };
  quotes_collected: { feed: FeedId; shown: number; refused: number };
  feed_failed: { feed: FeedId; fault: string; detail: string };
  feed_switched: { currency: CurrencyCode; from: FeedId | null; to: FeedId; reason: string };
  quote_held: { feed: FeedId; pair: string; rule: string; reason: string };
  /** Emitted by each server when it notices the release. */
  quote_released: { feed: FeedId; currency: CurrencyCode; price: string };
  official_collected: { table: string; published: number; corrected: number; milliseconds: number };
  official_nothing_new: { table: string; outcome: string; milliseconds: number };
  official_route_failed: { table: string; route: string; fault: string; detail: string };
  official_failed: { table: string; detail: string; milliseconds: number };
  official_held: { table: string; publication: string; rule: OfficialHoldRule; reason: string };
  official_released: { table: string; publication: string };
  ledger_begun: { ledger: string };
  ledger_damaged: { detail: string };
  publication_damaged: { table: string; publication: string; version: number; detail: string };
  /** The file serves later callers, too. */
  export_made: { identity: string; format: string; bytes: number; milliseconds: number };
  export_failed: { identity: string; error: string };
  /** Emitted once per outage; `trace_collector_recovered` ends it. */
  trace_collector_unavailable: { detail: string };
  trace_collector_recovered: object;
  job_failed: { job: string; error: string };
  /** This process collects from now on. */
  leadership_gained: { lease: string; epoch: number };
  /** This process was paused, or cut off from the ledger. */
  leadership_lost: { lease: string; epoch: number };
  /** `tokenPath` is the file of the operators' token. */
  listener_started:
    | { listener: "metrics"; url: string }
    | { listener: "operators"; url: string; tokenPath: string };
  /** Emitted once per outage; `ledger_recovered` ends it. */
  ledger_unavailable: { detail: string };
  ledger_recovered: object;
  /** --new-ledger was given, but there is a ledger. */
  new_ledger_ignored: { ledger: string };
  /** `effect` says what this process does without it; `redis_recovered` ends it. */
  redis_unavailable: { use: RedisUse; effect: string; detail: string };
  redis_recovered: { use: RedisUse };
  /** The quotes are too far from the present reference. */
  archived_quotes_refused: { quotes: readonly string[] };
  /** The file has no effect. */
  release_unreadable: { path: string };
  /** This process only reads. */
  archive_read_only: { detail: string };
  /** Quotes stay in the journal; the next flush tries again. */
  archive_flush_failed: { detail: string };
  /** Denied, begun elsewhere, or too late. */
  sign_in_refused: { reason: string; detail: string };
  /** The identity provider is unavailable, or its answer is not acceptable. */
  identity_provider_failed: { reason: string; detail: string };
  api_key_unreadable: { key: string; prefix: string; detail: string };
  /** `fault` is a kind of BillingFault here and below. */
  billing_event_refused: { fault: string; detail: string };
  /** The provider sends it again. */
  billing_event_deferred: { id: string; type: string; fault: string; detail: string };
  checkout_failed: { organization: string; fault: string; detail: string };
  billing_cancellation_failed: { organization: string; fault: string; detail: string };
  billing_reconciled: { customers: number; notices: number; changed: number; failed: number };
  /** A customer or an event that a reconciliation could not read. */
  billing_reconcile_failed: { subject: string; detail: string };
  /** The provider charges another price than the table of plans says. */
  billing_price_differs: { detail: string };
  plans_differ: { detail: string };
  /** A running subscription names an organization that is gone or has another customer. */
  subscription_unassigned: { subscription: string; customer: string; organization: string; reason: string };
  subscriptions_duplicated: { organization: string; subscriptions: readonly string[] };
}

export type TelemetryEvent = {
  readonly [Kind in keyof EventFields]: { readonly kind: Kind } & Readonly<EventFields[Kind]>;
}[keyof EventFields];

/** Uses of Redis that can fail on their own. */
export type RedisUse = "hot_book" | "limits";

export type Emit = (event: TelemetryEvent) => void;

/** Frequent work of accounts, which is counted and not logged, with its labels; src/metrics/accounts.ts explains each. */
interface AccountCounters {
  granted: "caller" | "by";
  refusals: "caller" | "reason";
  keyChecks: "outcome";
  mails: "outcome";
  billingCalls: "call" | "outcome";
  notices: "status";
  attempts: "outcome";
  deliveries: "outcome";
}
export type AccountCounter = keyof AccountCounters;

/** Label values are fixed in the code: there are few. */
export type Count = <Name extends AccountCounter>(
  name: Name,
  labels: Readonly<Record<AccountCounters[Name], string>>,
  by?: number,
) => void;

export const LEVELS = ["info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

/**
 * Events that are not listed are info: what the service did. warn: degraded or refused; it recovers by itself or an operator decides.
 * error: a caller was not served, or stored data is damaged or out of reach.
 */
const EVENT_LEVELS: { readonly [Kind in TelemetryEvent["kind"]]?: Level } = {
  route_failed: "warn",
  snapshot_old: "warn",
  source_failed: "warn",
  figure_held: "warn",
  feed_failed: "warn",
  feed_switched: "warn",
  quote_held: "warn",
  archived_quotes_refused: "warn",
  release_unreadable: "warn",
  shutdown_cut_off: "warn",
  leadership_lost: "warn",
  archive_read_only: "warn",
  archive_flush_failed: "warn",
  official_route_failed: "warn",
  official_failed: "warn",
  official_held: "warn",
  usage_lost: "error",
  lake_damaged: "error",
  history_unsigned: "error",
  storage_unavailable: "warn",
  ledger_begun: "warn",
  ledger_damaged: "error",
  ledger_unavailable: "error",
  new_ledger_ignored: "warn",
  publication_damaged: "error",
  redis_unavailable: "warn",
  identity_provider_failed: "warn",
  api_key_unreadable: "warn",
  billing_event_refused: "warn",
  billing_event_deferred: "warn",
  checkout_failed: "warn",
  billing_cancellation_failed: "warn",
  billing_reconcile_failed: "warn",
  billing_price_differs: "error",
  plans_differ: "error",
  subscription_unassigned: "warn",
  subscriptions_duplicated: "warn",
  request_failed: "error",
  export_failed: "error",
  trace_collector_unavailable: "warn",
  job_failed: "warn",
};

function levelOf(event: TelemetryEvent): Level {
  // The first feed at a start is no change.
  if (event.kind === "feed_switched" && event.reason === "first") return "info";
  return EVENT_LEVELS[event.kind] ?? "info";
}

export interface LogOptions {
  readonly level: Level;
  readonly now: () => Instant;
  readonly write: (line: string) => void;
}

/** One JSON object a line: time, level, event, fields, without secrets. */
export function logLines({ level: lowest, now, write }: LogOptions): Emit {
  return (event) => {
    const level = levelOf(event);
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return;
    const { kind, ...fields } = event;
    // An upstream's message can contain a secret.
    const safe = (_: string, field: unknown) => (typeof field === "string" ? redact(field) : field);
    write(JSON.stringify({ time: new Date(now()).toISOString(), level, event: kind, ...fields }, safe));
  };
}
