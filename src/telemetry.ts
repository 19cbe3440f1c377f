/** The union of the events that an operator can read; src/telemetry/log-lines.ts logs them, src/metrics/event-counters.ts counts them. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { OfficialDoubtRule } from "#domain/official/doubts.ts";

export type TelemetryEvent =
  | { readonly kind: "server_started"; readonly url: string; readonly mode: string; readonly version: string }
  | { readonly kind: "server_stopping"; readonly signal: string }
  | {
      readonly kind: "history_built";
      readonly version: string;
      readonly observations: number;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "collected";
      readonly source: DailySource;
      readonly route: string;
      readonly accepted: number;
      readonly revised: number;
      readonly held: number;
      readonly withdrawn: number;
      readonly milliseconds: number;
    }
  | { readonly kind: "nothing_new"; readonly source: DailySource; readonly outcome: string }
  | {
      readonly kind: "route_failed";
      readonly source: DailySource;
      readonly route: string;
      readonly fault: string;
      readonly detail: string;
    }
  | { readonly kind: "source_failed"; readonly source: DailySource; readonly detail: string }
  | {
      readonly kind: "figure_held";
      readonly source: DailySource;
      readonly figure: string;
      readonly rule: string;
      readonly reason: string;
    }
  | {
      readonly kind: "figure_released";
      readonly source: DailySource;
      readonly figure: string;
      readonly by: string;
    }
  | { readonly kind: "lake_repaired"; readonly detail: string }
  /** A file of the lake is not what its log says. */
  | { readonly kind: "lake_damaged"; readonly detail: string }
  | {
      readonly kind: "request_failed";
      readonly requestId: string;
      readonly path: string;
      readonly error: string;
    }
  | {
      readonly kind: "quotes_collected";
      readonly feed: FeedId;
      readonly shown: number;
      readonly refused: number;
    }
  | { readonly kind: "feed_failed"; readonly feed: FeedId; readonly fault: string; readonly detail: string }
  | {
      readonly kind: "feed_switched";
      readonly currency: CurrencyCode;
      readonly from: FeedId | null;
      readonly to: FeedId;
      readonly reason: string;
    }
  | {
      readonly kind: "quote_held";
      readonly feed: FeedId;
      readonly pair: string;
      readonly rule: string;
      readonly reason: string;
    }
  | {
      /** An operator has released a live quote; reported by each server when it notices. */
      readonly kind: "quote_released";
      readonly feed: FeedId;
      readonly currency: CurrencyCode;
      readonly price: string;
    }
  | {
      readonly kind: "official_collected";
      /** Id of an official table. */
      readonly table: string;
      readonly published: number;
      readonly corrected: number;
      readonly milliseconds: number;
    }
  | { readonly kind: "official_nothing_new"; readonly table: string; readonly outcome: string }
  | {
      readonly kind: "official_route_failed";
      readonly table: string;
      readonly route: string;
      readonly fault: string;
      readonly detail: string;
    }
  | { readonly kind: "official_failed"; readonly table: string; readonly detail: string }
  | {
      readonly kind: "official_held" | "official_doubted";
      readonly table: string;
      readonly publication: string;
      readonly rule: OfficialDoubtRule;
      readonly reason: string;
    }
  | { readonly kind: "official_released"; readonly table: string; readonly publication: string }
  | {
      /** A ledger was made beside a lake that has data, or because --new-ledger asked for it (`asked`). */
      readonly kind: "ledger_begun";
      readonly ledger: string;
      readonly asked: boolean;
    }
  | { readonly kind: "ledger_damaged"; readonly detail: string }
  | {
      readonly kind: "publication_damaged";
      /** Id of an official table. */
      readonly table: string;
      readonly publication: string;
      readonly version: number;
      readonly detail: string;
    }
  | { readonly kind: "export_failed"; readonly identity: string; readonly error: string }
  | { readonly kind: "job_failed"; readonly job: string; readonly error: string }
  /** A listener beside that of the API. `tokenPath` is the file with the operators' token. */
  | { readonly kind: "listener_started"; readonly listener: "metrics"; readonly url: string }
  | {
      readonly kind: "listener_started";
      readonly listener: "operators";
      readonly url: string;
      readonly tokenPath: string;
    }
  /** Reported once an outage; `ledger_recovered` ends it. */
  | { readonly kind: "ledger_unavailable"; readonly detail: string }
  | { readonly kind: "ledger_recovered" }
  /** --new-ledger was given, and there is a ledger: it is used as it is. */
  | { readonly kind: "new_ledger_ignored"; readonly ledger: string }
  | { readonly kind: "installation_file_rewritten"; readonly path: string }
  /** Redis cannot be reached. `effect` says what this process does without it; `redis_recovered` ends it. */
  | {
      readonly kind: "redis_unavailable";
      readonly use: RedisUse;
      readonly effect: string;
      readonly detail: string;
    }
  | { readonly kind: "redis_recovered"; readonly use: RedisUse }
  /** Redis answers, but refuses a command, such as for a missing right. Reported once until it works. */
  | {
      readonly kind: "redis_refused";
      readonly use: RedisUse;
      readonly effect: string;
      readonly detail: string;
    }
  /** Newest quotes of the archive that a start does not serve, because they are beyond the reference. */
  | { readonly kind: "archived_quotes_refused"; readonly quotes: readonly string[] }
  /** A line of the file of released quotes cannot be read; it releases nothing. */
  | { readonly kind: "release_unreadable"; readonly path: string }
  /** Another process owns the journal of the archive; this one only reads. */
  | { readonly kind: "archive_read_only"; readonly detail: string }
  /** Quotes stay in the journal; the next flush tries again. */
  | { readonly kind: "archive_flush_failed"; readonly detail: string }
  /** The person or their browser ended a sign-in at the identity provider: denied, begun elsewhere, or too late. */
  | { readonly kind: "sign_in_refused"; readonly reason: string; readonly detail: string }
  /** The identity provider is unavailable, or its answer is not acceptable. */
  | { readonly kind: "identity_provider_failed"; readonly reason: string; readonly detail: string }
  | {
      readonly kind: "api_key_unreadable";
      readonly key: string;
      readonly prefix: string;
      readonly detail: string;
    }
  /** `fault` is a kind of BillingFault here and below. */
  | { readonly kind: "billing_event_refused"; readonly fault: string; readonly detail: string }
  /** A verified event that cannot be applied yet: the provider sends it again. */
  | {
      readonly kind: "billing_event_deferred";
      readonly id: string;
      readonly type: string;
      readonly fault: string;
      readonly detail: string;
    }
  | {
      readonly kind: "checkout_failed" | "billing_cancellation_failed";
      readonly organization: string;
      readonly fault: string;
      readonly detail: string;
    }
  | {
      readonly kind: "billing_reconciled";
      readonly customers: number;
      readonly notices: number;
      readonly changed: number;
      readonly failed: number;
    }
  /** A customer or an event that a reconciliation could not read. */
  | { readonly kind: "billing_reconcile_failed"; readonly subject: string; readonly detail: string }
  /** A running subscription names an organization that is gone or has another customer. */
  | {
      readonly kind: "subscription_unassigned";
      readonly subscription: string;
      readonly customer: string;
      readonly organization: string;
      readonly reason: string;
    }
  /** One organization pays for several subscriptions; the best one counts. */
  | {
      readonly kind: "subscriptions_duplicated";
      readonly organization: string;
      readonly subscriptions: readonly string[];
    };

/** What Redis is used for, where the use can fail on its own. */
export type RedisUse = "hot_book" | "limits" | "sign_in_attempts" | "key_messages";

export type Emit = (event: TelemetryEvent) => void;
