/** The table of official publications (docs/official.md), and the copy of one official table from the ledger. */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { CopiedLedger, VersionMark, VersionName, VersionPage } from "#ports/official.ts";
import { column, type TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { replacePartitions } from "#store/delta/upkeep.ts";
import { fill } from "#store/parquet/engine.ts";
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

/** The content of a file, as its tag in the log says: a start need not read the lake's files. */
interface Origin {
  /** Id of the ledger. */
  readonly ledger: string;
  readonly versions: number;
  /** `digestOf` these versions: a restored ledger may have the same number of other versions. */
  readonly digest: string;
}

function tagOf({ ledger, versions, digest }: Origin): string {
  return `${ledger} ${versions} ${digest}`;
}

export function digestOf(marks: readonly VersionMark[]): string {
  const lines = marks.map(
    ({ publication, version, retrievedAt, fingerprint }) =>
      `${publication} ${version} ${retrievedAt} ${fingerprint}\n`,
  );
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** Returns the origin of a file; null for a file without one. */
export function originOf({ tags }: Add): Origin | null {
  const [, ledger, versions, digest = ""] = /^(\S+) (\d+) (\w+)$/.exec(tags.origin ?? "") ?? [];
  return ledger === undefined ? null : { ledger, versions: Number(versions), digest };
}

/** Returns whether the lake has as many versions of a table, by its log: a ledger only adds versions while it is not restored. */
export function isCopied(file: Add | null, ledger: string, versions: number): boolean {
  if (file === null) return versions === 0;
  const origin = originOf(file);
  return origin?.ledger === ledger && origin.versions === versions;
}

interface Writing {
  readonly connection: DuckDBConnection;
  readonly table: Table;
  readonly ledger: CopiedLedger;
  readonly official: CopiedLedger["tables"][number];
  readonly signal: AbortSignal | undefined;
  readonly now: number;
}

/**
 * Resolves with the actions for a table that has changed, none without a change. The files that they add are durable. Rejects with
 * PublicationDamaged for a version that does not read as the ledger stored it, and with LakeDamaged when the table's own file is damaged.
 */
export async function copyTable(writing: Writing, snapshot: Snapshot): Promise<readonly Action[]> {
  const { connection, table, ledger, official, now } = writing;
  const { id, country, authority } = official;
  const file = fileOf(snapshot, id);
  await table.verifier.require(file === null ? [] : [file]);
  const lines = join(table.directory, ".incoming.ndjson");
  try {
    const marks = await writeRows(writing, lines);
    const origin = tagOf({ ledger: ledger.id, versions: marks.length, digest: digestOf(marks) });
    if (file?.tags.origin === origin) return [];
    const write = (target: string) => connection.run(fill(writeSql, { lines, country, authority, target }));
    const files = [{ partition: { table_id: id }, write }];
    const replaced = await replacePartitions(table, snapshot, connection, files, now);
    return replaced.map((action) =>
      "add" in action ? { add: { ...action.add, tags: { ...action.add.tags, origin } } } : action,
    );
  } finally {
    rmSync(lines, { force: true });
  }
}

/** The embedded database answers on the process's own thread: each call must be short. */
const VERSIONS_AT_ONCE = 32;

/** Writes the rows of all versions, a line each; resolves with the marks of the versions. */
async function writeRows(
  { ledger, official, signal }: Writing,
  path: string,
): Promise<readonly VersionMark[]> {
  const marks: VersionMark[] = [];
  // A dead writer may have left a file.
  await writeFile(path, "");
  for (let after: VersionName | null = null; ; ) {
    signal?.throwIfAborted();
    const page: VersionPage = await ledger.history.page(official.id, after, VERSIONS_AT_ONCE);
    await appendFile(path, page.versions.map(linesOf).join(""));
    for (const { publication, version, retrievedAt, fingerprint } of page.versions)
      marks.push({ publication, version, retrievedAt, fingerprint });
    after = page.next;
    if (after === null) return marks;
    // Without this pause settled promises would delay requests for a whole table.
    await new Promise((resolve) => setImmediate(resolve));
  }
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
  return rows
    .map(({ rate: printed, base, quote, unit, kind }) => ({ ...facts, base, quote, printed, unit, kind }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}
