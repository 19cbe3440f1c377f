/** Mail and billing where no provider is configured: every call fails with the reason. */

import { BillingFault } from "#domain/billing/fault.ts";
import type { Billing } from "#ports/billing.ts";
import type { Mail } from "#ports/mail.ts";

export const noMail: Mail = {
  configured: false,
  send: () => Promise.resolve({ sent: false, fault: "not_configured", detail: "SMTP_URL is not set" }),
};

export function noBilling(): Billing {
  const refuse = async (): Promise<never> => {
    throw new BillingFault("not_configured", "billing is not configured: STRIPE_SECRET_KEY is not set");
  };
  return {
    kind: "none",
    checkout: refuse,
    portal: refuse,
    subscription: refuse,
    subscriptionsOf: refuse,
    closeCheckouts: refuse,
    cancel: refuse,
    verifyEvent: refuse,
    listChanged: refuse,
  };
}
