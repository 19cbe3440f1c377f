/** Every version of one publication with what it changed in the one before. */

import { type Differences, differencesOf } from "#domain/official/differences.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import type { OfferedTable, OfficialDeps } from "./deps.ts";
import { fromLedger } from "./ledger.ts";
import { officialPublication } from "./publications.ts";

export interface Revision {
  readonly version: PublicationVersion;
  /** Null for the first version. */
  readonly differences: Differences | null;
}

export interface Revisions {
  /** The newest first; at least one. */
  readonly revisions: readonly Revision[];
  /** Earlier versions that are left out. */
  readonly omitted: number;
}

/** The newest `most` versions. Failures `not_found`, `source_unavailable`, `service_unavailable`. */
export async function officialRevisions(
  deps: OfficialDeps,
  offered: OfferedTable,
  publication: string,
  most: number,
): Promise<Revisions> {
  const wanted = { by: "name", publication, version: null } as const;
  const found = await officialPublication(deps, { offered, type: offered.table.types[0] ?? "", wanted });
  // One more than shown: the first one shown is compared with it.
  const numbers = found.versions.map(({ version }) => version).slice(-(most + 1));
  const read = await fromLedger(() =>
    Promise.all(
      numbers.map((version) =>
        version === found.publication.version
          ? found.publication
          : deps.publications.find(offered.table.id, publication, version),
      ),
    ),
  );
  const versions = read.filter((version) => version !== null);
  const revisions = versions.map((version, index) => {
    const before = versions[index - 1];
    return { version, differences: before === undefined ? null : differencesOf(before, version) };
  });
  const shown = revisions.slice(-most).reverse();
  return { revisions: shown, omitted: found.versions.length - shown.length };
}
