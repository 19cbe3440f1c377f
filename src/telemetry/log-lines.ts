/** Telemetry events as log lines: the level of each kind, and the format of a line. */

import { redact } from "#domain/net/redact.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";

/** From the quietest to the loudest. */
export const LEVELS = ["info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

/**
 * info: what the service did. warn: degraded or refused, and it goes on by itself or an operator
 * decides. error: a caller was not served, or stored data is damaged or out of reach.
 */
const EVENT_LEVELS: { readonly [Kind in TelemetryEvent["kind"]]: Level } = {
  server_started: "info",
  server_stopping: "info",
  listener_started: "info",
  history_built: "info",
  collected: "info",
  nothing_new: "info",
  route_failed: "warn",
  snapshot_old: "warn",
  source_failed: "warn",
  figure_held: "warn",
  figure_released: "info",
  quotes_collected: "info",
  feed_failed: "warn",
  feed_switched: "warn",
  quote_held: "warn",
  quote_released: "info",
  archived_quotes_refused: "warn",
  release_unreadable: "warn",
  shutdown_cut_off: "warn",
  leadership_gained: "info",
  leadership_lost: "warn",
  archive_read_only: "warn",
  archive_flush_failed: "warn",
  official_collected: "info",
  official_nothing_new: "info",
  official_route_failed: "warn",
  official_failed: "warn",
  official_held: "warn",
  official_doubted: "warn",
  official_released: "info",
  lake_committed: "info",
  lake_repaired: "warn",
  lake_damaged: "error",
  history_unsigned: "error",
  history_signed: "info",
  storage_unavailable: "warn",
  storage_recovered: "info",
  change_deferred: "warn",
  change_dropped: "warn",
  ledger_begun: "warn",
  ledger_damaged: "error",
  ledger_unavailable: "error",
  ledger_recovered: "info",
  new_ledger_ignored: "warn",
  publication_damaged: "error",
  redis_unavailable: "warn",
  redis_recovered: "info",
  redis_refused: "warn",
  sign_in_refused: "info",
  identity_provider_failed: "warn",
  api_key_unreadable: "warn",
  billing_event_refused: "warn",
  billing_event_deferred: "warn",
  checkout_failed: "warn",
  billing_cancellation_failed: "warn",
  billing_reconciled: "info",
  billing_reconcile_failed: "warn",
  subscription_unassigned: "warn",
  subscriptions_duplicated: "warn",
  request_failed: "error",
  export_made: "info",
  export_failed: "error",
  trace_collector_unavailable: "warn",
  trace_collector_recovered: "info",
  job_failed: "warn",
};

function levelOf(event: TelemetryEvent): Level {
  // At a start every currency gets its first feed: that is no change.
  if (event.kind === "feed_switched" && event.reason === "first") return "info";
  return EVENT_LEVELS[event.kind];
}

export interface LogOptions {
  /** Events below it are not written. */
  readonly level: Level;
  readonly now: () => Instant;
  /** Takes a line without its end. */
  readonly write: (line: string) => void;
}

/** Writes one JSON object a line: time, level, event, and the event's fields, without secrets. */
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
