/** A lake of the first layout (one rewritten file a partition, manifest.json) becomes Delta tables. Safe to repeat. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { type Action, type Add, removalOf } from "#store/delta/actions.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/write.ts";
import convertHeldSql from "#store/lake/sql/convert/convert-held.sql" with { type: "text" };
import loadDailySql from "#store/lake/sql/settle/load-daily.sql" with { type: "text" };
import loadRevisionsSql from "#store/lake/sql/settle/load-revisions.sql" with { type: "text" };
import settleSql from "#store/lake/sql/settle/settle.sql" with { type: "text" };
import storedSql from "#store/lake/sql/tables/stored-table.sql" with { type: "text" };
import withdrawalsSql from "#store/lake/sql/tables/withdrawals-table.sql" with { type: "text" };
import { type DailyTables, marksFor } from "#store/lake/state.ts";
import { replacePartitions, settledPartitions, WRITE_DAILY, WRITE_REVISIONS } from "#store/lake/write.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { compareFigures, compareHeld } from "./compare.ts";
import { type OldFile, oldFiles, readManifest, removeOld, verifyOld } from "./old-files.ts";

interface Conversion {
  readonly directory: string;
  readonly tables: DailyTables;
  readonly emit: Emit | undefined;
  readonly now: number;
}

/** New files of each table; durable, and named by no commit yet. */
type Converted = Readonly<Record<OldFile["table"], Add[]>>;

/** Names the converted manifest in the log, so that a repetition recognizes its own leftovers. */
const CONVERTED = "crossrate/converted/";

/**
 * Verifies the old files against their manifest, writes the tables, compares them row by row with the old files, and
 * only then removes these. Rejects with LakeDamaged for a file that does not match the manifest, and when an older
 * program wrote here after the conversion. The caller holds the lock, and found old files under it.
 */
export async function convertLake({ directory, tables, emit, now }: Conversion): Promise<void> {
  const manifest = readManifest(directory);
  const id = `${CONVERTED}${manifest?.sha256 ?? "none"}`;
  const before = tables.daily.latest();
  if (before !== null && !before.txns.has(id))
    throw new LakeDamaged(
      join(directory, "manifest.json"),
      "or another file of the layout before is here although this lake was converted: an older version of Crossrate wrote it. Move away manifest.json, superseded, held/held.parquet and every daily/*/*/rates.parquet; what the authority still publishes of them is collected again",
    );
  if (before === null) {
    const files = oldFiles(directory);
    await verifyOld(directory, files, manifest);
    const converted = await withEngine(directory, (connection) =>
      convert(connection, { directory, tables, now }, files),
    );
    // A repetition finds what the commits before the last one brought.
    const commit = async (table: Table, adds: readonly Add[], marks: readonly Action[] = []) => {
      const base = table.latest();
      const gone = [...(base?.files.values() ?? [])].map((add) => removalOf(add, now));
      return await table.commit(base, [...gone, ...adds.map((add) => ({ add })), ...marks], "CONVERT", now);
    };
    const pins = {
      revisions: await commit(tables.revisions, converted.revisions),
      held: await commit(tables.held, converted.held),
      // Made by the first commit that has any.
      statements: tables.statements.latest(),
    };
    await commit(tables.daily, converted.daily, [
      { txn: { appId: id, version: 1, lastUpdated: now } },
      ...marksFor(0, now, { pins, coverage: manifest?.coverage ?? [] }),
    ]);
    emit?.({
      kind: "lake_repaired",
      detail: `${files.length} files of the layout before were converted to Delta tables`,
    });
  }
  removeOld(directory);
}

const YEARS_AT_ONCE = 8;
const NOTHING = { files: new Map() } as unknown as Snapshot;

/** Writes the new files and compares them with the old ones; on a fault none of them is left. */
async function convert(
  connection: DuckDBConnection,
  { directory, tables, now }: Pick<Conversion, "directory" | "tables" | "now">,
  files: readonly OldFile[],
): Promise<Converted> {
  const converted: Converted = { daily: [], revisions: [], held: [] };
  const keep = (name: OldFile["table"], actions: readonly Action[]) => {
    const adds = actions.flatMap((action) => ("add" in action ? [action.add] : []));
    converted[name].push(...adds);
    return adds;
  };
  try {
    await connection.run(withdrawalsSql);
    for (const group of groupsOf(files)) {
      const of = (table: OldFile["table"]) =>
        group.filter((file) => file.table === table).map(({ path }) => join(directory, path));
      await connection.run(storedSql);
      if (of("daily").length > 0) await connection.run(fill(loadDailySql, { files: of("daily") }));
      if (of("revisions").length > 0)
        await connection.run(fill(loadRevisionsSql, { files: of("revisions") }));
      // Where a writer died between the two files of a partition, the row that is in both is current.
      await connection.run(settleSql);
      const partitions = await settledPartitions(connection);
      const superseded = partitions.filter((partition) => partition.superseded > 0);
      const write = (name: "daily" | "revisions", of: typeof partitions, sql: string) =>
        replacePartitions(connection, tables[name], NOTHING, of, sql, now);
      const revisions = keep("revisions", await write("revisions", superseded, WRITE_REVISIONS));
      const daily = keep("daily", await write("daily", partitions, WRITE_DAILY));
      await compareFigures(connection, tables, { daily, revisions }, directory, group);
    }
    const held = files.filter((file) => file.table === "held");
    for (const { path } of held) {
      const write = (target: string) =>
        connection.run(fill(convertHeldSql, { files: [join(directory, path)], target }));
      const adds = await writeFiles(tables.held, connection, [{ partition: {}, write }], now);
      converted.held.push(...adds);
    }
    await compareHeld(connection, tables, converted.held, directory, held);
    return converted;
  } catch (fault) {
    for (const name of ["daily", "revisions", "held"] as const)
      for (const add of converted[name]) rmSync(tables[name].pathOf(add), { force: true });
    throw fault;
  }
}

/** The partitions' files, source by source and a few years at once: bounds the memory. */
function groupsOf(files: readonly OldFile[]): readonly (readonly OldFile[])[] {
  return DAILY_SOURCES.flatMap((source) => {
    const own = files.filter((file) => file.source === source);
    const years = [...new Set(own.map(({ year }) => year))].sort((a, b) => a - b);
    return Array.from({ length: Math.ceil(years.length / YEARS_AT_ONCE) }, (_, nth) => {
      const span = years.slice(nth * YEARS_AT_ONCE, (nth + 1) * YEARS_AT_ONCE);
      return own.filter(({ year }) => span.includes(year));
    });
  });
}
