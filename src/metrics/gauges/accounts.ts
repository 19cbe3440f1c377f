/** Gauges of the side of accounts: limits, usage, ledger, webhooks, billing. Filled at a scrape from what the readers answer. */

import type { Registry } from "prom-client";
import type { Instant } from "#domain/time/day.ts";
import { gauge, total } from "#metrics/instruments.ts";
import type { MetricsReaders } from "#metrics/readers.ts";
import { group, type ReaderGroup } from "#metrics/scrape.ts";

export function accountGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  return [
    limitGauges(registry),
    usageGauges(registry),
    ledgerGauges(registry),
    webhookGauges(registry),
    billingGauges(registry),
  ];
}

function limitGauges(registry: Registry) {
  const ok = gauge(
    registry,
    "crossrate_limits_ok",
    "1 while limits are counted as configured, 0 while each replica grants its share of them.",
    ["kind"],
  );
  const silence = gauge(
    registry,
    "crossrate_limits_store_silence_seconds",
    "Time since the store that replicas share last answered about limits, in seconds.",
  );
  const callers = gauge(registry, "crossrate_limit_callers", "Callers whose calls this process remembers.");
  const crowded = total(
    registry,
    "crossrate_limit_crowded_calls_total",
    "Calls of callers who had to share a place in memory with others, because it was full.",
  );
  return group("limits", [ok, silence, callers, crowded], (state, now) => {
    ok.set({ kind: state.kind }, state.status === "ok" ? 1 : 0);
    silence.set({}, secondsSince(state.lastSeenAt, now));
    callers.set({}, state.callers);
    crowded.set({}, state.crowded);
  });
}

function usageGauges(registry: Registry) {
  const calls = gauge(
    registry,
    "crossrate_usage_waiting_calls",
    "Calls, served or refused by a limit, that are not yet counted in the ledger.",
  );
  const age = gauge(
    registry,
    "crossrate_usage_waiting_seconds",
    "Age of the oldest call that is not yet counted in the ledger, in seconds; 0 when there is none.",
  );
  return group("usage", [calls, age], (waiting, now) => {
    calls.set({}, waiting.calls);
    age.set({}, secondsSince(waiting.since, now) ?? 0);
  });
}

function ledgerGauges(registry: Registry) {
  const ok = gauge(registry, "crossrate_ledger_ok", "1 while the ledger answers, else 0.", ["kind"]);
  const seconds = gauge(
    registry,
    "crossrate_ledger_answer_seconds",
    "Time in which the ledger answered this scrape's question, in seconds; absent when it did not.",
  );
  return group("ledger", [ok, seconds], ({ kind, answeredInSeconds }) => {
    ok.set({ kind }, answeredInSeconds === null ? 0 : 1);
    seconds.set({}, answeredInSeconds);
  });
}

function webhookGauges(registry: Registry) {
  const due = gauge(
    registry,
    "crossrate_webhook_due_deliveries",
    "Deliveries of events that are due and in no worker's hand, of all replicas; 10000 stands for more.",
  );
  const age = gauge(
    registry,
    "crossrate_webhook_due_seconds",
    "Since when the one of them that waits longest is due, in seconds; 0 when there is none.",
  );
  return group("webhooks", [due, age], (backlog, now) => {
    due.set({}, backlog.due);
    age.set({}, secondsSince(backlog.oldestDueAt, now) ?? 0);
  });
}

function billingGauges(registry: Registry) {
  const waiting = gauge(
    registry,
    "crossrate_billing_notices_waiting",
    "Notices of the billing provider that were taken a minute ago or earlier and not dealt with; 500 stands for more.",
  );
  const reconciled = gauge(
    registry,
    "crossrate_billing_reconciled_age_seconds",
    "Time since billing was last reconciled completely, by any replica, in seconds; absent until it was.",
  );
  return group("billing", [waiting, reconciled], (billing, now) => {
    waiting.set({}, billing.waiting);
    reconciled.set({}, secondsSince(billing.reconciledAt, now));
  });
}

/** Never below zero: another replica's clock may be a little ahead of ours. */
function secondsSince(instant: Instant | null, now: Instant): number | null {
  return instant === null ? null : Math.max(now - instant, 0) / 1000;
}
