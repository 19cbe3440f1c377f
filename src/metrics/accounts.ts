/** The counters of the accounts: outcomes of calls, keys, mails, webhooks and billing. */

import type { Registry } from "prom-client";
import { BILLING_CALLS } from "#domain/billing/notice.ts";
import { WINDOWS } from "#domain/limits/counts.ts";
import { ATTEMPT_FAULTS } from "#domain/webhook/endpoint.ts";
import type { MailFault } from "#ports/identity.ts";
import type { AccountCounter, Count } from "#telemetry.ts";
import { counters } from "./instruments.ts";

const COUNTERS = {
  granted:
    "crossrate_limit_granted_calls_total{caller,by} Calls that limits granted, as they count: a batch of so many pairs is so many.",
  refusals:
    "crossrate_limit_refusals_total{caller,reason} Requests that limits refused, by the window that was used up or by why it could not be granted.",
  keyChecks: "crossrate_key_checks_total{outcome} API keys that were checked, by what came of it.",
  mails: "crossrate_mails_total{outcome} E-mails to people, by what became of them.",
  billingCalls: "crossrate_billing_calls_total{call,outcome} Calls to billing, by outcome.",
  notices: "crossrate_billing_notices_total{status} Signed notices of the billing provider that were taken.",
  attempts:
    "crossrate_webhook_attempts_total{outcome} Attempts to deliver an event that ended, by the receiver's status or the fault before one came.",
  deliveries: "crossrate_webhook_deliveries_total{outcome} What attempts made of their deliveries.",
} as const satisfies Record<AccountCounter, string>;

const MAIL_OUTCOMES: readonly ("sent" | MailFault)[] = [
  "sent",
  "not_configured",
  "bad_message",
  "rejected",
  "unavailable",
];

/** `open` starts the series at 0, those of billing only where something is sold: a first failure then shows as a rise. */
export function countAccounts(registry: Registry): {
  readonly count: Count;
  open(isSelling: boolean): void;
} {
  const metrics = counters(registry, COUNTERS);
  const count: Count = (name, labels, by) => metrics[name].inc(labels as never, by);
  return {
    count,
    open(isSelling) {
      for (const caller of ["key", "address"]) {
        for (const by of ["process", "lease", "store"]) count("granted", { caller, by }, 0);
        for (const reason of [...WINDOWS, "too_large", "unavailable"])
          count("refusals", { caller, reason }, 0);
      }
      const statuses = ["1xx", "2xx", "3xx", "4xx", "5xx", "other"];
      const outcomes = {
        keyChecks: ["remembered", "looked_up", "refused", "unavailable"],
        mails: MAIL_OUTCOMES,
        attempts: [...statuses, ...ATTEMPT_FAULTS],
        deliveries: ["delivered", "retried", "failed", "lost"],
      } as const;
      for (const [name, all] of Object.entries(outcomes))
        for (const outcome of all) count(name as keyof typeof outcomes, { outcome }, 0);
      for (const status of ["new", "again", "duplicate"]) count("notices", { status }, 0);
      for (const call of isSelling ? BILLING_CALLS : [])
        for (const outcome of ["ok", call === "verify" ? "bad_signature" : "unavailable"])
          count("billingCalls", { call, outcome }, 0);
    },
  };
}
