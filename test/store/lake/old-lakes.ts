/** Lakes of the first layout for the tests of their conversion, and what is in them by DuckDB alone. */

import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { loggedFiles, query } from "./sample.ts";

const ROOT = join(import.meta.dir, "old-layout");

/** What a fourth commit wrote before its writer died; see the README beside the files. */
export const DEATHS = {
  "before its first file": [],
  "after one superseded file": ["superseded/source=ecb_daily"],
  "between superseded and current files": ["superseded"],
  "after some current files": ["superseded", "daily/source=ecb_daily"],
  "after all current files": ["superseded", "daily"],
  "before the manifest": ["superseded", "daily", "held"],
} as const;

export type Death = keyof typeof DEATHS;

/** A copy of the old lake; with a death, as the writer of the next commit left it. */
export function oldLake(death: Death | null = null): string {
  const directory = temporaryDirectory();
  cpSync(join(ROOT, "lake"), directory, { recursive: true });
  if (death === null) return directory;
  for (const path of [...DEATHS[death], ".commit-pending"])
    cpSync(join(ROOT, "next", path), join(directory, path), { recursive: true });
  return directory;
}

/** Every path below a directory with its bytes' digest, working files of locks left out. */
export function filesIn(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith(".writer.sqlite")) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(directory.length + 1), Bun.hash(readFileSync(path)).toString(36));
  }
  return new Map([...found].sort());
}

/** Paths of the first layout that are there. */
export function oldPaths(directory: string): string[] {
  const names = ["manifest.json", ".commit-pending", "superseded", ".served", "held/held.parquet"];
  const daily = new Bun.Glob("daily/*/*/{rates.parquet,.*}").scanSync({ cwd: directory, dot: true });
  return [...names.filter((name) => existsSync(join(directory, name))), ...daily];
}

const FIGURE = `source, date, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
  revision, document, document_sha256`;
const COLUMNS = {
  daily: FIGURE,
  superseded: `${FIGURE}, superseded_at, why, superseded_by`,
  held: `source, date, base, quote, value, printed, decimals, observed_at, published_at, retrieved_at, document,
    document_sha256, rule, reason`,
};

export interface Rows {
  readonly daily: readonly string[];
  readonly superseded: readonly string[];
  readonly held: readonly string[];
}

/** Every row with every column, of a lake of the first layout. */
export async function oldRows(directory: string): Promise<Rows> {
  const files = (pattern: string) =>
    Array.from(new Bun.Glob(pattern).scanSync(directory), (path) => join(directory, path));
  return {
    daily: await rowsOf("daily", files("daily/*/*/rates.parquet")),
    superseded: await rowsOf("superseded", files("superseded/*/*/revisions.parquet")),
    held: await rowsOf("held", files("held/held.parquet")),
  };
}

/** The same of Delta tables, by their logs. */
export async function newRows(directory: string): Promise<Rows> {
  return {
    daily: await rowsOf("daily", loggedFiles(directory, "daily")),
    superseded: await rowsOf("superseded", loggedFiles(directory, "revisions")),
    held: await rowsOf("held", loggedFiles(directory, "held")),
  };
}

async function rowsOf(table: keyof Rows, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const list = files.map((path) => `'${path}'`).join(", ");
  const rows = await query(
    `SELECT ${COLUMNS[table]} FROM read_parquet([${list}], hive_partitioning = ${table !== "held"}, union_by_name = true)`,
  );
  return rows.map((row) => JSON.stringify(row)).sort();
}
