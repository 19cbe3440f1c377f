/** Writes a table's next file: without removed versions, with new ones, in order and in bounded memory. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import type { CopiedLedger, DamagedVersion, VersionKey } from "#ports/official.ts";
import { type Add, statsOf } from "#store/delta/actions.ts";
import type { Table } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/write.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { appendValues } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import { inBatches, nameOf, type StoredKey } from "./keys.ts";
import { type Part, partsOf } from "./parts.ts";
import arrivedSql from "./sql/arrived-view.sql" with { type: "text" };
import goneSql from "./sql/gone-versions.sql" with { type: "text" };
import incomingSql from "./sql/incoming-rows.sql" with { type: "text" };
import storedKeysSql from "./sql/stored-keys.sql" with { type: "text" };
import storedSql from "./sql/stored-view.sql" with { type: "text" };
import fileSql from "./sql/write-file.sql" with { type: "text" };
import pieceSql from "./sql/write-piece.sql" with { type: "text" };

/** Parts on their way into a file. A writer removes those that a dead one left. */
const PIECES_FOLDER = ".pieces";

export interface Writing {
  readonly connection: DuckDBConnection;
  readonly table: Table;
  readonly ledger: CopiedLedger;
  readonly official: CopiedLedger["tables"][number];
  readonly signal: AbortSignal | undefined;
  readonly now: number;
}

/** What becomes of an official table's file. */
export interface Turnover {
  /** Null where there is none, or none that may be read. */
  readonly old: Add | null;
  readonly lake: readonly StoredKey[];
  /** In the order of files. */
  readonly fresh: readonly VersionKey[];
  readonly gone: readonly StoredKey[];
}

export interface Written {
  /** Null when no row is left. */
  readonly add: Add | null;
  /** Those of `fresh` that could be read. */
  readonly arrived: readonly VersionKey[];
  readonly damaged: readonly DamagedVersion[];
}

/** Versions in a file, and their rows. The file was found intact. */
export async function storedKeys(
  connection: DuckDBConnection,
  table: Table,
  file: Add,
): Promise<readonly StoredKey[]> {
  const reader = await connection.runAndReadAll(fill(storedKeysSql, { file: table.pathOf(file) }));
  return reader.getRowObjectsJS().map((row) => ({
    publication: row["publication"] as string,
    version: row["version"] as number,
    validFrom: row["valid_from"] as string,
    identity: row["identity"] as string,
    rows: row["rows"] as number,
  }));
}

/** Durable when it resolves; no reader sees the file before a commit names it. Throws when a row would be lost or doubled. */
export async function writeTable(writing: Writing, turnover: Turnover): Promise<Written> {
  const { connection, table, official, now } = writing;
  const { old, lake, fresh, gone } = turnover;
  const pieces = join(table.directory, PIECES_FOLDER);
  rmSync(pieces, { recursive: true, force: true });
  makeFolder(pieces);
  const damaged: DamagedVersion[] = [];
  const arrived = new Set<string>();
  let rows = sumOf(lake) - sumOf(gone);
  const write = async (target: string) => {
    await connection.run(incomingSql);
    await connection.run(fill(arrivedSql, { country: official.country, authority: official.authority }));
    await connection.run(
      old === null
        ? "CREATE OR REPLACE TEMP VIEW stored AS SELECT * FROM arrived WHERE false"
        : fill(storedSql, { file: table.pathOf(old) }),
    );
    await connection.run(goneSql);
    await appendGone(connection, gone);
    const selects: string[] = [];
    for (const part of partsOf(lake, fresh, gone)) {
      if (part.kind === "made") {
        const piece = join(pieces, `${selects.length}.parquet`);
        const made = await writePiece(writing, part, piece);
        rows += made.rows;
        damaged.push(...made.damaged);
        for (const name of made.names) arrived.add(name);
        selects.push(fill("SELECT * FROM read_parquet({piece}, hive_partitioning = false)", { piece }));
        continue;
      }
      const { from, to } = part;
      selects.push(
        fill(
          "SELECT * FROM stored WHERE valid_from BETWEEN DATE '1970-01-01' + {from} AND DATE '1970-01-01' + {to}",
          { from, to },
        ),
      );
    }
    const parts = selects.join("\n  UNION ALL\n  ");
    await connection.run(fill(fileSql, { target }).replace("/* parts */", () => parts));
  };
  try {
    const partition = { table_id: official.id };
    const [add = null] = await writeFiles(table, connection, [{ partition, write }], now);
    const written = add === null ? 0 : statsOf(add).numRecords;
    if (written !== rows) {
      if (add !== null) rmSync(table.pathOf(add), { force: true });
      throw new Error(`${official.id} would get ${written} rows instead of ${rows}: nothing was changed`);
    }
    return { add, arrived: fresh.filter((key) => arrived.has(nameOf(key))), damaged };
  } finally {
    rmSync(pieces, { recursive: true, force: true });
  }
}

interface Piece {
  /** Of the versions that arrived. */
  readonly rows: number;
  readonly names: readonly string[];
  readonly damaged: readonly DamagedVersion[];
}

async function writePiece(
  { connection, ledger, official, signal }: Writing,
  { from, to, fresh }: Extract<Part, { kind: "made" }>,
  target: string,
): Promise<Piece> {
  const damaged: DamagedVersion[] = [];
  const names: string[] = [];
  let rows = 0;
  await connection.run(incomingSql);
  for await (const batch of inBatches(ledger, official.id, fresh, signal)) {
    const incoming = batch.versions.flatMap((version) =>
      version.rows.map((row): VersionRow => [row, version]),
    );
    await appendValues(connection, "incoming", incoming, COLUMNS);
    rows += incoming.length;
    names.push(...batch.versions.map(nameOf));
    damaged.push(...batch.damaged);
  }
  await connection.run(fill(pieceSql, { from, to, target }));
  return { rows, names, damaged };
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

/** Fills `gone`. */
async function appendGone(connection: DuckDBConnection, gone: readonly StoredKey[]): Promise<void> {
  const appender = await connection.createAppender("gone");
  for (const { publication, version } of gone) {
    appender.appendVarchar(publication);
    appender.appendInteger(version);
    appender.endRow();
  }
  appender.closeSync();
}

function sumOf(keys: readonly StoredKey[]): number {
  return keys.reduce((sum, { rows }) => sum + rows, 0);
}
