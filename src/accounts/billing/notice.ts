/** POST /v1/billing/stripe/events: verifies a notice, accepts it once, fetches its subscriptions again and applies them. */

import { withLedger } from "#domain/account/ledger.ts";
import { BillingFault, noticeFailureOf } from "#domain/billing/fault.ts";
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
  const { billing, clock, emit } = deps;
  let isRefusing = false;

  const verified = async (rawBody: Uint8Array, signatureHeader: string | null): Promise<BillingNotice> => {
    try {
      const notice = await billing.verifyEvent(rawBody, signatureHeader, clock.now());
      isRefusing = false;
      return notice;
    } catch (fault) {
      if (!(fault instanceof BillingFault)) throw fault;
      // One line until the next valid one: any caller can send an unsigned event.
      if (!isRefusing && fault.kind !== "not_configured") {
        emit({ kind: "billing_event_refused", fault: fault.kind, detail: fault.message });
      }
      isRefusing = true;
      throw noticeFailureOf(fault);
    }
  };
  return {
    receive: async (rawBody, signatureHeader) => {
      const notice = await verified(rawBody, signatureHeader);
      try {
        return await withLedger(() => take(deps, notice));
      } catch (fault) {
        if (!(fault instanceof BillingFault)) throw fault;
        const { id, type } = notice;
        emit({ kind: "billing_event_deferred", id, type, fault: fault.kind, detail: fault.message });
        throw noticeFailureOf(fault);
      }
    },
  };
}

async function take(deps: BillingNoticeDeps, notice: BillingNotice): Promise<NoticeOutcome> {
  const { billingEvents } = deps.ledger;
  // Kept before anything else: what fails from here on is found again by the hourly job.
  const receipt = await billingEvents.receive(recordOf(notice), deps.clock.now());
  if (receipt === "processed") return "duplicate";
  const customerId = notice.relevant ? await customerOf(deps, notice) : null;
  if (customerId === null) {
    await billingEvents.settle(notice.id, "ignored", null, deps.clock.now());
    return "ignored";
  }
  const { outcome } = await applyCustomer(deps, customerId, [notice.id]);
  return outcome === "unknown_customer" ? "ignored" : outcome;
}

/** Whose it is; queried at the provider where the notice names a subscription only. */
async function customerOf(
  { billing }: BillingNoticeDeps,
  { customerId, subscriptionId }: BillingNotice,
): Promise<string | null> {
  if (customerId !== null || subscriptionId === null) return customerId;
  return (await billing.subscription(subscriptionId))?.customerId ?? null;
}
