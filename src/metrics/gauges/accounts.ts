/** Gauges of accounts: limits, usage, ledger, webhooks, billing. They are filled at a scrape. */

import type { Registry } from "prom-client";
import { gauges, totals } from "#metrics/instruments.ts";
import type { MetricsReaders } from "#metrics/readers.ts";
import { group, type ReaderGroup, secondsSince } from "#metrics/scrape.ts";

export function accountGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const limits = {
    ...gauges(registry, {
      ok: "crossrate_limits_ok{kind} 1 while limits are counted as configured, 0 while each replica grants its share of them.",
      silence:
        "crossrate_limits_store_silence_seconds Time since the store that replicas share last answered about limits, in seconds.",
      callers: "crossrate_limit_callers Callers whose calls this process remembers.",
    }),
    ...totals(registry, {
      crowded:
        "crossrate_limit_crowded_calls_total Calls of callers who had to share a place in memory with others, because it was full.",
    }),
  };
  const usage = gauges(registry, {
    calls:
      "crossrate_usage_waiting_calls Calls, served or refused by a limit, that are not yet counted in the ledger.",
    age: "crossrate_usage_waiting_seconds Age of the oldest call that is not yet counted in the ledger, in seconds; 0 when there is none.",
  });
  const ledger = gauges(registry, {
    ok: "crossrate_ledger_ok{kind} 1 while the ledger answers, else 0.",
    seconds:
      "crossrate_ledger_answer_seconds Time in which the ledger answered this scrape's question, in seconds; absent when it did not.",
  });
  const webhooks = gauges(registry, {
    due: "crossrate_webhook_due_deliveries Deliveries of events that are due and not claimed, of all replicas; 10000 stands for more.",
    age: "crossrate_webhook_due_seconds Since when the one of them that waits longest is due, in seconds; 0 when there is none.",
  });
  const billing = gauges(registry, {
    waiting:
      "crossrate_billing_notices_waiting Notices of the billing provider that were accepted a minute ago or earlier and not processed; 500 stands for more.",
    reconciled:
      "crossrate_billing_reconciled_age_seconds Time since billing was last reconciled completely, by any replica, in seconds; absent until it was.",
  });
  return [
    group("limits", limits, (state, now) => {
      limits.ok.set({ kind: state.kind }, state.status === "ok" ? 1 : 0);
      limits.silence.set({}, secondsSince(state.lastSeenAt, now));
      limits.callers.set({}, state.callers);
      limits.crowded.set({}, state.crowded);
    }),
    group("usage", usage, (waiting, now) => {
      usage.calls.set({}, waiting.calls);
      usage.age.set({}, secondsSince(waiting.since, now) ?? 0);
    }),
    group("ledger", ledger, ({ kind, answeredInSeconds }) => {
      ledger.ok.set({ kind }, answeredInSeconds === null ? 0 : 1);
      ledger.seconds.set({}, answeredInSeconds);
    }),
    group("webhooks", webhooks, (backlog, now) => {
      webhooks.due.set({}, backlog.due);
      webhooks.age.set({}, secondsSince(backlog.oldestDueAt, now) ?? 0);
    }),
    group("billing", billing, (notices, now) => {
      billing.waiting.set({}, notices.waiting);
      billing.reconciled.set({}, secondsSince(notices.reconciledAt, now));
    }),
  ];
}
