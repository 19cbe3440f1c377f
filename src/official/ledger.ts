/** Reads the ledger for a caller. An unreachable or damaged ledger becomes a refusal with a code. */

import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import type { OfferedTable, OfficialDeps } from "./deps.ts";

/** What `read` resolves with; Failure `service_unavailable` where the ledger gives no answer, or what it has is damaged. */
export async function fromLedger<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof LedgerUnavailable)) throw thrown;
    throw new Failure("service_unavailable", { reason: reasonOf(thrown) }, thrown);
  }
}

/** What is damaged is named, so that the caller can leave it out. */
function reasonOf(fault: LedgerUnavailable): string {
  if (!(fault instanceof PublicationDamaged))
    return "official publications cannot be read at the moment; try again";
  const { table, publication, version } = fault;
  return `version ${version} of publication ${publication} of ${table} is damaged in this server's store and is not served; its operator has to restore it`;
}

/** Failure `source_unavailable` for a table of which there is nothing: why, and what would help. */
export function nothingCollected(name: string, { missing }: OfferedTable, advice: string): Failure {
  const why =
    missing === null
      ? `of ${name} nothing has been collected yet`
      : `${name} is not collected on this server: ${missing}`;
  return new Failure("source_unavailable", { reason: `${why}; ${advice}` });
}

/** The publication of the newest validity, which may lie ahead; null before the first. */
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
