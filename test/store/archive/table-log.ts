/** The intraday table by its log, its files and `current/` as they lie on disk. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 as digestOf } from "#domain/chain/entry.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openTable } from "#store/delta/table.ts";

export interface LoggedFile {
  /** Relative to the table. */
  readonly path: string;
  readonly date: string;
  readonly size: number;
  readonly rows: number;
  readonly sha256: string;
}

interface LogEntry {
  readonly add?: { readonly path: string; readonly partitionValues: Record<string, string> };
  readonly remove?: { readonly path: string };
}

function logFolder(directory: string): string {
  return join(directory, "intraday/_delta_log");
}

/** Versions that have a commit in the log, ascending. */
export function versionsIn(directory: string): readonly number[] {
  return readdirSync(logFolder(directory))
    .map((name) => /^(\d{20})\.json$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The files of the newest version by ascending date. */
export function filesInLog(directory: string): readonly LoggedFile[] {
  const files = openTable(directory, INTRADAY, "real").latest()?.files.values() ?? [];
  return [...files]
    .map(({ path, partitionValues, size, stats, tags: { sha256 } }) => {
      return {
        path,
        date: String(partitionValues["date"]),
        size,
        rows: JSON.parse(stats).numRecords,
        sha256,
      };
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** What one commit says, without its last line. */
export function entriesOf(directory: string, version: number): readonly LogEntry[] {
  const text = readFileSync(join(logFolder(directory), `${String(version).padStart(20, "0")}.json`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Absolute path of the one data file that a date has. */
export function partOf(directory: string, date: string): string {
  const [file, ...others] = filesInLog(directory).filter((one) => one.date === date);
  if (file === undefined || others.length > 0) throw new Error(`${date} has ${others.length} files`);
  return join(directory, "intraday", file.path);
}

function currentOf(directory: string, date: string): string {
  return join(directory, "current/intraday", `date=${date}`, "quotes.parquet");
}

/** Throws where a file is not what the log says, or `current/` has not exactly the files of the table. */
export function checkFiles(directory: string): void {
  const files = filesInLog(directory);
  for (const { path, date, size, sha256 } of files) {
    for (const name of [join(directory, "intraday", path), currentOf(directory, date)]) {
      const bytes = readFileSync(name);
      if (bytes.length !== size || digestOf(bytes) !== sha256)
        throw new Error(`${name} is not what the log says`);
    }
  }
  const current = join(directory, "current/intraday");
  const there = existsSync(current) ? readdirSync(current, { recursive: true }).map(String) : [];
  const named = there.filter((name) => name.includes("/")).sort();
  const wanted = files.map(({ date }) => `date=${date}/quotes.parquet`);
  if (named.join() !== wanted.join()) throw new Error(`current/ has ${named.join()} for ${wanted.join()}`);
}

/** Every data file below the table, of whatever version, relative to it. */
export function partsOnDisk(directory: string): readonly string[] {
  const folder = join(directory, "intraday");
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /part-.*\.parquet$/.test(name))
    .sort();
}
