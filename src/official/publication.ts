/** One publication with its rates: by its name, the newest, or the one that is valid on a day; in its newest version or an earlier one. */

import { Failure } from "#domain/faults/errors.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { dayInTableZone } from "#domain/official/table-day.ts";
import { type Day, formatDay, formatInstant } from "#domain/time/day.ts";
import { fromLedger } from "./ledger-reads.ts";
import { newestOf } from "./newest.ts";
import { officialNotice, rowBody, tableBody, versionBody } from "./official-body.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

export interface PublicationQuestion {
  readonly offered: OfferedTable;
  /** The word that was asked for. */
  readonly type: string;
  readonly wanted:
    | { readonly by: "name"; readonly publication: string; readonly version: number | null }
    | { readonly by: "newest" }
    | { readonly by: "day"; readonly day: Day };
}

/** Body of GET …/publications/{publication_id} and …/latest. Failures `not_found`, `source_unavailable`, `service_unavailable`. */
export async function officialPublication(
  deps: OfficialDeps,
  { offered, type, wanted }: PublicationQuestion,
): Promise<object> {
  const { table } = offered;
  const found = await fromLedger(async () => {
    if (wanted.by === "name") return await byName(deps, offered, wanted);
    const newest = await newestOf(deps, offered);
    return wanted.by === "newest" ? newest : await validOn(deps, offered, wanted.day);
  });
  const versions = await fromLedger(() => deps.publications.versions(table.id, found.publication));
  return {
    result: "success",
    ...tableBody(table, type),
    ...versionBody(found),
    versions: versions.map(({ version, retrievedAt }) => ({
      version,
      retrieved_at: formatInstant(retrievedAt),
    })),
    authority: table.authority,
    source_url: found.sourceUrl,
    document_sha256: found.documentSha256,
    rows: found.rows.map(rowBody),
    terms: table.terms,
    notice: officialNotice(deps.simulated),
  };
}

async function byName(
  deps: OfficialDeps,
  offered: OfferedTable,
  { publication, version }: { readonly publication: string; readonly version: number | null },
): Promise<PublicationVersion> {
  const { id, country, types } = offered.table;
  const found = await deps.publications.find(id, publication, version);
  if (found !== null) return found;
  // Where there is nothing at all, a name that is not found says nothing about the name.
  await newestOf(deps, offered);
  const newest = version === null ? null : await deps.publications.find(id, publication, null);
  throw notFound(
    newest === null
      ? `${id} has no publication ${publication}: see /v1/official/${country}/${types[0]}/publications`
      : `publication ${publication} of ${id} has no version ${version}; its newest is ${newest.version}`,
  );
}

/** What a day to come will bring is known only where an authority has published it ahead. */
async function validOn(deps: OfficialDeps, { table }: OfferedTable, day: Day): Promise<PublicationVersion> {
  const found = await deps.publications.validOn(table.id, day);
  if (found !== null) {
    const { validFrom, validTo } = found;
    const isAhead = day > dayInTableZone(table.zone, deps.clock.now());
    if (validTo === null ? !isAhead || validFrom === day : day <= validTo) return found;
  }
  const nearest = found === null ? "" : `; the one before it is ${found.publication}`;
  throw notFound(`no publication of ${table.id} is known to be valid on ${formatDay(day)}${nearest}`);
}

function notFound(reason: string): Failure {
  return new Failure("not_found", { wording: "{reason}", reason });
}
