/** Where things lie in a lake: documented paths, working files, and the listing of what is there. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DAILY_SOURCES, type DailySource } from "#domain/source.ts";

/** Tables partitioned by source and year: the folder, and the one file in each partition. */
export const PARTITIONED = { daily: "rates.parquet", superseded: "revisions.parquet" } as const;
export type PartitionedTable = keyof typeof PARTITIONED;

export const HELD_FILE = "held/held.parquet";
export const MANIFEST_FILE = "manifest.json";
/** Working files: none of them matches a documented pattern. */
export const LOCK_FILE = ".writer.sqlite";
export const PENDING_FILE = ".commit-pending";
export const CACHE_FILE = ".columns.cache";
export const SERVED_FOLDER = ".served";

export interface Partition {
  readonly source: DailySource;
  readonly year: number;
}

/** `daily/source=ecb_daily/year=2026/rates.parquet`, relative to the lake's directory. */
export function partitionFile(table: PartitionedTable, { source, year }: Partition): string {
  return `${table}/source=${source}/year=${year}/${PARTITIONED[table]}`;
}

/** The existing partitions of a table, ordered by source (as in DAILY_SOURCES) and year. */
export function partitionsOf(directory: string, table: PartitionedTable): readonly Partition[] {
  const found: Partition[] = [];
  for (const source of DAILY_SOURCES) {
    const folder = join(directory, table, `source=${source}`);
    for (const name of names(folder)) {
      const year = /^year=(\d{4})$/.exec(name)?.[1];
      if (year !== undefined && names(join(folder, name)).includes(PARTITIONED[table])) {
        found.push({ source, year: Number(year) });
      }
    }
  }
  return found.sort(
    (a, b) => DAILY_SOURCES.indexOf(a.source) - DAILY_SOURCES.indexOf(b.source) || a.year - b.year,
  );
}

/** Every data file that exists, relative to the directory, in a fixed order. */
export function dataFiles(directory: string): readonly string[] {
  const files: string[] = [];
  for (const table of ["daily", "superseded"] as const) {
    for (const partition of partitionsOf(directory, table)) files.push(partitionFile(table, partition));
  }
  if (names(join(directory, "held")).includes("held.parquet")) files.push(HELD_FILE);
  return files;
}

/** Temporary files that a writer left behind when it died, relative to the directory. */
export function leftovers(directory: string): readonly string[] {
  const folders = ["", "held"];
  for (const table of ["daily", "superseded"] as const) {
    for (const source of names(join(directory, table))) {
      for (const year of names(join(directory, table, source))) folders.push(`${table}/${source}/${year}`);
    }
  }
  return folders.flatMap((folder) =>
    names(join(directory, folder))
      .filter((name) => /^\..*\.tmp$/.test(name))
      .map((name) => join(folder, name)),
  );
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
