/** Records attempts that ended and what becomes of their deliveries, many in one commit; a delivery that has ended may be replayed. */

import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Delivery } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { first, type LedgerParts, type Reads, type Transaction } from "#store/ledger/engine/engine.ts";
import { chunksOf, insertion, integer, joined, sql, text } from "#store/ledger/engine/rows.ts";
import { deliveryOf, dueAtOnce, SELECT_DELIVERIES } from "./rows.ts";

type Completion = Parameters<Outbox["complete"]>;

/** Resolves with what was recorded, in order. A dead worker's claim is valid until another takes it over: its attempt was made. */
async function complete(
  transaction: Transaction,
  completions: readonly Completion[],
): Promise<readonly boolean[]> {
  const nths = new Map<string, number>();
  for (const some of chunksOf(completions)) await end(transaction, some, nths);
  const recorded = completions.map(([{ id }]) => nths.has(id));
  for (const some of chunksOf(completions.filter((_, nth) => recorded[nth]))) {
    const attempts = some.map(([{ id }, { status, fault, milliseconds, address, head }, , at]) => {
      const nth = nths.get(id) ?? 0;
      return {
        deliveryId: id,
        nth,
        at,
        status,
        fault,
        milliseconds: Math.round(milliseconds),
        address,
        head,
      };
    });
    await transaction.run`${insertion("webhook_attempts", ...attempts)}`;
  }
  return recorded;
}

/** Ends or defers each delivery that is still held by its token; `nths` gets its number of attempts. */
async function end(
  transaction: Transaction,
  completions: readonly Completion[],
  nths: Map<string, number>,
): Promise<void> {
  const ended = completions.map(
    ([{ id, token }, , next, at]) => sql`SELECT CAST(${id} AS TEXT) AS id, CAST(${token} AS TEXT) AS token,
      CAST(${next.state} AS TEXT) AS state, CAST(${next.dueAt} AS BIGINT) AS due_at, CAST(${at} AS BIGINT) AS at`,
  );
  const rows = await transaction.rows`
    UPDATE webhook_deliveries
    SET state = ended.state, due_at = ended.due_at, attempts = attempts + 1, worker = NULL, token = NULL, changed_at = ended.at
    FROM (${joined(ended, " UNION ALL ")}) AS ended
    WHERE webhook_deliveries.id = ended.id AND webhook_deliveries.token = ended.token
    RETURNING webhook_deliveries.id, attempts`;
  for (const row of rows) nths.set(text(row, "id"), integer(row, "attempts"));
}

function find(on: Reads, id: string, organizationId: string): Promise<Delivery | null> {
  return first(on, deliveryOf)`
    ${SELECT_DELIVERIES} WHERE delivery.id = ${id} AND delivery.organization_id = ${organizationId}`;
}

interface Waiting {
  readonly completion: Completion;
  readonly done: (isRecorded: boolean) => void;
  readonly failed: (fault: unknown) => void;
}

/** Few, because other writes must run in between. */
const MOST_TOGETHER = 64;

/** Returns the first waiting completions, one per delivery: a second one must see what the first has made of its delivery. */
function together(waiting: readonly Waiting[]): ReadonlySet<Waiting> {
  const some = new Map<string, Waiting>();
  for (const one of waiting) {
    const [{ id }] = one.completion;
    if (some.size < MOST_TOGETHER && !some.has(id)) some.set(id, one);
  }
  return new Set(some.values());
}

/**
 * Completions that come while one is being written are written together: one commit, and one flush of the disk, for many.
 * Each resolves once its own is on the disk. One that the ledger refuses fails alone; an unavailable ledger fails all.
 */
export function completing({ engine: { write, time } }: LedgerParts): Pick<Outbox, "complete" | "replay"> {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const recordBatch = async (some: readonly Waiting[]): Promise<void> => {
    try {
      const batch = some.map(({ completion }) => completion);
      const recorded = await write((transaction) => complete(transaction, batch));
      for (const [nth, { done }] of some.entries()) done(recorded[nth] === true);
    } catch (fault) {
      const isForAll = some.length === 1 || fault instanceof LedgerUnavailable;
      for (const one of some) {
        if (isForAll) one.failed(fault);
        else await recordBatch([one]);
      }
    }
  };
  const recordAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const some = together(waiting);
      waiting = waiting.filter((one) => !some.has(one));
      await recordBatch([...some]);
    }
    isWriting = false;
  };

  return {
    complete: (...completion) =>
      new Promise<boolean>((done, failed) => {
        waiting.push({ completion, done, failed });
        if (!isWriting) void recordAll();
      }),
    // Null if the delivery or its endpoint is gone. A due or claimed one stays: repeated calls request one attempt.
    replay: (deliveryId, organizationId, at, by) =>
      write(async (transaction) => {
        const present = await find(transaction, deliveryId, organizationId);
        if (present === null) return null;
        // A transaction that removes the endpoint waits for this one, and then drops the delivery again.
        const endpoints = await transaction.rows`
          SELECT id FROM webhook_endpoints WHERE id = ${present.endpointId}${transaction.forUpdate}`;
        if (endpoints.length === 0) return null;
        const begun = await transaction.run`
          UPDATE webhook_deliveries SET state = 'pending', reason = NULL, due_at = ${dueAtOnce(at, time)}, changed_at = ${at}
          WHERE id = ${deliveryId} AND (state <> 'pending' OR (worker IS NULL AND due_at > ${at}))`;
        if (begun > 0) {
          const detail = { endpoint: present.endpointId, delivery: deliveryId, event: present.eventId };
          await transaction.record(by, "webhook_delivery.replayed", `organization:${organizationId}`, detail);
        }
        return await find(transaction, deliveryId, organizationId);
      }),
  };
}
