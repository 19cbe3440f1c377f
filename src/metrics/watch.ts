/** Counts calls of the accounts' ports: each function takes a port and returns one that counts what came of its calls. */

import type { Registry } from "prom-client";
import { BILLING_FAULTS, BillingFault } from "#domain/billing/notice.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Caller, WINDOWS } from "#domain/limits/counts.ts";
import type { Taken } from "#domain/limits/quota-status.ts";
import { ATTEMPT_FAULTS, type AttemptOutcome } from "#domain/webhook/endpoint.ts";
import type { Billing } from "#ports/billing.ts";
import type { Mail, MailFault } from "#ports/identity.ts";
import type { BillingEvents, Counters } from "#ports/ledger.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { counters } from "./instruments.ts";

export type Watch = ReturnType<typeof createWatch>;

/** At once where the holder is cached, else after a query. */
interface FindsKeys {
  find(key: string): unknown;
}

const CALLERS = { org: "key", address: "address" } as const satisfies Record<Caller["kind"], string>;
/** How a call was paid for: by this process only, from a lease, or by a call to the shared store, the only one that waits. */
const PAID_BY = ["process", "lease", "store"] as const;
/** A window that is used up, a cost above a limit, or counters that are unavailable. */
export const REFUSAL_REASONS = [...WINDOWS, "too_large", "unavailable"] as const;
/** `looked_up` keys had to be waited for; `refused` ones are malformed, unknown, ended or suspended. */
export const KEY_CHECKS = ["remembered", "looked_up", "refused", "unavailable"] as const;
export const MAIL_OUTCOMES = [
  "sent",
  "not_configured",
  "bad_message",
  "rejected",
  "unavailable",
] as const satisfies readonly ("sent" | MailFault)[];
/** By the status that came, or the fault before one did. */
export const ATTEMPT_OUTCOMES = ["1xx", "2xx", "3xx", "4xx", "5xx", "other", ...ATTEMPT_FAULTS] as const;
/** lost: the claim was taken over, or the endpoint is gone. */
const DELIVERY_OUTCOMES = ["delivered", "retried", "failed", "lost"] as const;
/** The provider's methods by label; verifying a notice makes no call. */
export const BILLING_CALLS = {
  checkout: "checkout",
  portal: "portal",
  subscription: "subscription",
  subscriptionsOf: "subscriptions",
  closeCheckouts: "close_checkouts",
  cancel: "cancel",
  listChanged: "changes",
  verifyEvent: "verify",
} as const satisfies Record<Exclude<keyof Billing, "kind">, string>;
/** `again`: received before and not processed. */
const NOTICE_STATUSES = { new: "new", received: "again", processed: "duplicate" } as const;

