/** Counts calls of the accounts' ports: each function takes a port and returns a counting one. Keys, mail and webhooks are here. */

import type { Registry } from "prom-client";
import { Failure } from "#domain/faults/errors.ts";
import { ATTEMPT_FAULTS, type AttemptOutcome } from "#domain/webhook/endpoint.ts";
import { counters, tally } from "#metrics/instruments.ts";
import type { Billing } from "#ports/billing.ts";
import type { Counters } from "#ports/counters.ts";
import type { BillingEvents } from "#ports/ledger.ts";
import type { Mail, MailFault } from "#ports/mail.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { watchBilling, watchNotices } from "./billing.ts";
import { watchLimits } from "./limits.ts";

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

/** What finds the holder of a key: at once where it is cached, else after a query. Throws, or rejects with, Failure. */
export interface FindsKeys {
  find(key: string): unknown;
}

/** `looked_up` keys had to be waited for; `refused` ones are malformed, unknown, ended or suspended. */
export const KEY_CHECKS = ["remembered", "looked_up", "refused", "unavailable"] as const;

function watchKeys(registry: Registry): <Directory extends FindsKeys>(of: Directory) => Directory {
  const counts = { remembered: 0, looked_up: 0, refused: 0, unavailable: 0 };
  let isWatching = false;
  tally(
    registry,
    "crossrate_key_checks_total{outcome} API keys that were checked, by what came of it.",
    () => (isWatching ? KEY_CHECKS.map((outcome) => [{ outcome }, counts[outcome]] as const) : []),
  );
  const failed = (thrown: unknown): never => {
    const isKeys = thrown instanceof Failure && thrown.code !== "auth_unavailable";
    counts[isKeys ? "refused" : "unavailable"] += 1;
    throw thrown;
  };

  return (directory) => {
    isWatching = true;
    const find = (key: string): unknown => {
      try {
        const found = directory.find(key);
        if (found instanceof Promise) return found.then(lookedUp, failed);
        counts.remembered += 1;
        return found;
      } catch (thrown) {
        return failed(thrown);
      }
    };
    const lookedUp = <T>(holder: T): T => {
      counts.looked_up += 1;
      return holder;
    };
    return { ...directory, find };
  };
}

export const MAIL_OUTCOMES = [
  "sent",
  "not_configured",
  "bad_message",
  "rejected",
  "unavailable",
] as const satisfies readonly ("sent" | MailFault)[];

function watchMail(registry: Registry): (mail: Mail) => Mail {
  const { mails } = counters(registry, {
    mails: "crossrate_mails_total{outcome} E-mails to people, by what became of them.",
  });
  return (mail) => {
    for (const outcome of MAIL_OUTCOMES) mails.add({ outcome }, 0);
    return {
      ...mail,
      send: async (message) => {
        const outcome = await mail.send(message);
        mails.add({ outcome: outcome.sent ? "sent" : outcome.fault });
        return outcome;
      },
    };
  };
}

/** By the status that came, or the fault before one did. */
export const ATTEMPT_OUTCOMES = ["1xx", "2xx", "3xx", "4xx", "5xx", "other", ...ATTEMPT_FAULTS] as const;
/** retried: another attempt is to come. lost: the claim had run out and was taken over, or the endpoint is gone. */
const DELIVERY_OUTCOMES = ["delivered", "retried", "failed", "lost"] as const;

const MILLISECONDS = 1000;

function watchOutbox(registry: Registry): (outbox: Outbox) => Outbox {
  const { attempts, seconds, deliveries } = counters(registry, {
    attempts:
      "crossrate_webhook_attempts_total{outcome} Attempts to deliver an event that ended, by the receiver's status or the fault before one came.",
    seconds: "crossrate_webhook_attempt_seconds_total Time that these attempts took, in seconds.",
    deliveries: "crossrate_webhook_deliveries_total{outcome} What attempts made of their deliveries.",
  });
  return (outbox) => {
    for (const outcome of ATTEMPT_OUTCOMES) attempts.add({ outcome }, 0);
    for (const outcome of DELIVERY_OUTCOMES) deliveries.add({ outcome }, 0);
    seconds.add({}, 0);
    return {
      ...outbox,
      complete: async (delivery, outcome, next, at) => {
        const isNoted = await outbox.complete(delivery, outcome, next, at);
        attempts.add({ outcome: wordOf(outcome) });
        seconds.add({}, outcome.milliseconds / MILLISECONDS);
        const state = next.state === "pending" ? "retried" : next.state;
        deliveries.add({ outcome: isNoted ? state : "lost" });
        return isNoted;
      },
    };
  };
}

function wordOf({ status, fault }: AttemptOutcome): (typeof ATTEMPT_OUTCOMES)[number] {
  if (status === null) return fault ?? "other";
  return ATTEMPT_OUTCOMES.find((word) => word === `${Math.floor(status / 100)}xx`) ?? "other";
}
