/** The intraday table as a stranger reads it: its log by the Delta protocol, with nothing of the product. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

export interface LoggedFile {
  /** Relative to the table. */
  readonly path: string;
  readonly date: string;
  readonly size: number;
  readonly rows: number;
  readonly sha256: string;
}

interface LogEntry {
  readonly add?: {
    readonly path: string;
    readonly partitionValues: Record<string, string>;
    readonly size: number;
    readonly stats: string;
    readonly tags: Record<string, string>;
  };
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

/** The files of the newest version by ascending date, from the newest checkpoint and the commits after it. */
export async function filesInLog(directory: string): Promise<readonly LoggedFile[]> {
  const entries: LogEntry[] = [];
  const last = join(logFolder(directory), "_last_checkpoint");
  const checkpoint = existsSync(last) ? JSON.parse(readFileSync(last, "utf8")).version : -1;
  if (checkpoint >= 0) entries.push(...(await checkpointEntries(directory, checkpoint)));
  for (const version of versionsIn(directory).filter((one) => one > checkpoint))
    entries.push(...entriesOf(directory, version));
  const files = new Map<string, LoggedFile>();
  for (const { add, remove } of entries) {
    if (remove !== undefined) files.delete(remove.path);
    if (add === undefined) continue;
    files.set(add.path, {
      path: add.path,
      date: add.partitionValues["date"] as string,
      size: Number(add.size),
      rows: JSON.parse(add.stats).numRecords,
      sha256: add.tags["sha256"] as string,
    });
  }
  return [...files.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** What one commit says, without its last line. */
export function entriesOf(directory: string, version: number): readonly LogEntry[] {
  const text = readFileSync(join(logFolder(directory), `${String(version).padStart(20, "0")}.json`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function checkpointEntries(directory: string, version: number): Promise<readonly LogEntry[]> {
  const path = join(logFolder(directory), `${String(version).padStart(20, "0")}.checkpoint.parquet`);
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    const read = await connection.runAndReadAll(`
      SELECT to_json({path: add.path, size: add.size, stats: add.stats, date: add.partitionValues['date'],
        sha256: add.tags['sha256']})::VARCHAR
      FROM read_parquet('${path}') WHERE add IS NOT NULL`);
    return read.getRowsJS().map(([text]) => {
      const { date, sha256, ...add } = JSON.parse(String(text));
      return { add: { ...add, partitionValues: { date }, tags: { sha256 } } };
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Absolute path of the one data file that a date has. */
export async function partOf(directory: string, date: string): Promise<string> {
  const [file, ...others] = (await filesInLog(directory)).filter((one) => one.date === date);
  if (file === undefined || others.length > 0) throw new Error(`${date} has ${others.length} files`);
  return join(directory, "intraday", file.path);
}

function currentOf(directory: string, date: string): string {
  return join(directory, "current/intraday", `date=${date}`, "quotes.parquet");
}

/** Throws where a file is not what the log says, or `current/` has not exactly the files of the table. */
export async function checkFiles(directory: string): Promise<void> {
  const files = await filesInLog(directory);
  for (const { path, date, size, sha256 } of files) {
    for (const name of [join(directory, "intraday", path), currentOf(directory, date)]) {
      const bytes = readFileSync(name);
      const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      if (bytes.length !== size || digest !== sha256) throw new Error(`${name} is not what the log says`);
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
