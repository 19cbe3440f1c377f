/** What operators of accounts want counted, counted at the ports: each takes one and gives the same back, watched. */

import type { Registry } from "prom-client";
import type { Billing } from "#ports/billing.ts";
import type { Counters } from "#ports/counters.ts";
import type { BillingEvents } from "#ports/ledger.ts";
import type { Mail } from "#ports/mail.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { watchBilling, watchNotices } from "./watch-billing.ts";
import { type FindsKeys, watchKeys } from "./watch-keys.ts";
import { watchLimits } from "./watch-limits.ts";
import { watchMail } from "./watch-mail.ts";
import { watchOutbox } from "./watch-webhooks.ts";

/** Each to be given one port, once. On the path of a request it costs some nanoseconds, and no wait. */
export interface Watch {
  limits(counters: Counters): Counters;
  keys<Directory extends FindsKeys>(directory: Directory): Directory;
  mail(mail: Mail): Mail;
  billing(billing: Billing): Billing;
  notices(events: BillingEvents): BillingEvents;
  outbox(outbox: Outbox): Outbox;
}

export function createWatch(registry: Registry): Watch {
  return {
    limits: watchLimits(registry),
    keys: watchKeys(registry),
    mail: watchMail(registry),
    billing: watchBilling(registry),
    notices: watchNotices(registry),
    outbox: watchOutbox(registry),
  };
}
