/** What was published and corrected, in the order of commits, as the events of webhooks, and newest first for feed readers. */

import type { ChangeFeed, ChangePage } from "#domain/official/publication.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { OfficialDeps } from "./deps.ts";
import { fromLedger } from "./ledger.ts";
import { filterTables } from "./tables.ts";

export const DEFAULT_CHANGES = 100;
export const MOST_CHANGES = 500;
const NEWEST = { before: null, tables: null, limit: 1 };

export interface ChangesQuery {
  /** From the first change created at or after it, in the order of commits. With a cursor that alone says where to begin. */
  readonly since: Instant | null;
  readonly country: string | null;
  readonly type: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A query whose filter and cursor are valid. */
export interface PlannedChanges {
  readonly since: Instant | null;
  /** Ids; null for all. */
  readonly tables: readonly string[] | null;
  readonly limit: number;
  /** Place of the last change before the page; null for the first page. */
  readonly after: number | null;
  /** What a cursor belongs to. */
  readonly name: string;
}

/** Failure `invalid_request` for an unknown country or type, and for a cursor that belongs to another query. */
export function planChanges(deps: OfficialDeps, query: ChangesQuery): PlannedChanges {
  const { since, country, type, limit, cursor } = query;
  const tables = filterTables(deps, country, type);
  const name = [
    "official changes",
    since === null ? "-" : formatInstant(since),
    country?.toUpperCase() ?? "-",
    type?.toLowerCase() ?? "-",
  ].join("|");
  const after = cursor === null ? null : Number(openText(deps.cursorSecret, name, cursor));
  return { since: after === null ? since : null, tables, limit, after, name };
}

/**
 * A page of events in the order of their commits. A reader that continues from its cursor misses nothing that was committed since,
 * whatever instant it has. Failure `service_unavailable`.
 */
export async function officialChanges(deps: OfficialDeps, planned: PlannedChanges): Promise<ChangePage> {
  const { since, tables, limit, after, name } = planned;
  const [found, begin] = await fromLedger(async () => {
    // An empty first page leads on from the newest commit of before it was read.
    const [newest] = after === null ? await deps.outbox.newestChanges(NEWEST) : [];
    const some = await deps.outbox.changes({ after, since, tables, limit: limit + 1 });
    return [some, after ?? newest?.position ?? 0] as const;
  });
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = page.at(-1)?.position ?? begin;
  const resume = sealText(deps.cursorSecret, name, String(last));
  return { events: page.map(({ body }) => body), hasMore, resumeCursor: resume };
}

/** Entries of a feed document. */
export const MOST_ENTRIES = 100;

interface FeedQuery {
  readonly country: string | null;
  readonly type: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A query whose filter and cursor are valid. */
interface PlannedFeed extends FeedQuery {
  /** Ids; null for all. */
  readonly tables: readonly string[] | null;
  /** Place of the oldest entry of the page before; null for the first page. */
  readonly before: number | null;
  /** What a cursor belongs to. */
  readonly name: string;
}

/** Failure `invalid_request` for an unknown country or type, and for a cursor that belongs to another query. */
export function planFeed(deps: OfficialDeps, query: FeedQuery): PlannedFeed {
  const tables = filterTables(deps, query.country, query.type);
  const country = query.country?.toUpperCase() ?? null;
  const type = query.type?.toLowerCase() ?? null;
  const name = ["official feed", country ?? "-", type ?? "-"].join("|");
  const before = query.cursor === null ? null : Number(openText(deps.cursorSecret, name, query.cursor));
  return { ...query, country, type, tables, before, name };
}

/** A page of the newest events. Failure `service_unavailable`. */
export async function officialFeed(deps: OfficialDeps, planned: PlannedFeed): Promise<ChangeFeed> {
  const { tables, limit, before, name, country, type, cursor } = planned;
  const found = await fromLedger(() => deps.outbox.newestChanges({ before, tables, limit: limit + 1 }));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.position;
  const hasMore = found.length > limit && last !== undefined;
  const entries = page.map((event) => {
    // Ids are `evt_<table>_<publication>_v<version>`; a table's name may begin like another's.
    const named = deps.tables.filter(({ table }) => event.id.startsWith(`evt_${table.id}_`));
    const table = named.map((offered) => offered.table).toSorted((a, b) => b.id.length - a.id.length)[0];
    return { event, table: table ?? null };
  });
  const nextCursor = hasMore ? sealText(deps.cursorSecret, name, String(last)) : null;
  return { country, type, entries, cursor, nextCursor, simulated: deps.simulated };
}
