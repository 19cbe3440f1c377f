/** The billing of the document's examples: nothing is bought yet, and every event is signed. */

import type { BillingRouteDeps } from "#api/billing/billing.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { sampleAccount } from "./sample-account.ts";

/** Every caller is the owner of the sample account, which has no running subscription. */
export function sampleBilling(clock: Clock): BillingRouteDeps {
  const { ledger, sessionCaller } = sampleAccount(clock);
  return {
    ledger: {
      organizations: ledger.organizations,
      identities: { byId: async () => null },
    },
    billing: {
      checkout: async () => ({
        action: "checkout",
        url: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3",
        expiresAt: Date.parse("2026-04-14T16:30:00Z"),
        customerId: "cus_sample",
      }),
      portal: async () => {
        throw new Error("this sample manages nothing");
      },
      subscriptionsOf: async () => [],
    },
    attempts: memoryAttempts(),
    publicUrl: "https://rates.example",
    clock,
    emit: () => {},
    keys: {
      find: () => {
        throw new Failure("invalid_api_key");
      },
    },
    sessionCaller,
    notices: { receive: async () => "applied" },
  };
}
