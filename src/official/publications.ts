/** The publications of one table, page by page, the newest validity first. */

import { Failure } from "#domain/faults/errors.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import type { PublicationQuery } from "#ports/official.ts";
import { findTable } from "./find-table.ts";
import { fromLedger } from "./ledger-reads.ts";
import { newestOf } from "./newest.ts";
import { officialNotice, tableBody, versionBody } from "./official-body.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

export const DEFAULT_PUBLICATIONS = 50;
export const MOST_PUBLICATIONS = 366;

export interface PublicationsQuery {
  readonly country: string;
  readonly type: string;
  /** By the first day of validity, inclusive. */
  readonly from: Day | null;
  readonly to: Day | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A question whose syntax is right. */
export interface PublicationsQuestion extends Omit<PublicationQuery, "table"> {
  readonly offered: OfferedTable;
  readonly type: string;
  /** What a cursor belongs to. */
  readonly name: string;
}

/** Failures `not_found` for an unknown table, `invalid_request` for a window that is none and a cursor of another question. */
export function publicationsQuestion(deps: OfficialDeps, query: PublicationsQuery): PublicationsQuestion {
  const { country, type, from, to, limit, cursor } = query;
  const offered = findTable(deps, country, type);
  if (from !== null && to !== null && from > to) {
    throw new Failure("invalid_request", { reason: `from ${formatDay(from)} is after to ${formatDay(to)}` });
  }
  const days = [from, to].map((day) => (day === null ? "-" : formatDay(day)));
  const name = ["official publications", offered.table.id, ...days].join("|");
  const after = cursor === null ? null : placeOf(openText(deps.cursorSecret, name, cursor));
  return { offered, type, from, to, limit, after, name };
}

/** `2026-04-13 <publication>`: the last one of the page before. */
function placeOf(payload: string): PublicationQuery["after"] {
  const validFrom = parseDay(payload.slice(0, 10));
  if (validFrom === null) throw new Error(`a cursor of ours holds no place: ${payload}`);
  return { validFrom, publication: payload.slice(11) };
}

/** Body of GET …/publications. Failures `source_unavailable` for a table that is not collected, `service_unavailable`. */
export async function officialPublications(
  deps: OfficialDeps,
  question: PublicationsQuestion,
): Promise<object> {
  const { offered, type, from, to, limit, after, name } = question;
  const { table } = offered;
  const found = await fromLedger(async () => {
    const some = await deps.publications.list({ table: table.id, from, to, after, limit: limit + 1 });
    // No page of a table that nobody collects: an empty one would say that its authority published nothing.
    if (some.length === 0 && offered.missing !== null) await newestOf(deps, offered);
    return some;
  });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    result: "success",
    ...tableBody(table, type),
    publications: page.map(versionBody),
    has_more: last !== undefined,
    next_cursor:
      last === undefined
        ? null
        : sealText(deps.cursorSecret, name, `${formatDay(last.validFrom)} ${last.publication}`),
    notice: officialNotice(deps.simulated),
  };
}
