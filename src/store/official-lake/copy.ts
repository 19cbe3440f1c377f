/** The table of official publications (docs/official.md), the marks of its copies in the log, and the copy of one official table from the ledger. */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { CopiedLedger, DamagedVersion, VersionKey, VersionName } from "#ports/official.ts";
import type { DamagedFile } from "#store/delta/damage.ts";
import { column, type TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { replacePartitions } from "#store/delta/upkeep.ts";
import { fill } from "#store/parquet/engine.ts";
import retainedSql from "./sql/retained-versions.sql" with { type: "text" };
import storedKeysSql from "./sql/stored-keys.sql" with { type: "text" };
import writeSql from "./sql/write-file.sql" with { type: "text" };

export const OFFICIAL: TableDefinition = {
  name: "official",
  description: "Official publications as their authorities made them: every row of every version",
  columns: [
    column("country", "string", "ISO 3166-1 alpha-3; EUE for the European Union"),
    column("authority", "string", "who publishes it"),
    column("publication", "string", "its name within the table, as in /v1/official"),
    column("version", "integer", "1, and one more with every correction", "ranged"),
    column("valid_from", "date", "first day, of the table's own zone", "ranged"),
    column("valid_to", "date", "last day; null: until the next publication", "nullable"),
    column(
      "published_at",
      "timestamp",
      "when the authority published this version, where a document said so",
      "nullable",
    ),
    column("retrieved_at", "timestamp", "when this version was retrieved", "ranged"),
    column("base", "string", "unit units of this currency", "ranged"),
    column("quote", "string", "are rate units of this one", "ranged"),
    column("rate", "double", "the double nearest to printed"),
    column("printed", "string", "the digits as published"),
    column("unit", "integer", "1, 10, 100, …: as the table counts the currency"),
    column("kind", "string", "mid, buy, sell or average"),
    column("source_url", "string", "address of the document it was read from"),
    column("document_sha256", "string", "digest of that document's bytes"),
  ],
  partitions: [column("table_id", "string", "id of the authority's table, such as mex_fix")],
  currentFile: "publications.parquet",
};

export function fileOf(snapshot: Snapshot, id: string): Add | null {
  return filesOfPartition(snapshot, { table_id: id })[0] ?? null;
}

const MARK = "crossrate/official-mark/";
const LEDGER = "crossrate/official-ledger/";

/** Returns the mark of a table's versions in its file; undefined before the first copy. */
export function markIn({ txns }: Snapshot, id: string): number | undefined {
  return txns.get(MARK + id)?.version;
}

/** Marks exactly these versions in exactly this file. With the mark a start need not read the lake's files. */
function markOf(keys: readonly VersionKey[], file: Add | null): number {
  const lines = keys.map(({ publication, version, validFrom, identity }) =>
    [publication, version, validFrom, identity].join(" "),
  );
  const digest = createHash("sha256")
    .update([file?.tags.sha256 ?? "no file", ...lines.sort()].join("\n"))
    .digest("hex");
  // The log stores whole numbers that JSON readers take for doubles: 52 bits of the digest are enough.
  return Number.parseInt(digest.slice(0, 13), 16);
}

/** Returns whether the lake has exactly these versions of a table, by its log. */
export function isComplete(snapshot: Snapshot, id: string, keys: readonly VersionKey[]): boolean {
  const [mark, file] = [markIn(snapshot, id), fileOf(snapshot, id)];
  return mark === undefined ? keys.length === 0 && file === null : mark === markOf(keys, file);
}

/** Returns the id of the ledger that the table was last copied from: the one noted under the highest number. Null for a new table. */
export function ledgerIn({ txns }: Snapshot): string | null {
  return newestLedger(txns)?.appId.slice(LEDGER.length) ?? null;
}

export function ledgerActions({ txns }: Snapshot, ledger: string, now: number): readonly Action[] {
  const version = (newestLedger(txns)?.version ?? 0) + 1;
  return [txnAction(LEDGER + ledger, version, now)];
}

function txnAction(appId: string, version: number, lastUpdated: number): Action {
  return { txn: { appId, version, lastUpdated } };
}

function newestLedger(txns: Snapshot["txns"]) {
  const noted = [...txns.values()].filter(({ appId }) => appId.startsWith(LEDGER));
  return noted.sort((a, b) => b.version - a.version)[0];
}

interface Writing {
  readonly connection: DuckDBConnection;
  readonly table: Table;
  readonly ledger: CopiedLedger;
  readonly official: CopiedLedger["tables"][number];
  readonly signal: AbortSignal | undefined;
  readonly now: number;
}

export interface Copied {
  /** Empty without a change. The files that they add are durable. */
  readonly actions: readonly Action[];
  readonly added: number;
  readonly dropped: number;
  /** Versions that do not read as the ledger stored them. The lake keeps its own copy of them. */
  readonly damaged: readonly DamagedVersion[];
  /** The lake's own file, when damaged: nothing is written over it. */
  readonly refused: DamagedFile | null;
}

/** Copies a table. `keys` are all that the ledger has of it; with `isRebuilt` a damaged lake file is replaced, too. */
export async function copyTable(
  writing: Writing,
  snapshot: Snapshot,
  keys: readonly VersionKey[],
  isRebuilt: boolean,
): Promise<Copied> {
  const { connection, table, official, now } = writing;
  const { id, country, authority } = official;
  const file = fileOf(snapshot, id);
  const refused = file === null ? null : await table.verifier.check(file);
  if (refused !== null && !isRebuilt) return { actions: [], added: 0, dropped: 0, damaged: [], refused };
  const intact = refused === null && file !== null ? table.pathOf(file) : null;
  const stored = intact === null ? [] : await storedKeys(connection, intact);
  const lines = join(table.directory, ".incoming.ndjson");
  try {
    const incoming = await writeRows(writing, [...keys].sort(inOrder), lines);
    const isRead = (key: VersionKey) => incoming.names.has(nameOf(key));
    const unread = new Set(keys.filter((key) => !isRead(key)).map(nameOf));
    // A version that is damaged in the ledger stays as the lake has it.
    const retained = stored.filter((key) => unread.has(nameOf(key)));
    const versions = [...keys.filter(isRead), ...retained];
    const before = new Set(stored.map(lineOf));
    const added = versions.filter((key) => !before.has(lineOf(key))).length;
    const dropped = stored.length - (versions.length - added);
    const isWritten = added + dropped > 0 || refused !== null;
    const sql = writeSql.replace("{retained}", retained.length === 0 ? "" : retainedSql);
    const literals = { lines, country, authority, intact: intact ?? "", names: retained.map(nameOf) };
    const write = (target: string) => connection.run(fill(sql, { ...literals, target }));
    const files = isWritten ? [{ partition: { table_id: id }, write }] : [];
    const actions = await replacePartitions(table, snapshot, connection, files, now);
    const [next = null] = isWritten ? actions.flatMap((one) => ("add" in one ? [one.add] : [])) : [file];
    const mark = markOf(versions, next);
    const marks = mark === markIn(snapshot, id) ? [] : [txnAction(MARK + id, mark, now)];
    return { actions: [...actions, ...marks], added, dropped, damaged: incoming.damaged, refused: null };
  } finally {
    rmSync(lines, { force: true });
  }
}

async function storedKeys(connection: DuckDBConnection, file: string): Promise<readonly VersionKey[]> {
  const rows = (await connection.runAndReadAll(fill(storedKeysSql, { file }))).getRowObjectsJS();
  return rows as unknown as readonly VersionKey[];
}

/**
 * Writes the rows of the versions that read as stored, a line each; resolves with their names, and with the damaged versions. The lines
 * are in the order of the table's file: DuckDB sorts in memory, and the rows of a table may exceed that.
 */
async function writeRows({ ledger, official, signal }: Writing, keys: readonly VersionKey[], path: string) {
  const names = new Set<string>();
  const damaged: DamagedVersion[] = [];
  // A dead writer may have left a file.
  await writeFile(path, "");
  for (let from = 0; from < keys.length; from += VERSIONS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = keys.slice(from, from + VERSIONS_AT_ONCE);
    const batch = await ledger.history.read(official.id, some);
    const byName = new Map(batch.versions.map((version) => [nameOf(version), version]));
    const versions = some.flatMap((key) => byName.get(nameOf(key)) ?? []);
    await appendFile(path, versions.map(linesOf).join(""));
    for (const name of byName.keys()) names.add(name);
    damaged.push(...batch.damaged);
    await untilOthersHadATurn();
  }
  return { names, damaged };
}

/** Prints the rows of a version, one line each, with the columns of write-file.sql. */
function linesOf({ rows, validFrom, validTo, publishedAt, ...version }: PublicationVersion): string {
  const facts = {
    publication: version.publication,
    version: version.version,
    valid_from: formatDay(validFrom),
    valid_to: validTo === null ? null : formatDay(validTo),
    published_at: publishedAt === null ? null : new Date(publishedAt).toISOString(),
    retrieved_at: new Date(version.retrievedAt).toISOString(),
    source_url: version.sourceUrl,
    document_sha256: version.documentSha256,
  };
  const placeOf = ({ base, quote, kind }: OfficialRow) => `${base} ${quote} ${kind}`;
  return [...rows]
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map(({ rate: printed, base, quote, unit, kind }) => ({ ...facts, base, quote, printed, unit, kind }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}

/** Compares by valid_from, publication and version, the order of rows in a file. */
function inOrder(a: VersionKey, b: VersionKey): number {
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? -1 : 1;
  if (a.publication !== b.publication) return a.publication < b.publication ? -1 : 1;
  return a.version - b.version;
}

export function nameOf({ publication, version }: VersionName): string {
  return `${publication} ${version}`;
}

function lineOf(key: VersionKey): string {
  return `${nameOf(key)} ${key.validFrom} ${key.identity}`;
}

/** The embedded database answers on the process's own thread: each call must be short. */
const KEYS_AT_ONCE = 1000;
const VERSIONS_AT_ONCE = 32;

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

/** Without this pause settled promises would delay requests for a whole table. */
function untilOthersHadATurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
