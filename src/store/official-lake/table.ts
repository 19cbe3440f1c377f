/** The table of official publications (docs/official.md), and its storage of the ledger's numbers. */

import { createHash } from "node:crypto";
import type { VersionKey } from "#ports/official.ts";
import type { TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";

export const OFFICIAL: TableDefinition = {
  name: "official",
  description: "Official publications as their authorities made them: every row of every version",
  columns: [
    { name: "country", type: "string", comment: "ISO 3166-1 alpha-3; EUE for the European Union" },
    { name: "authority", type: "string", comment: "who publishes it" },
    { name: "publication", type: "string", comment: "its name within the table, as in /v1/official" },
    { name: "version", type: "integer", ranged: true, comment: "1, and one more with every correction" },
    { name: "valid_from", type: "date", ranged: true, comment: "first day, of the table's own zone" },
    { name: "valid_to", type: "date", nullable: true, comment: "last day; null: until the next publication" },
    {
      name: "published_at",
      type: "timestamp",
      nullable: true,
      comment: "when the authority published this version, where a document said so",
    },
    { name: "retrieved_at", type: "timestamp", ranged: true, comment: "when this version was retrieved" },
    { name: "base", type: "string", ranged: true, comment: "unit units of this currency" },
    { name: "quote", type: "string", ranged: true, comment: "are rate units of this one" },
    { name: "rate", type: "double", comment: "the double nearest to printed" },
    { name: "printed", type: "string", comment: "the digits as published" },
    { name: "unit", type: "integer", comment: "1, 10, 100, …: as the table counts the currency" },
    { name: "kind", type: "string", comment: "mid, buy, sell or average" },
    { name: "source_url", type: "string", comment: "address of the document it was read from" },
    { name: "document_sha256", type: "string", comment: "digest of that document's bytes" },
  ],
  partitions: [{ name: "table_id", type: "string", comment: "id of the authority's table, such as mex_fix" }],
  currentFile: "publications.parquet",
};

/** Returns the file of an official table, or null. */
export function fileOf(snapshot: Snapshot, id: string): Add | null {
  return filesOfPartition(snapshot, { table_id: id })[0] ?? null;
}

/** The number of an official table's versions in the lake, and a mark of these versions in this file. */
interface CopyState {
  readonly versions: number;
  readonly mark: number;
}

const VERSIONS = "crossrate/official/";
const MARK = "crossrate/official-mark/";
const LEDGER = "crossrate/official-ledger/";

/** Returns null before the first copy. */
export function copyStateIn({ txns }: Snapshot, id: string): CopyState | null {
  const [versions, mark] = [txns.get(VERSIONS + id)?.version, txns.get(MARK + id)?.version];
  return versions === undefined || mark === undefined ? null : { versions, mark };
}

/**
 * Marks exactly these versions in exactly this file: any other version or file has another mark. It spares a start the
 * reading of the lake's files.
 */
export function copyStateOf(keys: readonly VersionKey[], file: Add | null): CopyState {
  const lines = keys.map(({ publication, version, validFrom, identity }) =>
    [publication, version, validFrom, identity].join(" "),
  );
  const digest = createHash("sha256")
    .update([file?.tags.sha256 ?? "no file", ...lines.sort()].join("\n"))
    .digest("hex");
  // The log stores whole numbers that JSON readers take for doubles: 52 bits of the digest are enough.
  return { versions: keys.length, mark: Number.parseInt(digest.slice(0, 13), 16) };
}

/** Judges by the log whether the lake has exactly these versions of a table. */
export function isComplete(snapshot: Snapshot, id: string, keys: readonly VersionKey[]): boolean {
  const state = copyStateIn(snapshot, id);
  if (state === null) return keys.length === 0 && fileOf(snapshot, id) === null;
  return isSame(state, copyStateOf(keys, fileOf(snapshot, id)));
}

export function isSame(a: CopyState, b: CopyState): boolean {
  return a.versions === b.versions && a.mark === b.mark;
}

export function copyStateActions(id: string, { versions, mark }: CopyState, now: number): readonly Action[] {
  return [
    { txn: { appId: VERSIONS + id, version: versions, lastUpdated: now } },
    { txn: { appId: MARK + id, version: mark, lastUpdated: now } },
  ];
}

/** Returns the id of the ledger that the table was last copied from: the one noted under the highest number. Null for a new table. */
export function ledgerIn({ txns }: Snapshot): string | null {
  return newestLedger(txns)?.appId.slice(LEDGER.length) ?? null;
}

export function ledgerActions({ txns }: Snapshot, ledger: string, now: number): readonly Action[] {
  const version = (newestLedger(txns)?.version ?? 0) + 1;
  return [{ txn: { appId: LEDGER + ledger, version, lastUpdated: now } }];
}

function newestLedger(txns: Snapshot["txns"]) {
  const noted = [...txns.values()].filter(({ appId }) => appId.startsWith(LEDGER));
  return noted.sort((a, b) => b.version - a.version)[0];
}
