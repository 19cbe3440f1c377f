/** Official publications and corrections as events: in the order of commits, as webhooks send them, or newest first for feed readers. */

import { Failure } from "#domain/faults/errors.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { fromLedger, type OfficialDeps, pageOf } from "./deps.ts";
import { filterTables } from "./tables.ts";

export const DEFAULT_CHANGES = 100;
export const MOST_CHANGES = 500;
const NEWEST = { tables: null, limit: 1 };
const RESTORED =
  "the cursor is of changes that this server has lost: it was restored from a backup; begin again with since, from before the backup";

export interface ChangesQuery {
  /** Begins with the first change created at or after it, in the order of commits. Ignored with a cursor. */
  readonly since: Instant | null;
  readonly country: string | null;
  readonly type: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/**
 * The ids of the filter's tables (null: all), the name of the query, and what its cursor holds: a place (null: the first page), and the
 * instant of the event there (undefined: unknown).
 */
function filterOf(
  deps: OfficialDeps,
  { country, type, cursor }: Pick<ChangesQuery, "country" | "type" | "cursor">,
  parts: readonly string[],
) {
  const tables = filterTables(deps, country, type);
  const name = [...parts, country?.toUpperCase() ?? "-", type?.toLowerCase() ?? "-"].join("|");
  const position = cursor === null ? [] : openText(deps.cursorSecret, name, cursor).split(" ").map(Number);
  const [place = null, createdAt] = position;
  return { tables, name, place, createdAt };
}

/**
 * Checks a query, and returns the reading of its page: events in the order of their commits. A reader that continues from its
 * cursor misses nothing committed since, even with an earlier instant. Failures `invalid_request` for an unknown country or type,
 * and for a cursor that belongs to another query. Failures of the reading: `service_unavailable`, and `invalid_request` for a
 * cursor of events that a restored ledger has lost, because it gives their places to later events.
 */
export function officialChanges(deps: OfficialDeps, query: ChangesQuery) {
  const { since, limit } = query;
  const parts = ["official changes", since === null ? "-" : formatInstant(since)];
  const { tables, name, place: after, createdAt } = filterOf(deps, query, parts);
  return async () => {
    const [rows, begin] = await fromLedger(async () => {
      // The event at the cursor. Without a cursor it is the newest event: an empty page resumes there.
      const [event] = await deps.outbox.newestChanges({
        ...NEWEST,
        before: after === null ? null : after + 1,
      });
      const isLost = createdAt !== undefined && (event?.position !== after || event?.createdAt !== createdAt);
      if (isLost) throw new Failure("invalid_request", { reason: RESTORED });
      const from = { after, since: after === null ? since : null };
      return [await deps.outbox.changes({ ...from, tables, limit: limit + 1 }), event] as const;
    });
    const { page, last } = pageOf(rows, limit);
    const end = page.at(-1) ?? begin;
    const place = end === undefined ? "0" : `${end.position} ${end.createdAt}`;
    const resumeCursor = sealText(deps.cursorSecret, name, place);
    return { events: page.map(({ body }) => body), hasMore: last !== undefined, resumeCursor };
  };
}

export type ChangePage = Awaited<ReturnType<ReturnType<typeof officialChanges>>>;

export const MOST_ENTRIES = 100;

export type ChangeFeed = Awaited<ReturnType<ReturnType<typeof officialFeed>>>;

/** As `officialChanges`, of the newest events, the newest first. `nextCursor` leads to older ones. */
export function officialFeed(deps: OfficialDeps, query: Omit<ChangesQuery, "since">) {
  const { limit, cursor } = query;
  const { tables, name, place: before } = filterOf(deps, query, ["official feed"]);
  const country = query.country?.toUpperCase() ?? null;
  const type = query.type?.toLowerCase() ?? null;
  return async () => {
    const rows = await fromLedger(() => deps.outbox.newestChanges({ before, tables, limit: limit + 1 }));
    const { page, last } = pageOf(rows, limit);
    const entries = page.map((event) => {
      // Ids are `evt_<table>_<publication>_v<version>`. Null if this server no longer offers the table.
      const offered = deps.tables.find(({ table }) => event.id.startsWith(`evt_${table.id}_`));
      return { event, table: offered?.table ?? null };
    });
    const nextCursor = last === undefined ? null : sealText(deps.cursorSecret, name, String(last.position));
    return { country, type, entries, cursor, nextCursor, simulated: deps.simulated };
  };
}
