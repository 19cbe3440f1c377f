/** POST /v1/billing/stripe/events: a notice is verified, taken once, and what it is about is asked anew and applied. */

import { reaching } from "#accounts/account/deps.ts";
import { noticeFailureOf } from "#domain/billing/failure.ts";
import { BillingFault } from "#domain/billing/fault.ts";
import { type BillingNotice, recordOf } from "#domain/billing/notice.ts";
import { applyCustomer } from "./notice-apply.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";

/** "duplicate": it had been dealt with before. "ignored": it is not about a plan of an organization here. */
export type NoticeOutcome = "applied" | "ignored" | "duplicate";

export interface BillingNotices {
  /**
   * `rawBody` exactly as received. Failure `invalid_request` for what the provider has not signed just now,
   * `billing_not_configured`; `billing_unavailable` and `service_unavailable` ask the provider to send it again.
   */
  receive(rawBody: Uint8Array, signatureHeader: string | null): Promise<NoticeOutcome>;
}

export function openBillingNotices(deps: BillingNoticeDeps): BillingNotices {
  const { billing, clock, tell } = deps;
  let isRefusing = false;

  const verified = async (rawBody: Uint8Array, signatureHeader: string | null): Promise<BillingNotice> => {
    try {
      const notice = await billing.verifyEvent(rawBody, signatureHeader, clock.now());
      isRefusing = false;
      return notice;
    } catch (fault) {
      if (!(fault instanceof BillingFault)) throw fault;
      // One line until the next good one: anybody can send what is not signed.
      if (!isRefusing && fault.kind !== "not_configured") {
        tell({ kind: "notice", text: `a billing event was refused: ${fault.kind}: ${fault.message}` });
      }
      isRefusing = true;
      throw noticeFailureOf(fault);
    }
  };
  return {
    receive: async (rawBody, signatureHeader) => {
      const notice = await verified(rawBody, signatureHeader);
      try {
        return await reaching(() => take(deps, notice));
      } catch (fault) {
        if (!(fault instanceof BillingFault)) throw fault;
        const what = `the billing event ${notice.id} (${notice.type})`;
        tell({ kind: "notice", text: `${what} cannot be applied yet: ${fault.kind}: ${fault.message}` });
        throw noticeFailureOf(fault);
      }
    },
  };
}

async function take(deps: BillingNoticeDeps, notice: BillingNotice): Promise<NoticeOutcome> {
  const { billingEvents } = deps.ledger;
  // Kept before anything else: what fails from here on is found again by the hourly job.
  const standing = await billingEvents.receive(recordOf(notice), deps.clock.now());
  if (standing === "processed") return "duplicate";
  const customerId = notice.relevant ? await customerOf(deps, notice) : null;
  if (customerId === null) {
    await billingEvents.settle(notice.id, "ignored", null, deps.clock.now());
    return "ignored";
  }
  const { outcome } = await applyCustomer(deps, customerId, [notice.id]);
  return outcome === "unknown_customer" ? "ignored" : outcome;
}

/** Whose it is; asked of the provider where the notice names a subscription only. */
async function customerOf(
  { billing }: BillingNoticeDeps,
  { customerId, subscriptionId }: BillingNotice,
): Promise<string | null> {
  if (customerId !== null || subscriptionId === null) return customerId;
  return (await billing.subscription(subscriptionId))?.customerId ?? null;
}
