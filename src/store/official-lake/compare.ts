/** What the ledger has and the lake lacks, and the other way round, of one official table. Pure. */

import type { VersionKey, VersionName } from "#ports/official.ts";

/** A version in the lake, with the number of its rows. */
export interface StoredKey extends VersionKey {
  readonly rows: number;
}

export interface Difference {
  /** In the ledger alone, or under the same name with another identity; in the order of the lake's files. */
  readonly fresh: readonly VersionKey[];
  /** Those of the lake that one of `fresh` has the name of. */
  readonly replaced: readonly StoredKey[];
  /** In the lake alone. */
  readonly foreign: readonly StoredKey[];
}

/** `anew`: everything that the ledger has takes the place of what the lake has. */
export function compare(
  ledger: readonly VersionKey[],
  lake: readonly StoredKey[],
  anew: boolean,
): Difference {
  const stored = new Map(lake.map((key) => [nameOf(key), key]));
  const named = new Set(ledger.map(nameOf));
  const fresh = ledger.filter((key) => {
    const known = stored.get(nameOf(key));
    return known === undefined || anew || lineOf(known) !== lineOf(key);
  });
  return {
    fresh: [...fresh].sort(inOrder),
    replaced: fresh.flatMap((key) => stored.get(nameOf(key)) ?? []),
    foreign: lake.filter((key) => !named.has(nameOf(key))),
  };
}

export function nameOf({ publication, version }: VersionName): string {
  return `${publication} ${version}`;
}

function lineOf({ validFrom, identity }: VersionKey): string {
  return `${validFrom} ${identity}`;
}

/** By valid_from, publication and version: that of the rows in a file. */
export function inOrder(a: VersionKey, b: VersionKey): number {
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? -1 : 1;
  if (a.publication !== b.publication) return a.publication < b.publication ? -1 : 1;
  return a.version - b.version;
}
