/** What was published and corrected, in the order in which it was committed: the bodies that webhooks carry. */

import type { ChangePage } from "#domain/official/answers.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { OfficialDeps } from "./deps.ts";
import { fromLedger } from "./ledger.ts";
import { filterTables } from "./tables.ts";

export const DEFAULT_CHANGES = 100;
export const MOST_CHANGES = 500;

export interface ChangesQuery {
  /** Created at or after. */
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
  return { since, tables, limit, after, name };
}

/** A page of events in the order of their commits. Failure `service_unavailable`. */
export async function officialChanges(deps: OfficialDeps, planned: PlannedChanges): Promise<ChangePage> {
  const { since, tables, limit, after, name } = planned;
  const found = await fromLedger(() => deps.outbox.changes({ after, since, tables, limit: limit + 1 }));
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = page.at(-1)?.position ?? after ?? 0;
  const resume = sealText(deps.cursorSecret, name, String(last));
  return { events: page.map(({ body }) => body), hasMore, resumeCursor: resume };
}
