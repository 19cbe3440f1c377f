/** An archive of the first layout (intraday/date=…/quotes.parquet, manifest.json) becomes a Delta table. Safe to repeat. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { type Action, statsOf } from "#store/delta/actions.ts";
import { LakeDamaged, sha256Of } from "#store/delta/damage.ts";
import { type OldManifest, readOldManifest } from "#store/delta/old-manifest.ts";
import { type Mode, WrongMode } from "#store/delta/schema.ts";
import type { Table } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/write.ts";
import { replaceText, syncPath } from "#store/disk/durable.ts";
import { fill } from "#store/parquet/engine.ts";
import { INTRADAY_FOLDER } from "./journal/files.ts";
import { ROW_GROUP_ROWS } from "./merge.ts";
import compareSql from "./sql/convert/compare-converted.sql" with { type: "text" };
import convertSql from "./sql/convert/convert-quotes.sql" with { type: "text" };
import marksSql from "./sql/convert/old-marks.sql" with { type: "text" };
import wholeSql from "./sql/convert/read-whole.sql" with { type: "text" };

export interface Conversion {
  /** The lake's directory. */
  readonly directory: string;
  readonly table: Table;
  readonly mode: Mode;
  readonly now: number;
}

/** Names the converted manifest in the log, so that a repetition recognizes its own leftovers. */
const CONVERTED = "crossrate/converted/";

/** Both are the last to go: as long as one of them is there, files of the first layout may be. */
const OLD_MANIFEST = `${INTRADAY_FOLDER}/manifest.json`;
/** Made where the manifest was lost. */
const CONVERTING = `${INTRADAY_FOLDER}/.converting`;

/** Whether files of the first layout are there; a few system calls once the table exists. */
export function isOldArchive(directory: string, hasTable: boolean): boolean {
  if ([OLD_MANIFEST, CONVERTING].some((name) => existsSync(join(directory, name)))) return true;
  if (hasTable) return false;
  const folder = join(directory, INTRADAY_FOLDER);
  return readdirSync(folder).some((name) => existsSync(join(folder, name, "quotes.parquet")));
}

/** `real` or `simulated`, by the old manifest; undefined without one. Throws LakeDamaged when it cannot be understood. */
export function oldModeOf(directory: string): string | undefined {
  return readManifest(directory)?.mode;
}

/**
 * Verifies all files first, rewrites each date's file, compares it row by row with the old one, commits all of them,
 * and only then removes the old ones. Resolves with the number of dates. Rejects with LakeDamaged for a file that is not
 * what the manifest describes, and with WrongMode. The caller holds the lock.
 */
export async function convertArchive(connection: DuckDBConnection, conversion: Conversion): Promise<number> {
  const { directory, table, now } = conversion;
  const manifest = readManifest(directory);
  const id = `${CONVERTED}${manifest?.sha256 ?? "none"}`;
  const before = table.latest();
  if (before !== null && !before.txns.has(id))
    throw new LakeDamaged(
      join(directory, OLD_MANIFEST),
      "was written by an older version of Crossrate after this archive was converted. Move it and every quotes.parquet beside it away to go on without what that version collected",
    );
  const dates = oldDates(directory);
  if (before === null) {
    await verify(connection, conversion, dates, manifest);
    if (manifest === null) await replaceText(join(directory, CONVERTING), "");
    const actions: Action[] = [];
    for (const date of dates) actions.push(...(await convertDate(connection, conversion, date)));
    const converted = { txn: { appId: id, version: 1, lastUpdated: now } };
    await table.commit(null, [...actions, converted], "CONVERT", now);
  }
  removeOld(directory, dates);
  return before === null ? dates.length : 0;
}

const readManifest = (directory: string) =>
  readOldManifest(join(directory, OLD_MANIFEST), ({ sequence }) => ({ sequence }));

function oldFile(date: Day): string {
  return `${INTRADAY_FOLDER}/date=${formatDay(date)}/quotes.parquet`;
}

function oldDates(directory: string): readonly Day[] {
  return dateFolders(directory).filter((date) => existsSync(join(directory, oldFile(date))));
}

