/** The versions of one official table in the ledger and in the lake: listed in batches, and compared. */

import type { PublicationVersion } from "#domain/official/publication.ts";
import type { CopiedLedger, DamagedVersion, VersionKey, VersionName } from "#ports/official.ts";

/** A version in the lake, with the number of its rows. */
export interface StoredKey extends VersionKey {
  readonly rows: number;
}

interface Difference {
  /** In the ledger only, or under the same name with another identity; in the order of the lake's files. */
  readonly fresh: readonly VersionKey[];
  /** Those of the lake that one of `fresh` has the name of. */
  readonly replaced: readonly StoredKey[];
  /** In the lake only. */
  readonly foreign: readonly StoredKey[];
}

/** `rebuilt`: everything in the ledger replaces what the lake has. */
export function compare(
  ledger: readonly VersionKey[],
  lake: readonly StoredKey[],
  rebuilt: boolean,
): Difference {
  const stored = new Map(lake.map((key) => [nameOf(key), key]));
  const named = new Set(ledger.map(nameOf));
  const fresh = ledger.filter((key) => {
    const known = stored.get(nameOf(key));
    return known === undefined || rebuilt || lineOf(known) !== lineOf(key);
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
function inOrder(a: VersionKey, b: VersionKey): number {
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? -1 : 1;
  if (a.publication !== b.publication) return a.publication < b.publication ? -1 : 1;
  return a.version - b.version;
}

/** The embedded database answers on the process's own thread: no call of it may last. */
const KEYS_AT_ONCE = 1000;
const VERSIONS_AT_ONCE = 32;

/** Every version of a table, without rates. */
export async function allKeys(
  { history }: Pick<CopiedLedger, "history">,
  table: string,
  signal: AbortSignal | undefined,
): Promise<readonly VersionKey[]> {
  const keys: VersionKey[] = [];
  let after: VersionName | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page: readonly VersionKey[] = await history.keys(table, after, KEYS_AT_ONCE);
    keys.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < KEYS_AT_ONCE || after === null) return keys;
    await untilOthersHadATurn();
  }
}

interface Batch {
  readonly versions: readonly PublicationVersion[];
  readonly damaged: readonly DamagedVersion[];
}

/** Whole versions, batch by batch in the order of the names. */
export async function* inBatches(
  { history }: Pick<CopiedLedger, "history">,
  table: string,
  names: readonly VersionName[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  for (let from = 0; from < names.length; from += VERSIONS_AT_ONCE) {
    signal?.throwIfAborted();
    yield await history.read(table, names.slice(from, from + VERSIONS_AT_ONCE));
    await untilOthersHadATurn();
  }
}

/** Promises that are settled already would delay requests for a whole table. */
function untilOthersHadATurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
