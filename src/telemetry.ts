/** The union of the events that an operator can read; src/telemetry/log-lines.ts logs them, src/metrics/events.ts counts them. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { OfficialDoubtRule, OfficialHoldRule } from "#domain/official/doubts.ts";

/** The fields of each kind of event. `table` is the id of an official table. */
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
  /** `count` figures of one rule; `figure` is the first of them. */
  figure_held: { source: DailySource; figure: string; rule: string; reason: string; count: number };
  /** `count` figures; `figure` is the first of them. */
  figure_released: { source: DailySource; figure: string; by: string; count: number };
  /** An empty lake began with the packaged history, which is older than 45 days. */
  snapshot_old: { source: DailySource; newestDay: string };
  /** A change of the daily tables is durable. */
  lake_committed: { version: string; milliseconds: number };
  lake_repaired: { detail: string };
  /** Of more than 512 connections that arrive at once some wait a second to be accepted. */
  /** A stop took longer than it may: what was left is cut off. */
  shutdown_cut_off: { seconds: number };
  /** A file of the lake is not what its log says. */
  lake_damaged: { detail: string };
  /** Commits have no entry in the signed history; the next commit and the next start try again. `history_signed` ends it. */
  history_unsigned: { detail: string };
  history_signed: object;
  /** The lake's shared storage does not answer: the copy is served. Reported once an outage; `storage_recovered` ends it. */
  storage_unavailable: { address: string; detail: string };
  storage_recovered: { address: string };
  /** An accepted change waits on this machine for the storage. */
  change_deferred: { detail: string };
  /** A change that waited was not needed any more: another collector has committed meanwhile. */
  change_dropped: { detail: string };
  /** `traceId` where traces are sent. */
  request_failed: { requestId: string; path: string; error: string; traceId?: string };
  quotes_collected: { feed: FeedId; shown: number; refused: number };
  feed_failed: { feed: FeedId; fault: string; detail: string };
  feed_switched: { currency: CurrencyCode; from: FeedId | null; to: FeedId; reason: string };
  quote_held: { feed: FeedId; pair: string; rule: string; reason: string };
  /** An operator has released a live quote; reported by each server when it notices. */
  quote_released: { feed: FeedId; currency: CurrencyCode; price: string };
  official_collected: { table: string; published: number; corrected: number; milliseconds: number };
  official_nothing_new: { table: string; outcome: string; milliseconds: number };
  official_route_failed: { table: string; route: string; fault: string; detail: string };
  official_failed: { table: string; detail: string; milliseconds: number };
  official_held: { table: string; publication: string; rule: OfficialHoldRule; reason: string };
  official_doubted: { table: string; publication: string; rule: OfficialDoubtRule; reason: string };
  official_released: { table: string; publication: string };
  /** A ledger was made because --new-ledger asked for it. */
  ledger_begun: { ledger: string };
  ledger_damaged: { detail: string };
  publication_damaged: { table: string; publication: string; version: number; detail: string };
  /** A file was made, which serves later callers, too. */
  export_made: { identity: string; format: string; bytes: number; milliseconds: number };
  export_failed: { identity: string; error: string };
  /** Traces are not taken. Reported once an outage; `trace_collector_recovered` ends it. */
  trace_collector_unavailable: { detail: string };
  trace_collector_recovered: object;
  job_failed: { job: string; error: string };
  /** This process collects from now on, under this epoch of the lease. */
  leadership_gained: { lease: string; epoch: number };
  /** Another process has taken the lease: this one was paused, or cut off from the ledger. */
  leadership_lost: { lease: string; epoch: number };
  /** A listener beside that of the API. `tokenPath` is the file with the operators' token. */
  listener_started:
    | { listener: "metrics"; url: string }
    | { listener: "operators"; url: string; tokenPath: string };
  /** Reported once an outage; `ledger_recovered` ends it. */
  ledger_unavailable: { detail: string };
  ledger_recovered: object;
  /** --new-ledger was given, and there is a ledger: it is used as it is. */
  new_ledger_ignored: { ledger: string };
  /** Redis cannot be reached. `effect` says what this process does without it; `redis_recovered` ends it. */
  redis_unavailable: { use: RedisUse; effect: string; detail: string };
  redis_recovered: { use: RedisUse };
  /** Redis answers, but refuses a command, such as for a missing right. Reported once until it works. */
  redis_refused: { use: RedisUse; effect: string; detail: string };
  /** Newest quotes of the archive that a start does not serve, because they are beyond the reference. */
  archived_quotes_refused: { quotes: readonly string[] };
  /** A line of the file of released quotes cannot be read; it releases nothing. */
  release_unreadable: { path: string };
  /** Another process owns the journal of the archive; this one only reads. */
  archive_read_only: { detail: string };
  /** Quotes stay in the journal; the next flush tries again. */
  archive_flush_failed: { detail: string };
  /** The person or their browser ended a sign-in at the identity provider: denied, begun elsewhere, or too late. */
  sign_in_refused: { reason: string; detail: string };
  /** The identity provider is unavailable, or its answer is not acceptable. */
  identity_provider_failed: { reason: string; detail: string };
  api_key_unreadable: { key: string; prefix: string; detail: string };
  /** `fault` is a kind of BillingFault here and below. */
  billing_event_refused: { fault: string; detail: string };
  /** A verified event that cannot be applied yet: the provider sends it again. */
  billing_event_deferred: { id: string; type: string; fault: string; detail: string };
  checkout_failed: { organization: string; fault: string; detail: string };
  billing_cancellation_failed: { organization: string; fault: string; detail: string };
  billing_reconciled: { customers: number; notices: number; changed: number; failed: number };
  /** A customer or an event that a reconciliation could not read. */
  billing_reconcile_failed: { subject: string; detail: string };
  /** A running subscription names an organization that is gone or has another customer. */
  subscription_unassigned: { subscription: string; customer: string; organization: string; reason: string };
  /** One organization pays for several subscriptions; the best one counts. */
  subscriptions_duplicated: { organization: string; subscriptions: readonly string[] };
}

export type TelemetryEvent = {
  readonly [Kind in keyof EventFields]: { readonly kind: Kind } & Readonly<EventFields[Kind]>;
}[keyof EventFields];

/** What Redis is used for, where the use can fail on its own. */
export type RedisUse = "hot_book" | "limits" | "sign_in_attempts" | "key_messages";

export type Emit = (event: TelemetryEvent) => void;

/** A use of DuckDB's engine, on a channel of the runtime: without a listener it costs nothing. */
export interface EngineUse {
  readonly milliseconds: number;
  /** It was interrupted, or a statement failed. */
  readonly isFailed: boolean;
}
