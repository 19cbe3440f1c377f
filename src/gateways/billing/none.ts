/** Billing without a provider: every call is answered with the fault that says so. */

import { BillingFault } from "#domain/billing/fault.ts";
import type { Billing } from "#ports/billing.ts";

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
