/** Publications of a table: in pages, newest validity first; one with its rates; and all versions of one with their differences. */

import { Failure } from "#domain/faults/errors.ts";
import { differencesOf, type HeldPublication } from "#domain/official/doubts.ts";
import {
  LONGEST_STEP_DAYS,
  lastDayOf,
  type OfficialTable,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant, parseDay } from "#domain/time/day.ts";
import type { PublicationQuery } from "#ports/official.ts";
import {
  fromLedger,
  heldInstead,
  heldNote,
  newestOf,
  newestOrNull,
  type OfferedTable,
  type OfficialDeps,
  pageOf,
  unreadNote,
} from "./deps.ts";
import { findTable } from "./tables.ts";

export const DEFAULT_PUBLICATIONS = 50;
export const MOST_PUBLICATIONS = 366;

export interface PublicationsQuery extends Pick<PublicationQuery, "from" | "to" | "limit"> {
  readonly country: string;
  readonly type: string;
  readonly cursor: string | null;
}

/**
 * Checks a query, and returns the reading of its page. Failures `not_found` for an unknown table, `invalid_request` for a
 * reversed window and for a cursor of another query. Failures of the reading: `source_unavailable` for a table that is not
 * collected, `service_unavailable`.
 */
export function officialPublications(deps: OfficialDeps, query: PublicationsQuery) {
  const { country, type, from, to, limit, cursor } = query;
  const offered = findTable(deps, country, type);
  if (from !== null && to !== null && from > to) {
    throw new Failure("invalid_request", { reason: `from ${formatDay(from)} is after to ${formatDay(to)}` });
  }
  const days = [from, to].map((day) => (day === null ? "-" : formatDay(day)));
  const name = ["official publications", offered.table.id, ...days].join("|");
  const after = cursor === null ? null : placeOf(openText(deps.cursorSecret, name, cursor));
  const { table } = offered;
  return async () => {
    const rows = await fromLedger(async () => {
      const publications = await deps.publications.list({
        table: table.id,
        from,
        to,
        after,
        limit: limit + 1,
      });
      // A table that is not collected has no page: an empty one would mean that its authority published nothing. Nor has one whose
      // first history loads: later publications are missing.
      const hasBegun = publications.length > 0 || (await newestOrNull(deps, table.id)) !== null;
      if (hasBegun || offered.missing !== null) await newestOf(deps, offered);
      return publications;
    });
    const { page, last } = pageOf(rows, limit);
    const place = last === undefined ? null : `${formatDay(last.validFrom)} ${last.publication}`;
    const nextCursor = place === null ? null : sealText(deps.cursorSecret, name, place);
    return { table, type, publications: page, after, nextCursor, simulated: deps.simulated };
  };
}

export type PublicationPage = Awaited<ReturnType<ReturnType<typeof officialPublications>>>;

/** Parses a cursor, `2026-04-13 <publication>`: the last publication of the page before. */
export function placeOf(payload: string): PublicationQuery["after"] {
  const validFrom = parseDay(payload.slice(0, 10));
  if (validFrom === null) throw new Error(`a cursor of ours holds no place: ${payload}`);
  return { validFrom, publication: payload.slice(11) };
}

export interface PublicationLookup {
  readonly offered: OfferedTable;
  readonly type: string;
  readonly asked:
    | { readonly by: "name"; readonly publication: string; readonly version: number | null }
    | { readonly by: "newest" }
    /** Null: today in the table's zone. */
    | { readonly by: "day"; readonly day: Day | null };
}

