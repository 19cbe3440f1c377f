/** Calls to the billing provider, and the notices that it sends. */

import type { Registry } from "prom-client";
import { BILLING_FAULTS, BillingFault } from "#domain/billing/fault.ts";
import { counters } from "#metrics/instruments.ts";
import type { Billing } from "#ports/billing.ts";
import type { BillingEvents } from "#ports/ledger.ts";

/** The provider's methods, as the labels say them; verifying a notice makes no call, and is `verify`. */
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
/** What a notice turned out to be as it was taken: `again` was taken before and not dealt with. */
const NOTICE_STATUSES = { new: "new", received: "again", processed: "duplicate" } as const;

type Method = keyof typeof BILLING_CALLS;

export function watchBilling(registry: Registry): (billing: Billing) => Billing {
  const { calls } = counters(registry, {
    calls: "crossrate_billing_calls_total{call,outcome} Calls to billing, by outcome.",
  });
  return (billing) => {
    if (billing.kind === "none") return billing;
    for (const call of Object.values(BILLING_CALLS)) {
      calls.add({ call, outcome: "ok" }, 0);
      calls.add({ call, outcome: call === "verify" ? "bad_signature" : "unavailable" }, 0);
    }
    const watched = (method: Method) => {
      const call = BILLING_CALLS[method];
      const request = billing[method] as (...given: readonly unknown[]) => Promise<unknown>;
      return async (...given: readonly unknown[]) => {
        try {
          const answer = await request(...given);
          calls.add({ call, outcome: "ok" });
          return answer;
        } catch (fault) {
          calls.add({ call, outcome: faultOf(fault) });
          throw fault;
        }
      };
    };
    const methods = (Object.keys(BILLING_CALLS) as Method[]).map((method) => [method, watched(method)]);
    return { kind: billing.kind, ...Object.fromEntries(methods) } as Billing;
  };
}

function faultOf(fault: unknown): string {
  const kind = fault instanceof BillingFault ? fault.kind : null;
  return BILLING_FAULTS.find((known) => known === kind) ?? "other";
}

export function watchNotices(registry: Registry): (events: BillingEvents) => BillingEvents {
  const { taken, settled } = counters(registry, {
    taken: "crossrate_billing_notices_total{status} Signed notices of the billing provider that were taken.",
    settled:
      "crossrate_billing_notices_settled_total{outcome} Notices of the billing provider that were dealt with, by what came of it.",
  });
  return (events) => {
    for (const status of Object.values(NOTICE_STATUSES)) taken.add({ status: status }, 0);
    for (const outcome of ["applied", "ignored"]) settled.add({ outcome }, 0);
    return {
      ...events,
      receive: async (event, at) => {
        const status = await events.receive(event, at);
        taken.add({ status: NOTICE_STATUSES[status] });
        return status;
      },
      settle: async (id, outcome, change, at) => {
        const isFirst = await events.settle(id, outcome, change, at);
        if (isFirst) settled.add({ outcome });
        return isFirst;
      },
    };
  };
}
