/** POST /v1/billing/stripe/events: verifies a notice, accepts it once, fetches its subscriptions again and applies them. */

import { withLedger } from "#domain/account/ledger.ts";
import { BillingFault, type BillingNotice, noticeFailureOf, recordOf } from "#domain/billing/notice.ts";
import { applyCustomer, type BillingNoticeDeps, customerOf } from "./apply.ts";

/** "ignored": it is not about a plan of an organization here. */
export type NoticeOutcome = "applied" | "ignored" | "duplicate";

export type BillingNotices = ReturnType<typeof openBillingNotices>;

export function openBillingNotices(deps: BillingNoticeDeps) {
  const { billing, clock, emit } = deps;
  let isRefusing = false;

  const verified = async (rawBody: Uint8Array, signatureHeader: string | null): Promise<BillingNotice> => {
    try {
      const notice = await billing.verifyEvent(rawBody, signatureHeader, clock.now());
      isRefusing = false;
      return notice;
    } catch (fault) {
      if (!(fault instanceof BillingFault)) throw fault;
      // One log line until the next valid event: any caller can send unsigned events.
      if (!isRefusing && fault.kind !== "not_configured") {
        emit({ kind: "billing_event_refused", fault: fault.kind, detail: fault.message });
      }
      isRefusing = true;
      throw noticeFailureOf(fault);
    }
  };
  return {
    /**
     * `rawBody` is exactly as received. Failures: `invalid_request` for what the provider has not signed, `billing_not_configured`;
     * after `billing_unavailable` and `service_unavailable` the provider sends the notice again.
     */
    receive: async (rawBody: Uint8Array, signatureHeader: string | null): Promise<NoticeOutcome> => {
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

const STATUSES = { new: "new", received: "again", processed: "duplicate" } as const;

async function take(deps: BillingNoticeDeps, notice: BillingNotice): Promise<NoticeOutcome> {
  const { billingEvents } = deps.ledger;
  // Stored first: the hourly job finds what fails from here on.
  const receipt = await billingEvents.receive(recordOf(notice), deps.clock.now());
  deps.count?.("notices", { status: STATUSES[receipt] });
  if (receipt === "processed") return "duplicate";
  const objectId = notice.customerId ?? notice.subscriptionId;
  const customerId = notice.relevant ? await customerOf(deps, objectId) : null;
  if (customerId === null) {
    await billingEvents.settle(notice.id, "ignored", null, deps.clock.now());
    return "ignored";
  }
  const { outcome } = await applyCustomer(deps, customerId, [notice.id]);
  return outcome === "unknown_customer" ? "ignored" : outcome;
}
