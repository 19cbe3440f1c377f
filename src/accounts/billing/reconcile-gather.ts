/** Finds the customers that the hourly job must check, the notices concerned, and the time up to which it has seen everything. */

import { type BillingNotice, RELEVANT_NOTICES, recordOf } from "#domain/billing/notice.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";

export interface Gathered {
  /** By customer the ids of notices that are received and not settled: none where only the present state is of interest. */
  readonly customers: ReadonlyMap<string, readonly string[]>;
  /** Call it at the end with how many failed: the next run then queries only what happened since this one. */
  done(failed: number): Promise<void>;
}

/** The provider remembers its events for this long. */
const KEPT_MILLISECONDS = 30 * MILLISECONDS_PER_DAY;
/** Clocks differ, and events are listed a little after they happened. */
const OVERLAP_MILLISECONDS = 3_600_000;
const PAGE = 500;
/** Under this name the ledger stores when the last complete run began, in milliseconds. */
export const RECONCILED_MARK = "billing_reconciled_at";

/**
 * Settles, on the way, notices that need no action. `failed` is called for what cannot be read and throws where continuing is
 * in vain. Rejects with BillingFault and LedgerUnavailable.
 */
export async function gatherBilling(
  deps: BillingNoticeDeps,
  failed: (what: string, fault: unknown) => void,
): Promise<Gathered> {
  const { billing, ledger, clock } = deps;
  const startedAt = clock.now();
  const last = Number(await ledger.installation.read(RECONCILED_MARK)) || null;
  const oldest = startedAt - KEPT_MILLISECONDS;
  const since = Math.max(oldest, (last ?? oldest) - OVERLAP_MILLISECONDS);

  const customers = new Map<string, string[]>();
  const add = (customerId: string, noticeId?: string) => {
    const ids = customers.get(customerId) ?? [];
    if (noticeId !== undefined && !ids.includes(noticeId)) ids.push(noticeId);
    customers.set(customerId, ids);
  };
  await addUnsettled(deps, startedAt, add, failed);
  const { events, complete } = await billing.listChanged(since);
  await addMissed(deps, events, startedAt, add);
  // The first run, one after too long a gap, or too many events at once: then the events are incomplete.
  const isBlind = !complete || last === null || last < oldest;
  await addStanding(deps, isBlind ? {} : { pastDueBefore: startedAt + 1 }, add);
  return {
    customers,
    done: async (failed) => {
      if (isBlind && failed > 0) return;
      await ledger.installation.write(RECONCILED_MARK, String(startedAt));
    },
  };
}

type Add = (customerId: string, noticeId?: string) => void;

/** Taken, and then our ledger or the provider failed, or the process ended. */
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
      for (const id of ids) {
        if (owner === null) await ledger.billingEvents.settle(id, "ignored", null, now);
        else add(owner, id);
      }
    } catch (fault) {
      failed(String(objectId), fault);
    }
  }
}

/** The ledger stores one id of what a notice is about: a subscription's where there was one, else the customer's. */
async function ownerOf(billing: BillingNoticeDeps["billing"], objectId: string): Promise<string | null> {
  if (!objectId.startsWith("sub_")) return objectId;
  return (await billing.subscription(objectId))?.customerId ?? null;
}

/** Those that never arrived are taken now, as if they had. */
async function addMissed(
  { ledger }: BillingNoticeDeps,
  notices: readonly BillingNotice[],
  now: Instant,
  add: Add,
): Promise<void> {
  for (const notice of notices) {
    if (notice.customerId === null) continue;
    const known = await ledger.billingEvents.byId(notice.id);
    if (known !== null && known.processedAt !== null) continue;
    await ledger.billingEvents.receive(recordOf(notice), now);
    add(notice.customerId, notice.id);
  }
}

/** Organizations whose status may differ though no event says so. */
async function addStanding(
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
