/** What became of letters. */

import type { Registry } from "prom-client";
import type { Mail, MailFault } from "#ports/mail.ts";
import { boundedCounter } from "./bounded-counter.ts";

export const MAIL_OUTCOMES = [
  "sent",
  "not_configured",
  "bad_message",
  "rejected",
  "unavailable",
] as const satisfies readonly ("sent" | MailFault)[];

export function watchMail(registry: Registry): (mail: Mail) => Mail {
  const mails = boundedCounter(
    registry,
    "crossrate_mails_total",
    "Letters to people, by what became of them.",
    ["outcome"],
  );
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
