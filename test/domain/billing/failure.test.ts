/** Every billing fault has its answer, and no answer contains the provider's text. */

import { expect, test } from "bun:test";
import { BILLING_FAULTS, BillingFault, failureOf, noticeFailureOf } from "#domain/billing/notice.ts";

const CHECKOUT: Record<string, number> = { not_configured: 501, not_offered: 422 };
const NOTICE: Record<string, number> = { not_configured: 501, bad_signature: 400, wrong_mode: 400 };

for (const kind of BILLING_FAULTS) {
  test(`${kind}: ${CHECKOUT[kind] ?? 503} at checkout, ${NOTICE[kind] ?? 503} for a notice`, () => {
    const fault = new BillingFault(kind, "what the provider said", 7);
    const [checkout, notice] = [failureOf(fault), noticeFailureOf(fault)];
    expect([checkout.status, notice.status]).toEqual([CHECKOUT[kind] ?? 503, NOTICE[kind] ?? 503]);
    expect(checkout.message + notice.message).not.toContain("provider said");
    if (checkout.status === 503) expect(checkout.retryAfterSeconds).toBe(7);
    expect(checkout.cause).toBe(fault);
  });
}
