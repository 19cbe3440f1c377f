/** From which version a table goes on in the signed history, where it was set back: after a repair, or when commits were lost. */

import { sha256 } from "#domain/chain/entry.ts";
import type { ChainState } from "#domain/chain/state.ts";
import type { Table } from "#store/delta/table.ts";
import type { Segments } from "./segments.ts";

export interface Resumption {
  readonly table: string;
  /** The last one that is as it was signed; -1 where none is. */
  readonly version: number;
  /** The last one that was signed. */
  readonly signed: number;
}

/** Empty where the last version that was signed is there as it was. Reads all entries. */
export async function resumption(
  table: Table,
  before: ChainState | null,
  segments: Segments,
): Promise<readonly Resumption[]> {
  const { name } = table.definition;
  const last = before?.tables[name];
  if (last === undefined) return [];
  const goOn = (version: number) =>
    version === last.version ? [] : [{ table: name, version, signed: last.version }];
  const signed = new Map<number, string>();
  for (const { entry } of segments.linesFrom(0)) {
    if (entry.kind === "commit" && entry.table === name) signed.set(entry.version, entry.sha256);
    if (entry.kind !== "resume" || entry.table !== name) continue;
    for (const version of signed.keys()) if (version > entry.version) signed.delete(version);
  }
  const newest = (await table.latest())?.version ?? -1;
  const { commits } = await table.log.list();
  for (const version of commits.toReversed()) {
    const text = version > newest ? null : await table.log.commitText(version);
    if (text === null || signed.get(version) !== sha256(text)) continue;
    return goOn(version);
  }
  // Nothing of what was signed is there: the table goes on from what is.
  return goOn((commits[0] ?? 0) - 1);
}
