/** Which official tables this installation has: out of the settings and the catalogue. */

import { type Config, ConfigFault } from "#config.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { OfferedTable } from "#official/official-deps.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { officialAdapters, tablesWithoutCredentials } from "#sources/official/catalogue.ts";

export interface ChosenTables {
  readonly collected: readonly OfficialAdapter[];
  /** Every table there is, in the order in which they are listed: also those that are not collected, and why. */
  readonly offered: readonly OfferedTable[];
}

/** Throws ConfigFault where OFFICIAL_TABLES names a table that there is not, or that cannot be asked for. */
export function chosenTables({ official: { tables, banxicoToken } }: Pick<Config, "official">): ChosenTables {
  const available = officialAdapters({ banxicoToken });
  const lacking = tablesWithoutCredentials({ banxicoToken });
  refuseUnknown(tables, available, lacking);
  const isWanted = ({ id }: OfficialTable) => tables === "all" || tables.includes(id);
  const offered = [
    ...lacking.map((table) => ({ table, missing: "set BANXICO_TOKEN" })),
    ...available.map((table) => ({
      table,
      missing: isWanted(table) ? null : `add ${table.id} to OFFICIAL_TABLES`,
    })),
  ];
  return { collected: available.filter(isWanted), offered };
}

function refuseUnknown(
  tables: Config["official"]["tables"],
  available: readonly OfficialTable[],
  lacking: readonly OfficialTable[],
): void {
  if (typeof tables === "string") return;
  const has = (list: readonly OfficialTable[], wanted: string) => list.some(({ id }) => id === wanted);
  const faults = tables.flatMap((wanted) => {
    if (has(available, wanted)) return [];
    if (has(lacking, wanted)) return [`OFFICIAL_TABLES: ${wanted} cannot be asked for without BANXICO_TOKEN`];
    const known = [...lacking, ...available].map(({ id }) => id).join(", ");
    return [`OFFICIAL_TABLES: ${wanted} is none of ${known}`];
  });
  if (faults.length > 0) throw new ConfigFault(faults);
}
