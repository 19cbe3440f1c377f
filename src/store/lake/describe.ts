/** What the manifest says of a data file: rows, bytes, digest, date range and value range, read from the file itself. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fill, withEngine } from "./engine.ts";
import type { ManifestFile } from "./manifest.ts";
import describeSql from "./sql/describe-files.sql" with { type: "text" };

interface Described {
  readonly path: string;
  readonly rows: number;
  readonly first_date: string;
  readonly last_date: string;
  readonly least: number | null;
  readonly greatest: number | null;
}

/** Entries for files given relative to the directory; a file without rows has no ranges. */
export async function describeFiles(
  directory: string,
  paths: readonly string[],
): Promise<readonly ManifestFile[]> {
  if (paths.length === 0) return [];
  const absolute = paths.map((path) => join(directory, path));
  const described = await withEngine(directory, async (connection) => {
    const reader = await connection.runAndReadAll(fill(describeSql, { files: absolute }));
    return new Map(
      (reader.getRowObjectsJS() as unknown as Described[]).map((entry) => [entry.path, entry] as const),
    );
  });
  return paths.map((path) => {
    const bytes = readFileSync(join(directory, path));
    const entry = described.get(join(directory, path));
    return {
      path,
      rows: entry?.rows ?? 0,
      bytes: bytes.byteLength,
      sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
      dates: entry === undefined ? null : { first: entry.first_date, last: entry.last_date },
      values:
        entry === undefined || entry.least === null || entry.greatest === null
          ? null
          : { least: entry.least, greatest: entry.greatest },
    };
  });
}
