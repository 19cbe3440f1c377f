/**
 * Publishes new versions, their events, and one delivery for every subscribed endpoint, in one transaction. Positions are given under
 * one lock, held until the commit: no later commit fills a gap.
 */

import { LeaseLost } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { first, type LedgerParts, type Transaction } from "#store/ledger/engine/engine.ts";
import { isHeld } from "#store/ledger/engine/leases.ts";
import {
  chunksOf,
  insertion,
  integer,
  joined,
  padded,
  type Row,
  type Sql,
  sql,
  text,
} from "#store/ledger/engine/rows.ts";
import { storedVersion } from "#store/ledger/publications/publications.ts";
import { deliveryOf, dueAtOnce, type EndpointLimits, SELECT_DELIVERIES, withinPlan } from "./rows.ts";

type Publishing = Parameters<Outbox["publish"]>[0];

/** The most versions of one transaction: with a thousand endpoints it ends well before the deadline of Postgres. */
const AT_ONCE = 32;

/** The newest version of a publication: it shows whether a version is the next one, and has other content. */
interface Newest {
  readonly version: number;
  readonly fingerprint: string;
}

export function publishing(
  { engine }: LedgerParts,
  limits: EndpointLimits,
): Pick<Outbox, "publish" | "publishTest"> {
  return {
    publish: async (versions, at, under = null) => {
      const stored: PublicationVersion[] = [];
      for (let start = 0; start < versions.length; start += AT_ONCE) {
        const some = versions.slice(start, start + AT_ONCE);
        const added = await engine.write(async (transaction) => {
          // A transaction that publishes at the same time waits here, and then sees what this one has stored.
          const before = await lockCommitOrder(transaction);
          if (under !== null && !(await isHeld(transaction, under))) throw new LeaseLost(under);
          const fresh = onlyNew(some, await newestOf(transaction, some));
          const newVersions = fresh.map(({ version }) => version);
          await insertVersions(transaction, newVersions);
          const events = fresh
            .flatMap(({ version: { table }, event }) =>
              event === null ? [] : { event, table, endpointId: null },
            )
            .map((one, nth) => ({ ...one, position: before + nth + 1 }));
          await insertEvents(transaction, events);
          // No endpoint can be removed meanwhile: that needs the lock on the order of commits.
          for (const { position, event } of events) {
            const isChosen = sql`endpoint.events LIKE ${`%"${event.type}"%`}`;
            const condition = sql`${isChosen} AND ${withinPlan(limits, at)}`;
            await queue(transaction, { position, at, due: dueAtOnce(at, engine.time) }, condition);
          }
          if (events.length > 0) await moveCommitOrder(transaction, before + events.length);
          return newVersions;
        });
        stored.push(...added);
      }
      return stored;
    },
    // A repetition returns the delivery that is queued already.
    publishTest: (event, endpointId, at) =>
      engine.write(async (transaction) => {
        const position = (await lockCommitOrder(transaction)) + 1;
        const endpoints = await transaction.rows`SELECT id FROM webhook_endpoints WHERE id = ${endpointId}`;
        if (endpoints.length === 0) return null;
        const events = await transaction.rows`
          SELECT position FROM webhook_events WHERE endpoint_id = ${endpointId} AND id = ${event.id}`;
        if (events.length === 0) {
          await insertEvents(transaction, [{ position, event, table: null, endpointId }]);
          await moveCommitOrder(transaction, position);
          const placed = { position, at, due: dueAtOnce(at, engine.time) };
          await queue(transaction, placed, sql`endpoint.id = ${endpointId}`);
        }
        const queued = events.length === 0 ? position : integer(events[0] as Row, "position");
        return await first(transaction, deliveryOf)`
          ${SELECT_DELIVERIES} WHERE delivery.endpoint_id = ${endpointId} AND delivery.event_position = ${queued}`;
      }),
  };
}

async function newestOf(transaction: Transaction, versions: Publishing): Promise<Map<string, Newest>> {
  const keys = padded([...new Set(versions.map(({ version }) => keyOf(version)))]);
  const pairs = keys.map((key) => {
    const [table, publication] = JSON.parse(key) as [string, string];
    return sql`(${table}, ${publication})`;
  });
  const rows = await transaction.rows`
    SELECT table_id, publication, newest_version, fingerprint FROM official_publications
    WHERE (table_id, publication) IN (VALUES ${joined(pairs)})`;
  return new Map(
    rows.map((row) => [
      keyOf({ table: text(row, "table_id"), publication: text(row, "publication") }),
      { version: integer(row, "newest_version"), fingerprint: text(row, "fingerprint") },
    ]),
  );
}

