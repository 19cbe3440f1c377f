/** The hourly reconciliation of billing: notices that were received and not applied, notices that never arrived, and missing payments. */

import { BillingFault, type BillingNotice, RELEVANT_NOTICES } from "#domain/billing/notice.ts";
import { Failure } from "#domain/faults/errors.ts";
import { inSeveral } from "#domain/queues/fair-queue.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { applyCustomer, type BillingNoticeDeps, receiveNotice } from "./apply.ts";

export interface Reconciled {
  readonly notices: number;
  readonly customers: number;
  readonly changed: number;
  readonly failed: number;
}

/** Customers at a time; more would meet the provider's own limit. */
const AT_ONCE = 4;
const IN_VAIN: ReadonlySet<BillingFault["kind"]> = new Set([
  "unavailable",
  "refused_credentials",
  "not_configured",
]);
const MOST_LOGGED = 5;
const KEPT_MILLISECONDS = 30 * MILLISECONDS_PER_DAY;
/** Clocks differ, and events are listed a little after they happened. */
const OVERLAP_MILLISECONDS = 3_600_000;
const PAGE = 500;
/** The ledger stores under this name when the last complete run began, in milliseconds. */
export const RECONCILED_MARK = "billing_reconciled_at";

/**
 * Safe to repeat, also by two replicas at once. Rejects with BillingFault when the provider cannot be asked at all, and with
 * LedgerUnavailable; the next run continues where this one ended.
 */
export async function reconcileBilling(deps: BillingNoticeDeps): Promise<Reconciled> {
  const { billing, ledger, clock, emit } = deps;
  const counts = { notices: 0, customers: 0, changed: 0, failed: 0 };
  if (billing.kind === "none") return counts;
  const failed = (subject: string, fault: unknown) => {
    if (isInVain(fault)) throw fault;
    counts.failed += 1;
    if (counts.failed > MOST_LOGGED) return;
    const detail = fault instanceof BillingFault ? `${fault.kind}: ${fault.message}` : String(fault);
    emit({ kind: "billing_reconcile_failed", subject, detail });
  };
  /** By customer the ids of unsettled notices; empty where only the present state matters. */
  const customers = new Map<string, Set<string>>();
  const add = (customerId: string, ...noticeIds: readonly string[]) =>
    customers.set(customerId, new Set([...(customers.get(customerId) ?? []), ...noticeIds]));
  const startedAt = clock.now();
  try {
    const last = Number(await ledger.installation.read(RECONCILED_MARK)) || null;
    const oldest = startedAt - KEPT_MILLISECONDS;
    await addUnsettled(deps, startedAt, add, failed);
    const { events, complete } = await billing.listChanged(
      Math.max(oldest, (last ?? oldest) - OVERLAP_MILLISECONDS),
    );
    await addMissed(deps, events, add);
    // The first run, one after too long a gap, or too many events: the list is incomplete.
    const isBlind = !complete || last === null || last < oldest;
    await addUnreported(deps, isBlind ? {} : { pastDueBefore: startedAt + 1 }, add);
    await inSeveral([...customers], AT_ONCE, async ([customerId, noticeIds]) => {
      try {
        const { outcome, isChanged } = await applyCustomer(deps, customerId, [...noticeIds]);
        counts.customers += 1;
        if (outcome !== "duplicate") counts.notices += noticeIds.size;
        if (isChanged) counts.changed += 1;
      } catch (fault) {
        failed(customerId, fault);
      }
    });
    // The next run then asks only for what happened since this one.
    if (!isBlind || counts.failed === 0) await ledger.installation.write(RECONCILED_MARK, String(startedAt));
  } finally {
    emit({ kind: "billing_reconciled", ...counts });
  }
  return counts;
}

/** Whether the next customer would fail alike; a mistake of ours must be reported, too. */
function isInVain(fault: unknown): boolean {
  return fault instanceof BillingFault ? IN_VAIN.has(fault.kind) : !(fault instanceof Failure);
}

type Add = (customerId: string, ...noticeIds: readonly string[]) => void;

async function addUnsettled(
  { ledger, billing }: BillingNoticeDeps,
  now: Instant,
  add: Add,
  failed: (what: string, fault: unknown) => void,
): Promise<void> {
  const byObject = new Map<string | null, string[]>();
  for (const { id, type, objectId } of await ledger.billingEvents.unprocessed(now + 1, PAGE)) {
    const isRelevant = RELEVANT_NOTICES.some((relevant) => relevant === type);
    const about = isRelevant ? objectId : null;
    byObject.set(about, [...(byObject.get(about) ?? []), id]);
  }
  for (const [objectId, ids] of byObject) {
    try {
      const owner = objectId === null ? null : await ownerOf(billing, objectId);
      if (owner !== null) add(owner, ...ids);
      else for (const id of ids) await ledger.billingEvents.settle(id, "ignored", null, now);
    } catch (fault) {
      failed(String(objectId), fault);
    }
  }
}

/** The ledger stores one id of what a notice is about: the subscription's, else the customer's. */
async function ownerOf(billing: BillingNoticeDeps["billing"], objectId: string): Promise<string | null> {
  if (!objectId.startsWith("sub_")) return objectId;
  return (await billing.subscription(objectId))?.customerId ?? null;
}

async function addMissed(
  deps: BillingNoticeDeps,
  notices: readonly BillingNotice[],
  add: Add,
): Promise<void> {
  for (const notice of notices) {
    if (notice.customerId === null) continue;
    const known = await deps.ledger.billingEvents.byId(notice.id);
    if (known !== null && known.processedAt !== null) continue;
    await receiveNotice(deps, notice);
    add(notice.customerId, notice.id);
  }
}

/** Organizations that may have another status at the provider although no event says so. */
async function addUnreported(
  { ledger }: BillingNoticeDeps,
  filter: { readonly pastDueBefore?: Instant },
  add: Add,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page = await ledger.organizations.list(after, PAGE, filter);
    for (const { billingCustomerId } of page) if (billingCustomerId !== null) add(billingCustomerId);
    after = page.at(-1)?.id ?? null;
    if (after === null || page.length < PAGE) return;
  }
}
