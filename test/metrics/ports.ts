/** Ports of the accounts whose answers are the test's, and all of them watched. */

import type { Caller } from "#domain/limits/counts.ts";
import type { Granted, Taken } from "#domain/limits/quota-status.ts";
import type { Metrics } from "#metrics/metrics.ts";
import type { Billing } from "#ports/billing.ts";
import type { Mail, MailOutcome } from "#ports/identity.ts";
import type { BillingEvents, Counters } from "#ports/ledger.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { NOON } from "./sample-events.ts";

export const KEYED: Caller = {
  kind: "org",
  id: "org_1",
  allowance: { minute: 12, hour: null, month: 10_000 },
};
export const STRANGER: Caller = {
  kind: "address",
  id: "192.0.2.1",
  allowance: { minute: 12, hour: 100, month: null },
};

const QUOTA = { window: "minute", limit: 12, remaining: 3, resetAt: NOON / 1000 } as const;

export function grantedTo(cost: number, by: Granted["by"]): Granted {
  return { outcome: "granted", quota: QUOTA, cost, at: NOON, by };
}

/** Answers with the next of `answers`: at once, or later where it is a promise. */
export function countersThat(answers: (Taken | Promise<Taken>)[]) {
  const counters: Counters = {
    take: () => answers.shift() ?? grantedTo(0, "process"),
    refund: () => {},
    state: () => ({
      ...({ kind: "memory", status: "ok", detail: null } as const),
      callers: 0,
      crowded: 0,
    }),
    close: async () => {},
  };
  return { counters };
}

export function mailThat(outcome: MailOutcome): Mail {
  return { configured: true, send: async () => outcome };
}

/** Every method answers, or fails with the fault. */
export function billingThat(fault: Error | null): Billing {
  const answer = async (): Promise<never> => {
    if (fault !== null) throw fault;
    return undefined as never;
  };
  return {
    ...({ kind: "stripe", checkout: answer, portal: answer, subscription: answer } as const),
    closeCheckouts: answer,
    subscriptionsOf: answer,
    cancel: answer,
    verifyEvent: answer,
    listChanged: answer,
  };
}

export function eventsThat(progress: "new" | "received" | "processed"): BillingEvents {
  return {
    receive: async () => progress,
    settle: async () => true,
    byId: async () => null,
    unprocessed: async () => [],
  };
}

/** Notes every attempt, or none. */
export function outboxThat(isNoted: boolean): Outbox {
  const none = async () => [];
  return {
    publish: none,
    publishTest: async () => null,
    changes: none,
    newestChanges: none,
    claim: none,
    held: async () => [],
    release: async () => {},
    beat: async () => true,
    retire: async () => {},

    complete: async () => isNoted,
    replay: async () => null,
    deliveries: none,
    failing: none,
    prune: async () => 0,
    backlog: async () => ({ due: 0, oldestDueAt: null }),
  };
}

/** Watches one of each, so that everything they count has its series. */
export function watchAll({ watch }: Metrics): void {
  watch.limits(countersThat([]).counters);
  watch.keys({ find: () => null });
  watch.mail(mailThat({ sent: true }));
  watch.billing(billingThat(null));
  watch.notices(eventsThat("new"));
  watch.outbox(outboxThat(true));
}
