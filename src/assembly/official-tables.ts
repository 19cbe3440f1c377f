/** The official tables of this installation, by the settings and the catalogue, and the status of each, read from the ledger. */

import { type Config, ConfigFault } from "#config.ts";
import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { publicationHours } from "#jobs/official-timetable.ts";
import type { OfferedTable } from "#official/deps.ts";
import type { Ledger } from "#ports/ledger.ts";
import type {
  OfficialAdapter,
  OfficialCollector,
  OfficialState,
  OfficialTableStatus,
} from "#ports/official.ts";
import type { Clock } from "#ports.ts";
import { officialAdapters, tablesWithoutCredentials } from "#sources/official/catalogue.ts";

export interface ChosenTables {
  readonly collected: readonly OfficialAdapter[];
  /** Every table there is, in the order in which they are listed: also those that are not collected, and why. */
  readonly offered: readonly OfferedTable[];
}

/** Throws ConfigFault where OFFICIAL_TABLES names an unknown table, or one that needs a token. */
export function chosenTables({ official: { tables, banxicoToken } }: Pick<Config, "official">): ChosenTables {
  const available = officialAdapters({ banxicoToken });
  const lacking = tablesWithoutCredentials({ banxicoToken });
  refuseUnknown(tables, available, lacking);
  const isWanted = ({ id }: OfficialTable) => tables === "all" || tables.includes(id);
  const offered = [
    ...lacking.map((table) => ({
      table,
      hours: publicationHours(table),
      missing: "set BANXICO_TOKEN",
    })),
    ...available.map((table) => ({
      table,
      hours: publicationHours(table),
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
    if (has(lacking, wanted)) return [`OFFICIAL_TABLES: ${wanted} cannot be requested without BANXICO_TOKEN`];
    const known = [...lacking, ...available].map(({ id }) => id).join(", ");
    return [`OFFICIAL_TABLES: ${wanted} is none of ${known}`];
  });
  if (faults.length > 0) throw new ConfigFault(faults);
}

/** Called often; reads a few rows a table. */
const CACHED_MILLISECONDS = 2_000;

/** Never rejects: while the ledger cannot be read or is damaged, that is what failed of every table. */
export function openTableStatus(
  ledger: Pick<Ledger, "publications" | "probe">,
  collector: Pick<OfficialCollector, "states">,
  tables: readonly { readonly id: string }[],
  clock: Clock,
): () => Promise<readonly OfficialTableStatus[]> {
  let last: { readonly at: number; readonly value: Promise<readonly OfficialTableStatus[]> } | null = null;
  const read = () => statusOf(ledger, collector).catch((fault: unknown) => unreadable(tables, fault));
  return () => {
    if (last === null || Math.abs(clock.now() - last.at) >= CACHED_MILLISECONDS)
      last = { at: clock.now(), value: read() };
    return last.value;
  };
}

async function statusOf(
  { publications, probe }: Pick<Ledger, "publications" | "probe">,
  { states }: Pick<OfficialCollector, "states">,
): Promise<readonly OfficialTableStatus[]> {
  // Where access is open, nothing else of the status knows of a ledger that is damaged.
  await probe();
  return await Promise.all(
    (await states()).map(async (state) => {
      const { table } = state;
      const newest = { table, from: null, to: null, after: null, limit: 1 };
      return await publications.list(newest).then(
        ([found = null]) => ({ ...state, newest: found }),
        (fault: unknown) => damaged(state, fault),
      );
    }),
  );
}

/** A table that cannot be served is failed; the others are not affected. */
function damaged(state: OfficialState, fault: unknown): OfficialTableStatus {
  if (!(fault instanceof PublicationDamaged)) throw fault;
  return { ...state, outcome: "failed", detail: fault.message, newest: null };
}

function unreadable(
  tables: readonly { readonly id: string }[],
  fault: unknown,
): readonly OfficialTableStatus[] {
  const detail = fault instanceof LedgerUnavailable ? fault.message : "internal error";
  const unknown = { lastAttemptAt: null, lastSuccessAt: null, held: [], newest: null };
  return tables.map(({ id: table }) => ({ ...unknown, table, outcome: "failed", detail }));
}
