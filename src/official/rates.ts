/** Rates of an official table: over a period, one row for each validity, or the whole table of a day. */

import { Failure, refuseReversed } from "#domain/faults/errors.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import {
  LONGEST_STEP_DAYS,
  lastDayOf,
  type OfficialRow,
  type OfficialTable,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { citationOf, todayOf } from "./convert.ts";
import { fromLedger, newestOf, type OfferedTable, type OfficialDeps, unreadNote } from "./deps.ts";
import { inForceOn, lastUpTo, notFound, placeOf, validOn, versionAsOf } from "./publications.ts";

export const DEFAULT_SERIES_PUBLICATIONS = 50;
export const MOST_SERIES_PUBLICATIONS = 366;
/** A page ends with the publication that reaches this number of rows. */
const PAGE_ROWS = 5000;
export const FILE_ROWS = 50_000;
/** Read at once: each call of the embedded ledger must be short. */
const PUBLICATIONS_AT_ONCE = 50;

export const SERIES_VERSIONS = ["newest", "all"] as const;
export type SeriesVersions = (typeof SERIES_VERSIONS)[number];

interface RatesQuery {
  readonly offered: OfferedTable;
  readonly type: string;
  /** Upper case, also outside the catalog: rows with one of them as base or quote. Null: all rows. */
  readonly symbols: readonly string[] | null;
  readonly asOf: Instant | null;
}

export interface ValidRate {
  readonly row: OfficialRow;
  readonly publication: PublicationVersion;
  /** One line with everything that is needed to find the rate again. */
  readonly citation: string;
}

export type ValidRates = ReturnType<typeof answerOf>;

// ── A day ────────────────────────────────────────────────────────────────────────────────────────

/**
 * `on` is a day of the table's zone; null: today. Failures `not_found` without a publication of the day or a rate of the symbols;
 * `source_unavailable`, `service_unavailable`.
 */
export async function ratesInForce(deps: OfficialDeps, query: RatesQuery & { readonly on: Day | null }) {
  const { offered, symbols, asOf } = query;
  const { table } = offered;
  const today = todayOf(deps, table, asOf);
  const on = query.on ?? today;
  const { publication, unread } = await fromLedger(() => inForceOn(deps, offered, on, asOf));
  const rates = ratesOf(deps, table, publication, symbols, unread);
  if (rates.length === 0)
    throw notFound(
      `publication ${publication.publication} of ${table.id} has no rate of ${symbols?.join(", ")}: see its rows`,
    );
  return { ...answerOf(deps, query, rates), on, unread };
}

export type RatesInForce = Awaited<ReturnType<typeof ratesInForce>>;

// ── A time ───────────────────────────────────────────────────────────────────────────────────────

export interface SeriesQuery extends RatesQuery {
  /** Days of the table's zone, both inclusive. */
  readonly start: Day;
  readonly end: Day;
  /** `all`: earlier versions, too. */
  readonly versions: SeriesVersions;
  readonly limit: number;
  readonly cursor: string | null;
}

type PlannedSeries = ReturnType<typeof planSeries>;

function planSeries(deps: OfficialDeps, query: SeriesQuery) {
  const { offered, symbols, asOf, start, end, versions, cursor } = query;
  todayOf(deps, offered.table, asOf);
  refuseReversed(query);
  const asOfText = asOf === null ? "-" : formatInstant(asOf);
  const window = [formatDay(start), formatDay(end), asOfText, versions];
  const name = ["official rates", offered.table.id, symbols?.join(",") ?? "*", ...window].join("|");
  return {
    ...query,
    name,
    after: cursor === null ? null : placeOf(openText(deps.cursorSecret, name, cursor)),
  };
}

/**
 * Checks a query, and returns its reading: a page of whole publications, the newest validity first; or for a file the whole window.
 * Failure `invalid_request` for a reversed window, an `asOf` after now, and a cursor of another query. Failures of the reading:
 * `not_found` where there is nothing in the window, `invalid_request` for more than FILE_ROWS rows, `source_unavailable`,
 * `service_unavailable`.
 */
export function officialSeries(deps: OfficialDeps, query: SeriesQuery) {
  const planned = planSeries(deps, query);
  return (form: "page" | "file") => readSeries(deps, planned, form);
}

async function readSeries(deps: OfficialDeps, planned: PlannedSeries, form: "page" | "file") {
  const { offered, start, end, limit, after, name } = planned;
  return await fromLedger(async () => {
    await newestOf(deps, offered);
    const rates: ValidRate[] = [];
    let [publications, place, hasMore] = [0, "", false];
    /** Days of the window without a known rate, ascending. */
    const unknown: { readonly from: Day; readonly to: Day }[] = [];
    let next: Day | null = after?.validFrom ?? null;
    for await (const one of publicationsIn(deps, planned)) {
      hasMore = form === "page" && (publications === limit || rates.length >= PAGE_ROWS);
      if (hasMore) break;
      publications += 1;
      rates.push(...one.rates);
      place = `${formatDay(one.validFrom)} ${one.publication}`;
      const last = lastDayOf(offered.table, one);
      if (next !== null && last < next - 1) unknown.unshift({ from: last + 1, to: next - 1 });
      next = one.validFrom;
      if (rates.length > FILE_ROWS)
        throw new Failure("invalid_request", {
          reason: `the window has more than ${FILE_ROWS} rows: choose symbols, or a shorter window`,
        });
    }
    const held = await heldIn(deps, planned);
    const unread = planned.asOf === null ? await unreadNote(deps, offered.table, end) : null;
    if (publications === 0 && after === null) throw await nothingIn(deps, planned, held);
    const nextCursor = hasMore ? sealText(deps.cursorSecret, name, place) : null;
    if (!hasMore && next !== null && next > start) unknown.unshift({ from: start, to: next - 1 });
    return { ...answerOf(deps, planned, rates), start, end, nextCursor, held, unknown, unread };
  });
}

