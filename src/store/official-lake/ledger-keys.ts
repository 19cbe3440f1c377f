/** The ledger's side of a copy, in batches that hold neither much memory nor the process for long. */

import type { PublicationVersion } from "#domain/official/publication.ts";
import type { CopiedLedger, DamagedVersion, VersionKey, VersionName } from "#ports/official.ts";

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

export interface Batch {
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

/** Promises that are settled already would keep requests waiting for a whole table. */
function untilOthersHadATurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
