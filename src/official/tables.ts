/** Which official tables there are, who makes them, and what is newest of each. */

import { PublicationDamaged } from "#domain/account/ledger-faults.ts";
import { fromLedger } from "./ledger-reads.ts";
import { newestOrNull } from "./newest.ts";
import { officialNotice, versionBody } from "./official-body.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

/** Body of GET /v1/official. Failure `service_unavailable`. */
export async function officialTables(deps: OfficialDeps): Promise<object> {
  const tables = await fromLedger(() => Promise.all(deps.tables.map((offered) => tableEntry(deps, offered))));
  return { result: "success", tables, count: tables.length, notice: officialNotice(deps.simulated) };
}

/** `collected` is false only where there is nothing and nothing will come: another process may collect into the same ledger. */
async function tableEntry({ publications, kept }: OfficialDeps, { table, missing }: OfferedTable) {
  const { id, country, types, title, authority, cadence, currency, zone, homepage, terms } = table;
  const newest = await kept
    .read(id, null, () => newestOrNull({ publications }, id))
    .catch((fault: unknown) => damagedOrThrow(fault));
  return {
    id,
    country,
    types,
    title,
    authority,
    cadence,
    currency,
    zone,
    homepage,
    terms,
    collected: missing === null || newest !== null,
    newest: newest === null || newest === "damaged" ? null : versionBody(newest),
  };
}

/** What cannot be shown of one table keeps no other from being listed: whoever asks for it is told why. */
function damagedOrThrow(fault: unknown): "damaged" {
  if (fault instanceof PublicationDamaged) return "damaged";
  throw fault;
}
