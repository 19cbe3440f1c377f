/** The newest publication of a table, or why there is none. */

import type { PublicationVersion } from "#domain/official/publication.ts";
import { nothingCollected } from "./ledger-reads.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

/** The one of the newest validity, which may lie ahead; null before the first. */
export async function newestOrNull(
  { publications }: Pick<OfficialDeps, "publications">,
  table: string,
): Promise<PublicationVersion | null> {
  const [newest] = await publications.list({ table, from: null, to: null, after: null, limit: 1 });
  return newest ?? null;
}

/** The same; Failure `source_unavailable` before the first. */
export async function newestOf(deps: OfficialDeps, offered: OfferedTable): Promise<PublicationVersion> {
  const newest = await newestOrNull(deps, offered.table.id);
  if (newest === null) throw nothingCollected(offered.table.id, offered, "see /v1/official");
  return newest;
}
