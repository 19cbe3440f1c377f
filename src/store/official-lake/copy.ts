/** The table of official publications (docs/official.md), the marks of its copies in the log, and the copy of one official table from the ledger. */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import type { CopiedLedger, DamagedVersion, VersionKey, VersionName } from "#ports/official.ts";
import type { DamagedFile } from "#store/delta/damage.ts";
import { column, type TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { replacePartitions } from "#store/delta/upkeep.ts";
import { appendValues } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import incomingSql from "./sql/incoming-rows.sql" with { type: "text" };
import retainSql from "./sql/retain-versions.sql" with { type: "text" };
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
function copyStateOf(keys: readonly VersionKey[], file: Add | null): CopyState {
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

function isSame(a: CopyState, b: CopyState): boolean {
  return a.versions === b.versions && a.mark === b.mark;
}

function copyStateActions(id: string, { versions, mark }: CopyState, now: number): readonly Action[] {
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
  const { table, official } = writing;
  const file = fileOf(snapshot, official.id);
  const refused = file === null ? null : await table.verifier.check(file);
  if (refused !== null && !isRebuilt) return { actions: [], added: 0, dropped: 0, damaged: [], refused };
  return await onDisk(writing, () => copyOver(writing, snapshot, keys, refused === null ? file : null));
}

/** Keeps the working table on disk: all rows of a table may exceed DuckDB's memory. */
async function onDisk<T>({ connection, table }: Writing, work: () => Promise<T>): Promise<T> {
  const path = join(table.directory, ".scratch.duckdb");
  const remove = () => {
    for (const name of [path, `${path}.wal`]) rmSync(name, { force: true });
  };
  // A dead writer may have left one.
  remove();
  try {
    await connection.run(fill("ATTACH {path} AS scratch", { path }));
    await connection.run("USE scratch");
    // One transaction: nothing of it needs to be durable.
    await connection.run("BEGIN");
    return await work();
  } finally {
    await connection.run("ROLLBACK").catch(() => {});
    await connection.run("USE memory");
    await connection.run("DETACH DATABASE IF EXISTS scratch").catch(() => {});
    remove();
  }
}

/** Copies into a new file. `intact` is the lake's file, unless damaged. */
async function copyOver(
  writing: Writing,
  snapshot: Snapshot,
  keys: readonly VersionKey[],
  intact: Add | null,
): Promise<Copied> {
  const { connection, table, official, now } = writing;
  const stored = intact === null ? [] : await storedKeys(connection, table.pathOf(intact));
  const incoming = await appendVersions(writing, [...keys].sort(inOrder));
  const unread = new Set(keys.map(nameOf).filter((name) => !incoming.names.has(name)));
  // A version that is damaged in the ledger stays as the lake has it.
  const retained = stored.filter((key) => unread.has(nameOf(key)));
  if (intact !== null && retained.length > 0)
    await connection.run(fill(retainSql, { file: table.pathOf(intact), names: retained.map(nameOf) }));
  const versions = [...keys.filter((key) => incoming.names.has(nameOf(key))), ...retained];
  const before = new Set(stored.map(lineOf));
  const added = versions.filter((key) => !before.has(lineOf(key))).length;
  const dropped = stored.length - (versions.length - added);
  const isWritten = added + dropped > 0 || intact !== fileOf(snapshot, official.id);
  const actions = isWritten ? await writeTable(writing, snapshot, retained.length > 0) : [];
  const next = isWritten
    ? (actions.flatMap((action) => ("add" in action ? [action.add] : []))[0] ?? null)
    : intact;
  const state = copyStateOf(versions, next);
  const noted = copyStateIn(snapshot, official.id);
  const marks = noted !== null && isSame(noted, state) ? [] : copyStateActions(official.id, state, now);
  return { actions: [...actions, ...marks], added, dropped, damaged: incoming.damaged, refused: null };
}

/** Reads the versions in an intact file. */
async function storedKeys(connection: DuckDBConnection, file: string): Promise<readonly VersionKey[]> {
  const rows = (await connection.runAndReadAll(fill(storedKeysSql, { file }))).getRowObjectsJS();
  return rows as unknown as readonly VersionKey[];
}

/**
 * Fills `incoming` with the versions that read as stored, and returns the others. They come in the order of the file:
 * DuckDB sorts in memory.
 */
async function appendVersions(
  { connection, ledger, official, signal }: Writing,
  keys: readonly VersionKey[],
) {
  const names = new Set<string>();
  const damaged: DamagedVersion[] = [];
  await connection.run(incomingSql);
  for (let from = 0; from < keys.length; from += VERSIONS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = keys.slice(from, from + VERSIONS_AT_ONCE);
    const batch = await ledger.history.read(official.id, some);
    const byName = new Map(batch.versions.map((version) => [nameOf(version), version]));
    const versions = some.flatMap((key) => byName.get(nameOf(key)) ?? []);
    const read = versions.flatMap((version) => rowsOf(version).map((row): VersionRow => [row, version]));
    await appendValues(connection, "incoming", read, COLUMNS);
    for (const name of byName.keys()) names.add(name);
    damaged.push(...batch.damaged);
    await untilOthersHadATurn();
  }
  return { names, damaged };
}

/** Writes `incoming` as the table's file; sorted where versions were added out of order. */
async function writeTable(
  { connection, table, official, now }: Writing,
  snapshot: Snapshot,
  isSorted: boolean,
): Promise<readonly Action[]> {
  const { id, country, authority } = official;
  const order = isSorted ? "ORDER BY valid_from, publication, version, base, quote, kind" : "";
  const sql = writeSql.replace("{order}", order);
  const write = (target: string) => connection.run(fill(sql, { country, authority, target }));
  return await replacePartitions(table, snapshot, connection, [{ partition: { table_id: id }, write }], now);
}

type VersionRow = readonly [row: OfficialRow, version: PublicationVersion];

/** In the order of incoming-rows.sql. */
const COLUMNS: readonly ((row: VersionRow) => DuckDBValue)[] = [
  ([, { publication }]) => publication,
  ([, { version }]) => version,
  ([, { validFrom }]) => validFrom,
  ([, { validTo }]) => validTo,
  ([, { publishedAt }]) => publishedAt,
  ([, { retrievedAt }]) => retrievedAt,
  ([{ base }]) => base,
  ([{ quote }]) => quote,
  ([{ rate }]) => Number(rate),
  ([{ rate }]) => rate,
  ([{ unit }]) => unit,
  ([{ kind }]) => kind,
  ([, { sourceUrl }]) => sourceUrl,
  ([, { documentSha256 }]) => documentSha256,
];

function rowsOf({ rows }: PublicationVersion): readonly OfficialRow[] {
  const placeOf = ({ base, quote, kind }: OfficialRow) => `${base} ${quote} ${kind}`;
  return [...rows].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
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

/** Reads every version of a table, without rates. */
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

/** Promises that are settled already would delay requests for a whole table. */
function untilOthersHadATurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