/** Give each function one port, once: from then on its series exist. */
export function createWatch(registry: Registry) {
  const metrics = counters(registry, {
    granted:
      "crossrate_limit_granted_calls_total{caller,by} Calls that limits granted, as they count: a batch of so many pairs is so many.",
    refusals:
      "crossrate_limit_refusals_total{caller,reason} Requests that limits refused, by the window that was used up or by why it could not be granted.",
    keyChecks: "crossrate_key_checks_total{outcome} API keys that were checked, by what came of it.",
    mails: "crossrate_mails_total{outcome} E-mails to people, by what became of them.",
    billingCalls: "crossrate_billing_calls_total{call,outcome} Calls to billing, by outcome.",
    noticesTaken:
      "crossrate_billing_notices_total{status} Signed notices of the billing provider that were taken.",
    attempts:
      "crossrate_webhook_attempts_total{outcome} Attempts to deliver an event that ended, by the receiver's status or the fault before one came.",
    deliveries: "crossrate_webhook_deliveries_total{outcome} What attempts made of their deliveries.",
  });

  return {
    limits(port: Counters): Counters {
      for (const caller of Object.values(CALLERS)) {
        for (const by of PAID_BY) metrics.granted.add({ caller, by }, 0);
        for (const reason of REFUSAL_REASONS) metrics.refusals.add({ caller, reason }, 0);
      }
      const take = noting(port.take, (taken, isLater, { kind }, cost) => {
        // A cost of 0 only reads the quota status.
        if (cost === 0) return;
        const caller = CALLERS[kind];
        if (taken.outcome !== "granted") metrics.refusals.add({ caller, reason: reasonOf(taken) });
        else {
          const by = taken.by === "process" ? "process" : isLater ? "store" : "lease";
          metrics.granted.add({ caller, by }, taken.cost);
        }
      });
      return { ...port, take };
    },

    keys<Directory extends FindsKeys>(port: Directory): Directory {
      for (const outcome of KEY_CHECKS) metrics.keyChecks.add({ outcome }, 0);
      const find = noting(
        port.find,
        (_, isLater) => metrics.keyChecks.add({ outcome: isLater ? "looked_up" : "remembered" }),
        (fault) => {
          const isRefused = fault instanceof Failure && fault.code !== "auth_unavailable";
          metrics.keyChecks.add({ outcome: isRefused ? "refused" : "unavailable" });
        },
      );
      return { ...port, find };
    },

    mail(port: Mail): Mail {
      for (const outcome of MAIL_OUTCOMES) metrics.mails.add({ outcome }, 0);
      const send = noting(port.send, (came) =>
        metrics.mails.add({ outcome: came.sent ? "sent" : came.fault }),
      );
      return { ...port, send };
    },

    billing(port: Billing): Billing {
      if (port.kind === "none") return port;
      const methods = Object.entries(BILLING_CALLS).map(([method, call]) => {
        metrics.billingCalls.add({ call, outcome: "ok" }, 0);
        metrics.billingCalls.add({ call, outcome: call === "verify" ? "bad_signature" : "unavailable" }, 0);
        const noted = noting(
          port[method as keyof typeof BILLING_CALLS] as (...args: readonly unknown[]) => unknown,
          () => metrics.billingCalls.add({ call, outcome: "ok" }),
          (fault) => metrics.billingCalls.add({ call, outcome: billingFault(fault) }),
        );
        return [method, noted];
      });
      return { kind: port.kind, ...Object.fromEntries(methods) };
    },

    notices(port: BillingEvents): BillingEvents {
      for (const status of Object.values(NOTICE_STATUSES)) metrics.noticesTaken.add({ status }, 0);
      const receive = noting(port.receive, (progress) =>
        metrics.noticesTaken.add({ status: NOTICE_STATUSES[progress] }),
      );
      return { ...port, receive };
    },

    outbox(port: Outbox): Outbox {
      for (const outcome of ATTEMPT_OUTCOMES) metrics.attempts.add({ outcome }, 0);
      for (const outcome of DELIVERY_OUTCOMES) metrics.deliveries.add({ outcome }, 0);
      const complete = noting(port.complete, (isNoted, _, __, outcome, next) => {
        metrics.attempts.add({ outcome: attemptLabel(outcome) });
        const state = next.state === "pending" ? "retried" : next.state;
        metrics.deliveries.add({ outcome: isNoted ? state : "lost" });
      });
      return { ...port, complete };
    },
  };
}

/**
 * The function, with `note` called on its result, whether that came later, and its arguments; `failed` on its fault. A result at
 * once is returned at once.
 */
function noting<Args extends readonly unknown[], Result>(
  call: (...args: Args) => Result,
  note: (result: Awaited<Result>, isLater: boolean, ...args: Args) => void,
  failed: (fault: unknown) => void = () => {},
): (...args: Args) => Result {
  const fail = (fault: unknown): never => {
    failed(fault);
    throw fault;
  };
  return (...args) => {
    let result: Result;
    try {
      result = call(...args);
    } catch (fault) {
      return fail(fault);
    }
    if (!(result instanceof Promise)) {
      note(result as Awaited<Result>, false, ...args);
      return result;
    }
    return result.then((later) => {
      note(later, true, ...args);
      return later;
    }, fail) as Result;
  };
}

function reasonOf(taken: Exclude<Taken, { outcome: "granted" }>): string {
  if (taken.outcome === "refused") return taken.quota.window;
  return taken.outcome === "never" ? "too_large" : "unavailable";
}

function billingFault(fault: unknown): string {
  const kind = fault instanceof BillingFault ? fault.kind : null;
  return BILLING_FAULTS.find((known) => known === kind) ?? "other";
}

function attemptLabel({ status, fault }: AttemptOutcome): (typeof ATTEMPT_OUTCOMES)[number] {
  if (status === null) return fault ?? "other";
  return ATTEMPT_OUTCOMES.find((label) => label === `${Math.floor(status / 100)}xx`) ?? "other";
}