/** One publication with every version that can be read. Failures `not_found`, `source_unavailable`, `service_unavailable`. */
export async function officialPublication(deps: OfficialDeps, { offered, type, asked }: PublicationLookup) {
  const { table } = offered;
  const today = dayInZone(table.zone, deps.clock.now());
  const on = asked.by === "day" ? (asked.day ?? today) : today;
  return await fromLedger(async () => {
    const publication =
      asked.by === "name"
        ? await byName(deps, offered, asked)
        : asked.by === "newest"
          ? await newestOf(deps, offered)
          : await newestOf(deps, offered).then(() => validOn(deps, offered, on));
    const versions = await deps.publications.versions(table.id, publication.publication);
    const unread = asked.by === "name" ? null : await unreadNote(deps, table, on, publication.validTo);
    const held = asked.by === "newest" ? await heldNote(deps, table.id, publication) : null;
    return { table, type, publication, versions, unread: held ?? unread, simulated: deps.simulated };
  });
}

export type FoundPublication = Awaited<ReturnType<typeof officialPublication>>;

async function byName(
  deps: OfficialDeps,
  offered: OfferedTable,
  { publication, version }: { readonly publication: string; readonly version: number | null },
): Promise<PublicationVersion> {
  const { id, country, types } = offered.table;
  const named = await deps.publications.find(id, publication, version);
  if (named !== null) return named;
  const isNamed = (one: HeldPublication) => one.publication === publication && one.version === (version ?? 1);
  const held = (await deps.held(id)).find(isNamed);
  if (held !== undefined) throw heldBack(held, null);
  // In a table without any publication, an unknown name may still be right.
  await newestOf(deps, offered);
  const newest = version === null ? null : await deps.publications.find(id, publication, null);
  throw notFound(
    newest === null
      ? `${id} has no publication ${publication}: see /v1/official/${country}/${types[0]}/publications`
      : `publication ${publication} of ${id} has no version ${version}; its newest is ${newest.version}`,
  );
}

/** As validOn, with a note where later publications may be missing. Failure `source_unavailable` for a table without any, too. */
export async function inForceOn(deps: OfficialDeps, offered: OfferedTable, day: Day, asOf: Instant | null) {
  await newestOf(deps, offered);
  const publication = await validOn(deps, offered, day, asOf);
  const unread = asOf === null ? await unreadNote(deps, offered.table, day, publication.validTo) : null;
  return { publication, unread };
}

/** The publication that is valid on a day. Failure `not_found`, which names the one before. */
export async function validOn(
  deps: OfficialDeps,
  { table }: OfferedTable,
  day: Day,
  asOf: Instant | null = null,
): Promise<PublicationVersion> {
  const { publication, isValid, held } = await lastUpTo(deps, table, day, asOf);
  if (publication !== null && isValid) return publication;
  if (held !== null) throw heldBack(held, publication);
  const then = asOf === null ? "is" : `was at ${formatInstant(asOf)}`;
  const nearest = await nearestTo(deps, table.id, publication);
  throw notFound(`no publication of ${table.id} ${then} known to be valid on ${formatDay(day)}${nearest}`);
}

/** The failure for the day of a held publication; `before` is the one before it. */
export function heldBack(
  { table, publication, validFrom }: HeldPublication,
  before: PublicationVersion | null,
): Failure {
  const which = `publication ${publication} of ${table}, valid from ${formatDay(validFrom)},`;
  const earlier = before === null ? "" : `; the one before it is ${before.publication}`;
  return new Failure("source_unavailable", {
    reason: `${which} is held back on this server, which does not believe its rates yet${earlier}`,
  });
}

/** A clause for a refusal: the publication before a day, or else the first one. */
export async function nearestTo(
  { publications }: Pick<OfficialDeps, "publications">,
  table: string,
  before: PublicationVersion | null,
): Promise<string> {
  if (before !== null) return `; the one before it is ${before.publication}`;
  const first = await publications.first(table);
  return first === null
    ? ""
    : `; the first one here is ${first.publication}, valid from ${formatDay(first.validFrom)}`;
}

/**
 * The last publication that begins by a day, and whether it is valid then: it is not while a later one that begins by then is
 * held. For a future day a publication without a last day is valid only on its first day.
 */
