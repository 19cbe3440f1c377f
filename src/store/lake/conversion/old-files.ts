/** The files of a lake of the first layout: their manifest, their verification, and their removal. */

import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Coverage } from "#domain/intake/reading.ts";
import { parseDay } from "#domain/time/day.ts";
import { LakeDamaged, sha256Of } from "#store/delta/damage.ts";
import { type OldManifest, readOldManifest } from "#store/delta/old-manifest.ts";
import { namesIn, syncPath } from "#store/disk/durable.ts";
import marksSql from "#store/lake/sql/convert/old-marks.sql" with { type: "text" };
import { fill, withEngine } from "#store/parquet/engine.ts";

const MANIFEST = "manifest.json";
const PENDING = ".commit-pending";

export interface OldFile {
  /** Relative to the lake's directory. */
  readonly path: string;
  readonly table: "daily" | "revisions" | "held";
  /** Null for the table without partitions. */
  readonly source: DailySource | null;
  readonly year: number;
}

/** Null when there is none. Throws LakeDamaged. */
export const readManifest = (directory: string) =>
  readOldManifest(join(directory, MANIFEST), (read): { readonly coverage: readonly Coverage[] } => ({
    coverage: read.coverage.map((entry: Record<string, string>) => {
      const coveredThrough = parseDay(entry["covered_through"] as string);
      if (coveredThrough === null) throw new Error("not a day");
      const retrievedAt = Date.parse(entry["retrieved_at"] as string);
      return { source: entry["source"] as DailySource, coveredThrough, retrievedAt };
    }),
  }));

/** `real` or `simulated`, by the manifest or by what every file was marked with; undefined for a lake without files. */
export async function oldModeOf(directory: string): Promise<string | undefined> {
  const manifest = readManifest(directory);
  if (manifest !== null) return manifest.mode;
  const files = oldFiles(directory).map(({ path }) => join(directory, path));
  if (files.length === 0) return undefined;
  const rows = await withEngine(directory, async (connection) =>
    (await connection.runAndReadAll(fill(marksSql, { files }))).getRowObjectsJS(),
  );
  return rows[0]?.["mode"] as string | undefined;
}

export function oldFiles(directory: string): readonly OldFile[] {
  const files: OldFile[] = [];
  for (const [folder, name, table] of [
    ["daily", "rates.parquet", "daily"],
    ["superseded", "revisions.parquet", "revisions"],
  ] as const) {
    for (const source of DAILY_SOURCES) {
      for (const entry of namesIn(join(directory, folder, `source=${source}`)).toSorted()) {
        const year = /^year=(\d{4})$/.exec(entry)?.[1];
        const path = `${folder}/source=${source}/${entry}/${name}`;
        if (year !== undefined && existsSync(join(directory, path)))
          files.push({ path, table, source, year: Number(year) });
      }
    }
  }
  const held = "held/held.parquet";
  if (existsSync(join(directory, held))) files.push({ path: held, table: "held", source: null, year: 0 });
  return files;
}

const ADVICE =
  "Restore it from a backup. To go on without it, delete it and manifest.json: the rest is converted, and what the authority still publishes is collected again";

/**
 * Rejects with LakeDamaged for a file that does not match the manifest. A writer that died during a commit left files
 * ahead of it: then their content is not compared, because the files were the truth.
 */
export async function verifyOld(
  directory: string,
  files: readonly OldFile[],
  manifest: OldManifest | null,
): Promise<void> {
  if (manifest === null) return;
  for (const path of manifest.digests.keys()) {
    if (!existsSync(join(directory, path)))
      throw new LakeDamaged(join(directory, path), `is missing. ${ADVICE}`);
  }
  if (existsSync(join(directory, PENDING))) return;
  for (const { path } of files) {
    const found = await sha256Of(join(directory, path));
    if (found !== manifest.digests.get(path))
      throw new LakeDamaged(
        join(directory, path),
        `is not what manifest.json says (SHA-256 ${found}). ${ADVICE}`,
      );
  }
}

/** The manifest is removed last: until then a repetition finds it and continues. */
export function removeOld(directory: string): void {
  for (const { path } of oldFiles(directory)) rmSync(join(directory, path), { force: true });
  for (const name of ["superseded", ".served"])
    rmSync(join(directory, name), { recursive: true, force: true });
  for (const name of [PENDING, ".columns.cache"]) rmSync(join(directory, name), { force: true });
  for (const path of leftovers(directory)) rmSync(path, { force: true });
  for (const source of DAILY_SOURCES) {
    const root = join(directory, "daily", `source=${source}`);
    // Years without a current figure have no file in the new layout.
    for (const year of namesIn(root)) if (namesIn(join(root, year)).length === 0) rmdirSync(join(root, year));
    if (existsSync(root)) syncPath(root);
  }
  rmSync(join(directory, MANIFEST), { force: true });
  syncPath(directory);
}

/** Temporary files that writers of the first layout left behind when they died. */
function leftovers(directory: string): readonly string[] {
  const years = DAILY_SOURCES.flatMap((source) => {
    const root = join(directory, "daily", `source=${source}`);
    return namesIn(root).map((year) => join(root, year));
  });
  return [directory, join(directory, "held"), ...years].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => /^\..*\.tmp$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Whether files of the first layout are there. A few system calls where there are none. */
export function isOldLake(directory: string): boolean {
  const named = ["manifest.json", "superseded", "held/held.parquet"];
  if (named.some((name) => existsSync(join(directory, name)))) return true;
  // Their manifest may have been lost.
  return DAILY_SOURCES.some((source) => {
    const root = join(directory, "daily", `source=${source}`);
    return (
      existsSync(root) && readdirSync(root).some((year) => existsSync(join(root, year, "rates.parquet")))
    );
  });
}
