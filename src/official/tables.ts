/** The official tables of this server: all with their newest publication and next due date, or one by country and type. */

import { PublicationDamaged } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import { lastDayOf } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { fromLedger, heldInstead, newestOrNull, type OfferedTable, type OfficialDeps } from "./deps.ts";

/** Every table, in the order of `deps`. Failure `service_unavailable`. */
export async function officialTables(deps: OfficialDeps) {
  const tables = await fromLedger(() => Promise.all(deps.tables.map((offered) => stateOf(deps, offered))));
  return { tables, simulated: deps.simulated };
}

/** `collected` is also true with publications that another process collects into the same ledger. */
async function stateOf({ publications }: OfficialDeps, { table, missing }: OfferedTable) {
  const newest = await newestOrNull({ publications }, table.id).catch((fault: unknown) => {
    // A damaged table must not hide the others from the list. A request for the table itself gets the reason.
    if (fault instanceof PublicationDamaged) return "damaged" as const;
    throw fault;
  });
  return {
    table,
    collected: missing === null || newest !== null,
    newest: newest === "damaged" ? null : newest,
  };
}

export type TableList = Awaited<ReturnType<typeof officialTables>>;
type TableState = TableList["tables"][number];

type Tables = Pick<OfficialDeps, "tables">;

/** The table of a path, regardless of case. Failure `not_found`. */
export function findTable(deps: Tables, country: string, type: string): OfferedTable {
  const [table] = matching(deps, country, type);
  if (table !== undefined) return table;
  throw new Failure("not_found", { wording: "{reason}", reason: unknownReason(deps, country, type) });
}

/** Ids of the tables of a filter; null without a filter. Failure `invalid_request` for a filter without tables. */
export function filterTables(
  deps: Tables,
  country: string | null,
  type: string | null,
): readonly string[] | null {
  if (country === null && type === null) return null;
  const tables = matching(deps, country, type);
  if (tables.length > 0) return tables.map(({ table }) => table.id);
  throw new Failure("invalid_request", { reason: unknownReason(deps, country, type) });
}

function matching({ tables }: Tables, country: string | null, type: string | null): readonly OfferedTable[] {
  return tables.filter(
    ({ table }) =>
      (country === null || table.country === country.toUpperCase()) &&
      (type === null || table.types.includes(type.toLowerCase())),
  );
}

function unknownReason(deps: Tables, country: string | null, type: string | null): string {
  const ofCountry = country === null ? deps.tables : matching(deps, country, null);
  if (ofCountry.length === 0) {
    const countries = [...new Set(deps.tables.map(({ table }) => table.country))].join(", ");
    return `no official table of a country ${excerpt(country)}; there are ${countries}: see /v1/official`;
  }
  const types = [...new Set(ofCountry.flatMap(({ table }) => table.types))].join(", ");
  const where = country === null ? "" : ` of ${country.toUpperCase()}`;
  return `no official table${where} of a type ${excerpt(type)}; there are ${types}: see /v1/official`;
}

function excerpt(text: string | null): string {
  return (text ?? "").slice(0, 20);
}

/** When the next publication is due: from an instant on, by a day, or about a day; null where that is unknown. */
type Due = { readonly from: Instant } | { readonly by: Day } | { readonly about: Day } | null;

const DAYS_OF_WEEK = 7;

/** Every table in the order of `deps.tables`. Failure `service_unavailable`. */
export async function officialOverview(deps: OfficialDeps) {
  const { tables } = await officialTables(deps);
  const overviews = deps.tables.map(async (offered, index) => {
    const state = tables[index] as TableState;
    const { missing, hours = null } = offered;
    return { ...state, missing, hours, due: dueOf(offered, state), inForce: await inForceOf(deps, state) };
  });
  return await Promise.all(overviews);
}

async function inForceOf(deps: OfficialDeps, { table, newest }: TableState) {
  const { publications, clock } = deps;
  if (newest === null) return null;
  const today = dayInZone(table.zone, clock.now());
  const last =
    newest.validFrom <= today ? newest : await fromLedger(() => publications.validOn(table.id, today));
  if (last === null || today > lastDayOf(table, last)) return null;
  const held = await fromLedger(() => heldInstead(deps, last, { table: table.id, day: today, asOf: null }));
  return held === null ? last : null;
}

/**
 * A daily table is due at its next opening after the newest publication was read, a table with a last day of validity by the day after,
 * and a weekly table about a week after its first day, since holidays move it.
 */
function dueOf({ table, missing, hours = null }: OfferedTable, { newest }: TableState): Due {
  if (newest === null || missing !== null) return null;
  if (table.cadence === "daily" && hours !== null) return { from: hours.next(newest.retrievedAt) };
  if (newest.validTo !== null) return { by: newest.validTo + 1 };
  return table.cadence === "weekly" ? { about: newest.validFrom + DAYS_OF_WEEK } : null;
}