export type SeriesPage = Awaited<ReturnType<typeof readSeries>>;

/** All but `rates` are of its newest version. */
interface PlacedRates extends Pick<PublicationVersion, "validFrom" | "validTo" | "publication"> {
  readonly rates: readonly ValidRate[];
}

/** Publications with a row of the symbols: those that begin in the window, and last the one already valid on its first day. */
async function* publicationsIn(deps: OfficialDeps, planned: PlannedSeries): AsyncGenerator<PlacedRates> {
  const { offered, symbols, asOf, start, end, versions } = planned;
  const { table } = offered;
  const placed = (newest: PublicationVersion, chosen: readonly PublicationVersion[]) => {
    const rates = chosen.flatMap((version) => ratesOf(deps, table, version, symbols));
    return rates.length === 0 ? [] : [{ ...newest, rates }];
  };
  // A correction may have moved the first day: then an earlier version begins elsewhere than the newest.
  const around = asOf === null && versions === "newest" ? 0 : LONGEST_STEP_DAYS[table.cadence];
  const window = { table: table.id, from: start - around, to: end + around };
  let { after } = planned;
  for (;;) {
    const some = await deps.publications.list({ ...window, after, limit: PUBLICATIONS_AT_ONCE });
    for (const newest of some) {
      const chosen = await chosenVersions(deps, newest, planned);
      yield* placed(
        newest,
        chosen.filter(({ validFrom }) => validFrom >= start && validFrom <= end),
      );
    }
    after = some.at(-1) ?? null;
    if (some.length < PUBLICATIONS_AT_ONCE || after === null) break;
    // The embedded ledger answers synchronously: other requests get their turn here.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { publication: first, isValid } = await lastUpTo(deps, table, start, asOf);
  if (first === null || !isValid || first.validFrom >= start) return;
  const newest = versions === "all" ? await deps.publications.find(table.id, first.publication, null) : null;
  const chosen = newest === null ? [first] : await chosenVersions(deps, newest, planned);
  yield* placed(
    first,
    chosen.filter(({ validFrom }) => validFrom < start),
  );
}

/** The versions to show, newest first. `newest` is the newest version of the publication. */
async function chosenVersions(
  { publications }: OfficialDeps,
  newest: PublicationVersion,
  { versions, asOf }: Pick<SeriesQuery, "versions" | "asOf">,
): Promise<readonly PublicationVersion[]> {
  if (versions === "newest" || newest.version === 1) {
    const then = asOf === null ? newest : await versionAsOf({ publications }, newest, asOf);
    return then === null ? [] : [then];
  }
  const { table, publication } = newest;
  const all = await publications.versions(table, publication);
  const retrieved = all.filter(({ retrievedAt }) => asOf === null || retrievedAt <= asOf).reverse();
  const read = retrieved.map(({ version }) =>
    version === newest.version ? newest : publications.find(table, publication, version),
  );
  return (await Promise.all(read)).filter((version) => version !== null);
}

/** The held first versions that would have rows in the window. Until they are decided on, their days have no rate. */
async function heldIn(deps: OfficialDeps, planned: PlannedSeries): Promise<readonly HeldPublication[]> {
  const { offered, start, end, asOf } = planned;
  const isKnown = ({ version, validFrom, firstReadAt }: HeldPublication) =>
    version === 1 && validFrom <= end && (asOf === null || firstReadAt <= asOf);
  const firsts = (await deps.held(offered.table.id)).filter(isKnown);
  if (firsts.length === 0) return [];
  const { held: first } = await lastUpTo(deps, offered.table, start, asOf);
  return firsts.filter(
    ({ validFrom, publication }) => validFrom >= start || publication === first?.publication,
  );
}

/** The failure for an empty window. It names the publication before the window, or the one that is held. */
async function nothingIn(
  deps: OfficialDeps,
  planned: PlannedSeries,
  held: readonly HeldPublication[],
): Promise<Failure> {
  const { offered, symbols, start, end, asOf } = planned;
  if (symbols === null || held.length > 0) await validOn(deps, offered, end, asOf);
  const rate = symbols === null ? "" : ` with a rate of ${symbols.join(", ")}`;
  return notFound(
    `no publication of ${offered.table.id}${rate} is known from ${formatDay(start)} to ${formatDay(end)}`,
  );
}

function ratesOf(
  deps: OfficialDeps,
  table: OfficialTable,
  publication: PublicationVersion,
  symbols: readonly string[] | null,
  unread: string | null = null,
): readonly ValidRate[] {
  const { rows } = publication;
  const chosen =
    symbols === null
      ? rows
      : rows.filter(({ base, quote }) => symbols.includes(base) || symbols.includes(quote));
  return chosen.map((row) => ({
    row,
    publication,
    citation: citationOf(deps, table, publication, [row], unread),
  }));
}

function answerOf(
  { simulated }: OfficialDeps,
  { offered: { table }, type, symbols }: RatesQuery,
  rates: readonly ValidRate[],
) {
  const codes = new Set(rates.flatMap(({ row }) => [row.base, row.quote]));
  /** Requested symbols without a row. */
  const missing = (symbols ?? []).filter((code) => !codes.has(code));
  return { table, type, rates, missing, simulated };
}
