/** Which table a caller means by a country and a word; what is unknown is named with what there is. */

import { Failure } from "#domain/faults/errors.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

type Tables = Pick<OfficialDeps, "tables">;

/** The one table of a path, in any case. Failure `not_found`. */
export function findTable(deps: Tables, country: string, type: string): OfferedTable {
  const found = matching(deps, country, type)[0];
  if (found !== undefined) return found;
  throw new Failure("not_found", { wording: "{reason}", reason: unknownReason(deps, country, type) });
}

/** Ids of all tables that a filter lets through; null when there is no filter. Failure `invalid_request` for one that lets through none. */
export function filterTables(
  deps: Tables,
  country: string | null,
  type: string | null,
): readonly string[] | null {
  if (country === null && type === null) return null;
  const found = matching(deps, country, type);
  if (found.length > 0) return found.map(({ table }) => table.id);
  throw new Failure("invalid_request", { reason: unknownReason(deps, country, type) });
}

function matching({ tables }: Tables, country: string | null, type: string | null): readonly OfferedTable[] {
  const [wantedCountry, wantedType] = [country?.toUpperCase(), type?.toLowerCase()];
  return tables.filter(
    ({ table }) =>
      (wantedCountry === undefined || table.country === wantedCountry) &&
      (wantedType === undefined || table.types.includes(wantedType)),
  );
}

/** A sentence that fits into a message, whatever was sent. */
function unknownReason(deps: Tables, country: string | null, type: string | null): string {
  const ofCountry = country === null ? deps.tables : matching(deps, country, null);
  if (ofCountry.length === 0) {
    const countries = [...new Set(deps.tables.map(({ table }) => table.country))].join(", ");
    return `no official table of a country ${shown(country)}; there are ${countries}: see /v1/official`;
  }
  const types = [...new Set(ofCountry.flatMap(({ table }) => table.types))].join(", ");
  const where = country === null ? "" : ` of ${country.toUpperCase()}`;
  return `no official table${where} of a type ${shown(type)}; there are ${types}: see /v1/official`;
}

function shown(word: string | null): string {
  return (word ?? "").slice(0, 20);
}
