/** The hourly reconciliation of billing applies notices that were left over, and every customer's present subscriptions. */

import { BillingFault, RELEVANT_NOTICES } from "#domain/billing/notice.ts";
import type { Plans } from "#domain/billing/plan.ts";
import { priceFaults } from "#domain/billing/price-check.ts";
import { Failure } from "#domain/faults/errors.ts";
import { inSeveral } from "#domain/queues/fair-queue.ts";
import type { Billing } from "#ports/billing.ts";
import { applyCustomer, type BillingNoticeDeps, customerOf } from "./apply.ts";

/** Customers read at a time; more would meet the provider's own limit. */
const AT_ONCE = 4;
const IN_VAIN: ReadonlySet<BillingFault["kind"]> = new Set(["refused_credentials", "not_configured"]);
const MOST_LOGGED = 5;
const HOUR = 3_600_000;
const PAGE = 500;
/** Name in the ledger for the start, in milliseconds, of the last complete run. */
export const RECONCILED_MARK = "billing_reconciled_at";

/**
 * Safe to repeat, also by two replicas at once. Rejects with BillingFault when the provider cannot be asked at all, and with
 * LedgerUnavailable. A customer that cannot be read is logged, and read again by the next run. When the provider gives no answer for one,
 * the run goes on with the others, and rejects at its end.
 */
export async function reconcileBilling(deps: BillingNoticeDeps) {
  const { billing, ledger, clock, emit } = deps;
  const counts = { notices: 0, customers: 0, changed: 0, failed: 0 };
  if (billing.kind === "none") return counts;
  let away: BillingFault | null = null;
  let unanswered = 0;
  const failed = (subject: string, fault: unknown) => {
    if (fault instanceof BillingFault && fault.kind === "unavailable") {
      away = fault;
      unanswered += 1;
    }
    // The next customer would fail alike, or the fault is a bug.
    const isInVain = fault instanceof BillingFault ? IN_VAIN.has(fault.kind) : !(fault instanceof Failure);
    if (isInVain || unanswered >= AT_ONCE) throw fault;
    counts.failed += 1;
    if (counts.failed > MOST_LOGGED) return;
    const detail = fault instanceof BillingFault ? `${fault.kind}: ${fault.message}` : String(fault);
    emit({ kind: "billing_reconcile_failed", subject, detail });
  };
  const startedAt = clock.now();
  try {
    const customers = await everyCustomer(deps);
    await addUnsettled(deps, customers, failed);
    await inSeveral([...customers], AT_ONCE, async ([customerId, noticeIds]) => {
      try {
        const { outcome, isChanged } = await applyCustomer(deps, customerId, noticeIds);
        unanswered = 0;
        counts.customers += 1;
        if (outcome !== "duplicate") counts.notices += noticeIds.length;
        if (isChanged) counts.changed += 1;
      } catch (fault) {
        failed(customerId, fault);
      }
    });
    if (away !== null) throw away;
    await ledger.installation.write(RECONCILED_MARK, String(startedAt));
  } finally {
    emit({ kind: "billing_reconciled", ...counts });
  }
  return counts;
}

/** Call it at a start: a server that restarts every hour would never reach its hourly run. */
export async function reconcileIfDue(deps: BillingNoticeDeps): Promise<void> {
  const last = await deps.ledger.installation.read(RECONCILED_MARK);
  const age = last === null ? HOUR : deps.clock.now() - Number(last);
  // An age below 0 means that the mark was written by a clock that was ahead.
  if (age < 0 || age >= HOUR) await reconcileBilling(deps);
}

/** Logs where the provider charges another price than pages say. Rejects with BillingFault. */
export async function comparePrices({
  billing,
  plans,
  emit,
}: Pick<BillingNoticeDeps, "emit"> & {
  readonly billing: Pick<Billing, "kind" | "prices">;
  readonly plans: Plans;
}): Promise<void> {
  if (billing.kind === "none") return;
  for (const detail of priceFaults(plans, await billing.prices()))
    emit({ kind: "billing_price_differs", detail });
}

/** Ids of unsettled notices by customer; empty for a customer without any. */
type Customers = Map<string, readonly string[]>;

async function everyCustomer({ ledger }: BillingNoticeDeps): Promise<Customers> {
  const customers: Customers = new Map();
  let page: Awaited<ReturnType<typeof ledger.organizations.list>> = [];
  do {
    page = await ledger.organizations.list(page.at(-1)?.id ?? null, PAGE);
    for (const { billingCustomerId } of page)
      if (billingCustomerId !== null) customers.set(billingCustomerId, []);
  } while (page.length === PAGE);
  return customers;
}

async function addUnsettled(
  deps: BillingNoticeDeps,
  customers: Customers,
  failed: (what: string, fault: unknown) => void,
): Promise<void> {
  const { ledger, clock } = deps;
  const now = clock.now();
  const byObject = new Map<string | null, string[]>();
  for (const { id, type, objectId } of await ledger.billingEvents.unprocessed(now + 1, PAGE)) {
    const isRelevant = RELEVANT_NOTICES.some((relevant) => relevant === type);
    const about = isRelevant ? objectId : null;
    byObject.set(about, [...(byObject.get(about) ?? []), id]);
  }
  for (const [objectId, ids] of byObject) {
    try {
      const owner = await customerOf(deps, objectId);
      if (owner !== null) customers.set(owner, [...(customers.get(owner) ?? []), ...ids]);
      else for (const id of ids) await ledger.billingEvents.settle(id, "ignored", null, now);
    } catch (fault) {
      failed(String(objectId), fault);
    }
  }
}