export async function lastUpTo(deps: OfficialDeps, table: OfficialTable, day: Day, asOf: Instant | null) {
  const publication =
    asOf === null ? await deps.publications.validOn(table.id, day) : await validAsOf(deps, table, day, asOf);
  const held = await heldInstead(deps, publication, { table: table.id, day, asOf });
  if (publication === null || held !== null) return { publication, isValid: false, held };
  const { validFrom, validTo } = publication;
  const isAhead = validTo === null && day > dayInZone(table.zone, asOf ?? deps.clock.now());
  const isValid = day <= lastDayOf(table, publication) && (!isAhead || validFrom === day);
  return { publication, isValid, held };
}

/** Publications that a lookup with `as_of` reads: more than an authority makes within the steps before and after a day. */
const AROUND = 32;

/** The publication with the latest first day up to `day` among those retrieved by `asOf`, in the version of that time. */
async function validAsOf(
  { publications }: OfficialDeps,
  { id: table, cadence }: OfficialTable,
  day: Day,
  asOf: Instant,
): Promise<PublicationVersion | null> {
  // A correction may have moved the first day, to an earlier or a later one: the order of that time may be another.
  const to = day + LONGEST_STEP_DAYS[cadence];
  let last: PublicationVersion | null = null;
  for (const newest of await publications.list({ table, from: null, to, after: null, limit: AROUND })) {
    const then = await versionAsOf({ publications }, newest, asOf);
    if (then === null || then.validFrom > day) continue;
    if (last === null || then.validFrom > last.validFrom) last = then;
  }
  return last;
}

/** The last version of a publication retrieved by `asOf`; null before the first. `newest` is its newest version. */
export async function versionAsOf(
  { publications }: Pick<OfficialDeps, "publications">,
  newest: PublicationVersion,
  asOf: Instant,
): Promise<PublicationVersion | null> {
  if (newest.retrievedAt <= asOf) return newest;
  if (newest.version === 1) return null;
  const { table, publication } = newest;
  const versions = await publications.versions(table, publication);
  const then = versions.findLast(({ retrievedAt }) => retrievedAt <= asOf);
  return then === undefined ? null : await publications.find(table, publication, then.version);
}

/** The first day of the publication after one; null where it is unknown yet. Failure `service_unavailable`. */
export async function nextBegins(
  { publications }: Pick<OfficialDeps, "publications">,
  { id, cadence }: OfficialTable,
  validFrom: Day,
): Promise<Day | null> {
  const to = validFrom + LONGEST_STEP_DAYS[cadence];
  const query = { table: id, from: validFrom + 1, to, after: null, limit: LONGEST_STEP_DAYS[cadence] };
  const later = await fromLedger(() => publications.list(query));
  return later.at(-1)?.validFrom ?? null;
}

export function notFound(reason: string): Failure {
  return new Failure("not_found", { wording: "{reason}", reason });
}

/** The newest `most` versions, newest first. Failures `not_found`, `source_unavailable`, `service_unavailable`. */
export async function officialRevisions(
  deps: OfficialDeps,
  offered: OfferedTable,
  publication: string,
  most: number,
) {
  const asked = { by: "name", publication, version: null } as const;
  const newest = await officialPublication(deps, { offered, type: offered.table.types[0] ?? "", asked });
  // One more than shown: the first one shown is compared with it.
  const numbers = newest.versions.map(({ version }) => version).slice(-(most + 1));
  const read = await fromLedger(() =>
    Promise.all(
      numbers.map((version) =>
        version === newest.publication.version
          ? newest.publication
          : deps.publications.find(offered.table.id, publication, version),
      ),
    ),
  );
  const versions = read.filter((version) => version !== null);
  const revisions = versions.map((version, index) => {
    const before = versions[index - 1];
    // Null for the first version.
    return { version, differences: before === undefined ? null : differencesOf(before, version) };
  });
  const shown = revisions.slice(-most).reverse();
  return { revisions: shown, omitted: newest.versions.length - shown.length };
}