function dateFolders(directory: string): readonly Day[] {
  return readdirSync(join(directory, INTRADAY_FOLDER))
    .map((name) => (name.startsWith("date=") ? parseDay(name.slice("date=".length)) : null))
    .filter((date) => date !== null)
    .sort((a, b) => a - b);
}

/**
 * A writer that died left files ahead of the manifest: they are recognized by a higher sequence, or the manifest does
 * not name them. Such files have no digest to be held against: they must be readable, and of the same mode.
 */
async function verify(
  connection: DuckDBConnection,
  { directory, mode }: Conversion,
  dates: readonly Day[],
  manifest: (OldManifest & { readonly sequence: number }) | null,
): Promise<void> {
  const advice =
    "Restore it from a backup. To go on without its quotes, delete it and its entry in intraday/manifest.json";
  const found = new Set(dates.map(oldFile));
  for (const path of manifest?.digests.keys() ?? [])
    if (!found.has(path)) throw new LakeDamaged(join(directory, path), `is missing. ${advice}`);
  for (const path of found) {
    const expected = manifest?.digests.get(path);
    const file = join(directory, path);
    if (expected !== undefined && (await sha256Of(file)) === expected) continue;
    const marks = await marksOf(connection, file);
    if (marks === null) throw new LakeDamaged(file, `cannot be read. ${advice}`);
    if (expected !== undefined && !(Number(marks["crossrate_sequence"]) > (manifest?.sequence ?? 0)))
      throw new LakeDamaged(file, `is not what its manifest says. ${advice}`);
    const written = marks["crossrate_mode"] ?? mode;
    if (written !== mode) throw new WrongMode(directory, written);
  }
}

/** Null when the file cannot be read to its end. */
async function marksOf(
  connection: DuckDBConnection,
  file: string,
): Promise<Readonly<Record<string, string>> | null> {
  try {
    await connection.run(fill(wholeSql, { file }));
    const reader = await connection.runAndReadAll(fill(marksSql, { file }));
    return Object.fromEntries(reader.getRowsJS().map(([key, value]) => [String(key), String(value)]));
  } catch {
    // DuckDB's reason is of no help: this is no file that a writer completed, or it was changed since.
    return null;
  }
}

async function convertDate(
  connection: DuckDBConnection,
  { directory, table, now }: Conversion,
  date: Day,
): Promise<readonly Action[]> {
  const old = [join(directory, oldFile(date))];
  const write = (target: string) =>
    connection.run(fill(convertSql, { files: old, target, row_group: ROW_GROUP_ROWS }));
  const partition = { date: formatDay(date) };
  const adds = await writeFiles(table, connection, [{ partition, write }], now);
  const rows = adds.reduce((sum, add) => sum + statsOf(add).numRecords, 0);
  const fresh = adds.map(table.pathOf);
  if (fresh.length > 0) {
    const reader = await connection.runAndReadAll(fill(compareSql, { old, fresh }));
    const [total, lost] = reader.getRowsJS()[0] as [number, number];
    if (total !== rows || lost !== 0)
      throw new Error(
        `converting ${formatDay(date)} would turn ${total} quotes into ${rows}, ${lost} of them lost: nothing was changed`,
      );
  }
  return adds.map((add) => ({ add }));
}

/** Also what a writer of the first layout left unfinished. The files that mark an unfinished conversion are removed last. */
function removeOld(directory: string, dates: readonly Day[]): void {
  const folders = dateFolders(directory).map((date) => `${INTRADAY_FOLDER}/date=${formatDay(date)}`);
  for (const folder of [INTRADAY_FOLDER, ...folders]) {
    for (const name of readdirSync(join(directory, folder)))
      if (/^\.(quotes\.parquet|manifest\.json)-.*\.tmp$/.test(name)) rmSync(join(directory, folder, name));
  }
  for (const date of dates) rmSync(join(directory, oldFile(date)), { force: true });
  for (const folder of folders) syncPath(join(directory, folder));
  for (const name of [OLD_MANIFEST, CONVERTING]) rmSync(join(directory, name), { force: true });
  syncPath(join(directory, INTRADAY_FOLDER));
}
