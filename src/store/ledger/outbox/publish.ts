/** Publishing: versions that are new, their events, and one delivery for every endpoint that subscribed to them, in one transaction. */

import { type Lease, LeaseLost } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { isHeld } from "#store/ledger/engine/leases.ts";
import { chunksOf, integer, joined, padded, raw, sql, text } from "#store/ledger/engine/rows.ts";
import { type EndpointLimits, withinPlan } from "#store/ledger/keys/plan-room.ts";
import { VERSION_COLUMNS, versionParams } from "#store/ledger/publications/rows.ts";
import { insertEvents, lockCommitOrder, moveCommitOrder, queue } from "./queue.ts";

export type Publishing = Parameters<Outbox["publish"]>[0];

/** Versions of one transaction: with a thousand endpoints it is done well before the deadline of Postgres. */
const AT_ONCE = 32;

/** What is known of a publication: whether a version is the next one, and has other content. */
interface Newest {
  readonly version: number;
  readonly fingerprint: string;
}

export async function publish(
  { engine }: LedgerParts,
  limits: EndpointLimits,
  versions: Publishing,
  at: Instant,
  under: Lease | null,
): Promise<readonly PublicationVersion[]> {
  const stored: PublicationVersion[] = [];
  for (let start = 0; start < versions.length; start += AT_ONCE) {
    const some = versions.slice(start, start + AT_ONCE);
    const publishing = async (transaction: Transaction) => {
      // A transaction that publishes at the same time waits here for this one, and then sees what it stored.
      const position = await lockCommitOrder(transaction);
      if (under !== null && !(await isHeld(transaction, under, engine.time))) throw new LeaseLost(under);
      return await publishSome(transaction, limits, some, at, position);
    };
    stored.push(...(await engine.write(publishing)));
  }
  return stored;
}

async function publishSome(
  transaction: Transaction,
  limits: EndpointLimits,
  versions: Publishing,
  at: Instant,
  before: number,
): Promise<readonly PublicationVersion[]> {
  const fresh = onlyNew(versions, await newestOf(transaction, versions));
  const stored = fresh.map(({ version }) => version);
  await insertVersions(transaction, stored);
  const events = fresh
    .flatMap(({ version: { table }, event }) => (event === null ? [] : { event, table, endpointId: null }))
    .map((one, nth) => ({ ...one, position: before + nth + 1 }));
  await insertEvents(transaction, events);
  for (const { position, event } of events) await queueForAll(transaction, limits, position, event, at);
  if (events.length > 0) await moveCommitOrder(transaction, before + events.length);
  return stored;
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

/** In the order given: the next version of each publication, and only with other content than the one before it. */
function onlyNew(versions: Publishing, newest: Map<string, Newest>): Publishing {
  return versions.filter(({ version: wanted }) => {
    const known = newest.get(keyOf(wanted)) ?? { version: 0, fingerprint: "" };
    if (wanted.version <= known.version) return false;
    if (wanted.version > known.version + 1) {
      throw new RangeError(
        `version ${wanted.version} of ${wanted.table} ${wanted.publication} would come after ${known.version}`,
      );
    }
    if (wanted.fingerprint === known.fingerprint) return false;
    newest.set(keyOf(wanted), { version: wanted.version, fingerprint: wanted.fingerprint });
    return true;
  });
}

function keyOf({ table, publication }: Pick<PublicationVersion, "table" | "publication">): string {
  return JSON.stringify([table, publication]);
}

/** A publication is in it once, in its newest version. */
async function insertVersions(
  transaction: Transaction,
  versions: readonly PublicationVersion[],
): Promise<void> {
  const newest = new Map(versions.map((version) => [keyOf(version), version]));
  for (const some of chunksOf([...newest.values()])) {
    const rows = some.map(
      ({ table, publication, version, validFrom, fingerprint }) =>
        sql`(${table}, ${publication}, ${version}, ${formatDay(validFrom)}, ${fingerprint})`,
    );
    await transaction.run`
      INSERT INTO official_publications (table_id, publication, newest_version, valid_from, fingerprint)
      VALUES ${joined(rows)}
      ON CONFLICT (table_id, publication) DO UPDATE
      SET newest_version = excluded.newest_version, valid_from = excluded.valid_from, fingerprint = excluded.fingerprint`;
  }
  for (const some of chunksOf(versions)) {
    const rows = some.map(
      (version) => sql`(${joined(versionParams(version).map((value) => sql`${value}`))})`,
    );
    await transaction.run`INSERT INTO official_versions (${VERSION_COLUMNS}) VALUES ${joined(rows)}`;
  }
}

/** Endpoints cannot go meanwhile: removing one needs the lock on the order of commits. */
async function queueForAll(
  transaction: Transaction,
  limits: EndpointLimits,
  position: number,
  { type }: WebhookEvent,
  at: Instant,
): Promise<void> {
  const column = raw(type === "official.published" ? "wants_published" : "wants_corrected");
  await queue(transaction, position, at, sql`endpoint.${column} = 1 AND ${withinPlan(limits, at)}`);
}
