/** intraday/manifest.json: the archive file by file. Written last, replaced atomically, made again from the files when lost or behind. */

import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "#domain/day.ts";
import { replaceText } from "#store/lake/durable.ts";
import { fill } from "#store/lake/engine.ts";
import type { Mode } from "#store/lake/manifest.ts";
import { dateFile, datesWithFile, INTRADAY_MANIFEST, identityAt, leftoversOf } from "./layout.ts";
import describeSql from "./sql/describe-quotes.sql" with { type: "text" };
import marksSql from "./sql/quote-marks.sql" with { type: "text" };

/** Version of paths, columns, types, order and marks. */
export const INTRADAY_FORMAT = 2;

export interface IntradayFile {
  /** Relative to the lake's directory: `intraday/date=2026-03-02/quotes.parquet`. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Null when the file has no rows. */
  readonly observed: { readonly first: string; readonly last: string } | null;
}

export interface IntradayManifest {
  readonly format: number;
  readonly mode: Mode;
  /** Grows with every change of the files. */
  readonly sequence: number;
  /** Ascending by path, which is ascending by date. */
  readonly files: readonly IntradayFile[];
}

/** The manifest read last, by directory: it is replaced, never edited, and three years of it are 300 kB of JSON. */
const known = new Map<string, { readonly identity: string; readonly manifest: IntradayManifest | null }>();

/** Null when there is none or when it cannot be understood: then the files speak. */
export function readIntradayManifest(directory: string): IntradayManifest | null {
  const identity = identityAt(join(directory, INTRADAY_MANIFEST)) ?? "none";
  const before = known.get(directory);
  if (before?.identity === identity) return before.manifest;
  const manifest = parseManifest(directory);
  known.set(directory, { identity, manifest });
  return manifest;
}

function parseManifest(directory: string): IntradayManifest | null {
  let text: string;
  try {
    text = readFileSync(join(directory, INTRADAY_MANIFEST), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const read = JSON.parse(text) as IntradayManifest;
    if (!Number.isSafeInteger(read.sequence) || !Array.isArray(read.files)) return null;
    if (read.mode !== "real" && read.mode !== "simulated") return null;
    return read;
  } catch {
    return null;
  }
}

/** Durable when it resolves. */
export async function writeIntradayManifest(
  directory: string,
  mode: Mode,
  sequence: number,
  files: readonly IntradayFile[],
): Promise<IntradayManifest> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = { format: INTRADAY_FORMAT, mode, sequence, files: sorted };
  await replaceText(join(directory, INTRADAY_MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

/** True when the manifest names exactly the files that exist, with their sizes. */
export function describesDates(directory: string, manifest: IntradayManifest): boolean {
  const dates = datesWithFile(directory);
  if (dates.length !== manifest.files.length) return false;
  const sizes = new Map(manifest.files.map(({ path, bytes }) => [path, bytes]));
  return dates.every((date) => {
    const path = dateFile(date);
    return sizes.get(path) === statSync(join(directory, path), { throwIfNoEntry: false })?.size;
  });
}

/** Cheap enough for every change: is there a trace of a dead writer, or a file the manifest does not speak of? */
export function needsMending(directory: string): boolean {
  if (leftoversOf(directory).length > 0) return true;
  const manifest = readIntradayManifest(directory);
  return manifest === null || !describesDates(directory, manifest);
}

/** Manifest entries of the dates' files, read from the files themselves. */
export async function describeDates(
  connection: DuckDBConnection,
  directory: string,
  dates: readonly Day[],
): Promise<readonly IntradayFile[]> {
  if (dates.length === 0) return [];
  const files = dates.map((date) => join(directory, dateFile(date)));
  const reader = await connection.runAndReadAll(fill(describeSql, { files }));
  const rows = reader.getRowObjectsJS() as { path: string; rows: number; first: string; last: string }[];
  const found = new Map(rows.map((row) => [row.path, row]));
  const entries: IntradayFile[] = [];
  for (const date of dates) {
    const path = dateFile(date);
    const content = await readFile(join(directory, path));
    const row = found.get(join(directory, path));
    entries.push({
      path,
      rows: row?.rows ?? 0,
      bytes: content.byteLength,
      sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
      observed: row === undefined ? null : { first: row.first, last: row.last },
    });
  }
  return entries;
}

/** The marks in the files of the dates: mode, sequence and format by path; a foreign file has none. */
export async function marksOfDates(
  connection: DuckDBConnection,
  directory: string,
  dates: readonly Day[],
): Promise<ReadonlyMap<Day, Readonly<Record<string, string>>>> {
  const marks = new Map<Day, Record<string, string>>(dates.map((date) => [date, {}]));
  if (dates.length === 0) return marks;
  const byPath = new Map(dates.map((date) => [join(directory, dateFile(date)), date]));
  const reader = await connection.runAndReadAll(fill(marksSql, { files: [...byPath.keys()] }));
  for (const row of reader.getRowObjectsJS() as { path: string; key: string; value: string }[]) {
    const of = marks.get(byPath.get(row.path) as Day);
    if (of !== undefined) of[row.key] = row.value;
  }
  return marks;
}
