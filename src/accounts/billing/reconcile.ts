/** The hourly reconciliation of billing: notices accepted but not applied, notices that never arrived, and missing payments. */

import { BillingFault } from "#domain/billing/fault.ts";
import { Failure } from "#domain/faults/errors.ts";
import { inSeveral } from "#domain/queues/in-several.ts";
import { applyCustomer } from "./notice-apply.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";
import { gatherBilling } from "./reconcile-gather.ts";

export interface Reconciled {
  /** Notices that this run had to apply. */
  readonly notices: number;
  readonly customers: number;
  /** Organizations that are others than before. */
  readonly changed: number;
  readonly failed: number;
}

/** Of a customer each; more would meet the provider's own limit beside the calls of others. */
const AT_ONCE = 4;
const IN_VAIN: ReadonlySet<BillingFault["kind"]> = new Set([
  "unavailable",
  "refused_credentials",
  "not_configured",
]);
const MOST_TOLD = 5;

/**
 * Safe to repeat; two replicas at once do the same twice with the same result. One event is logged, and one for each of the first
 * customers that could not be read. Rejects with BillingFault when the provider cannot be queried at all, and with
 * LedgerUnavailable; the next run goes on where this one broke off.
 */
export async function reconcileBilling(deps: BillingNoticeDeps): Promise<Reconciled> {
  const counts = { notices: 0, customers: 0, changed: 0, failed: 0 };
  if (deps.billing.kind === "none") return counts;
  const failed = (what: string, fault: unknown) => {
    if (isInVain(fault)) throw fault;
    counts.failed += 1;
    if (counts.failed > MOST_TOLD) return;
    const reason = fault instanceof BillingFault ? `${fault.kind}: ${fault.message}` : String(fault);
    deps.emit({ kind: "billing_reconcile_failed", subject: what, detail: reason });
  };
  try {
    const { customers, done } = await gatherBilling(deps, failed);
    await inSeveral([...customers], AT_ONCE, async ([customerId, noticeIds]) => {
      try {
        const { outcome, isChanged } = await applyCustomer(deps, customerId, noticeIds);
        counts.customers += 1;
        if (outcome !== "duplicate") counts.notices += noticeIds.length;
        if (isChanged) counts.changed += 1;
      } catch (fault) {
        failed(customerId, fault);
      }
    });
    await done(counts.failed);
  } finally {
    deps.emit({ kind: "billing_reconciled", ...counts });
  }
  return counts;
}

/** Whether the next customer would meet the same; a mistake of ours must be reported, too. */
function isInVain(fault: unknown): boolean {
  return fault instanceof BillingFault ? IN_VAIN.has(fault.kind) : !(fault instanceof Failure);
}