/** Returns the versions, in the given order, that are the next of their publication and have other content. Throws RangeError for a gap. */
function onlyNew(versions: Publishing, newest: Map<string, Newest>): Publishing {
  return versions.filter(({ version: next }) => {
    const last = newest.get(keyOf(next)) ?? { version: 0, fingerprint: "" };
    if (next.version <= last.version) return false;
    if (next.version > last.version + 1) {
      throw new RangeError(
        `version ${next.version} of ${next.table} ${next.publication} would come after ${last.version}`,
      );
    }
    if (next.fingerprint === last.fingerprint) return false;
    newest.set(keyOf(next), { version: next.version, fingerprint: next.fingerprint });
    return true;
  });
}

function keyOf({ table, publication }: Pick<PublicationVersion, "table" | "publication">): string {
  return JSON.stringify([table, publication]);
}

/** Inserts all versions, and each publication once, with its newest version. */
async function insertVersions(
  transaction: Transaction,
  versions: readonly PublicationVersion[],
): Promise<void> {
  const newest = new Map(versions.map((version) => [keyOf(version), version]));
  for (const some of chunksOf([...newest.values()])) {
    const rows = some.map(({ table, publication, version, validFrom, fingerprint }) => ({
      tableId: table,
      publication,
      newestVersion: version,
      validFrom: formatDay(validFrom),
      fingerprint,
    }));
    await transaction.run`
      ${insertion("official_publications", ...rows)}
      ON CONFLICT (table_id, publication) DO UPDATE
      SET newest_version = excluded.newest_version, valid_from = excluded.valid_from, fingerprint = excluded.fingerprint`;
  }
  for (const some of chunksOf(versions))
    await transaction.run`${insertion("official_versions", ...some.map(storedVersion))}`;
}

/**
 * Returns the last position that was given, locked for the rest of the transaction. A sequence would not do on Postgres: it gives 1 and
 * 2 to two transactions, the second may commit first, and a reader that has read up to 2 by then never sees 1. Here the second waits
 * until the first has committed. SQLite has one writer at a time anyway.
 *
 * This is the first lock of every transaction that takes it. Publishing takes it, and so does the removal of an endpoint: no delivery
 * is left to a removed endpoint. The removal of an organization does not need it: a foreign key refers to the organization's row, and a
 * publisher that meets the removal begins again.
 */
export async function lockCommitOrder(transaction: Transaction): Promise<number> {
  const [row] =
    await transaction.rows`SELECT position FROM commit_order WHERE id = 1${transaction.forUpdate}`;
  return integer(row as Row, "position");
}

async function moveCommitOrder(transaction: Transaction, position: number): Promise<void> {
  await transaction.run`UPDATE commit_order SET position = ${position} WHERE id = 1`;
}

interface PlacedEvent {
  readonly position: number;
  readonly event: WebhookEvent;
  /** Null for the event of one endpoint. */
  readonly table: string | null;
  readonly endpointId: string | null;
}

async function insertEvents(transaction: Transaction, events: readonly PlacedEvent[]): Promise<void> {
  for (const some of chunksOf(events)) {
    const rows = some.map(({ position, event: { id, type, createdAt, body }, table, endpointId }) => {
      return { position, id, type, tableId: table, endpointId, createdAt, body };
    });
    await transaction.run`${insertion("webhook_events", ...rows)}`;
  }
}

/** Makes one delivery for each endpoint that meets the condition. The row of an endpoint is called `endpoint`. */
async function queue(
  { run }: Transaction,
  { position, at, due }: { readonly position: number; readonly at: Instant; readonly due: Sql },
  condition: Sql,
): Promise<void> {
  await run`
    INSERT INTO webhook_deliveries
      (id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at)
    SELECT ${`whd_${position}_`} || replace(endpoint.id, 'whe_', ''), endpoint.organization_id, endpoint.id,
      CAST(${position} AS BIGINT), 'pending', 0, ${due}, CAST(${at} AS BIGINT)
    FROM webhook_endpoints AS endpoint WHERE ${condition}`;
}
