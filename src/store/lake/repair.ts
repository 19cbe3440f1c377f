/** After a writer died: the manifest made again from the files, and superseded rows that still stand taken back out. */

import { join } from "node:path";
import type { Coverage } from "#domain/collection.ts";
import { describeFiles } from "./describe.ts";
import { fill, withEngine } from "./engine.ts";
import { dataFiles, partitionsOf } from "./layout.ts";
import { type Manifest, type Mode, manifestOf, readManifest, writeManifest } from "./manifest.ts";
import marksSql from "./sql/file-marks.sql" with { type: "text" };
import settleSql from "./sql/settle.sql" with { type: "text" };
import withdrawalsSql from "./sql/withdrawals-table.sql" with { type: "text" };
import { loadStored, type Marks, writeSettled } from "./write.ts";

/**
 * Brings the manifest up to the files, which are the truth; a new lake gets its first one. Resolves with what was
 * done, one sentence, or null when nothing was wrong. The caller holds the lock.
 */
export async function repair(directory: string, mode: Mode): Promise<string | null> {
  const manifest = readManifest(directory);
  const files = dataFiles(directory);
  if (manifest === null && files.length === 0) {
    await writeManifest(directory, manifestOf(mode, 0, [], []));
    return null;
  }
  const marks = await marksOf(directory, files, manifest, mode);
  await takeBackStanding(directory, marks);
  const described = await describeFiles(directory, dataFiles(directory));
  // Coverage only says how far documents spoke: without a manifest it is learned again from the next one.
  const coverage: readonly Coverage[] = manifest?.coverage ?? [];
  await writeManifest(directory, manifestOf(marks.mode, marks.sequence, coverage, described));
  return `the manifest was made again from ${described.length} files`;
}

/** A sequence above everything any file or manifest has seen, so that no version is ever used twice. */
async function marksOf(
  directory: string,
  files: readonly string[],
  manifest: Manifest | null,
  mode: Mode,
): Promise<Marks> {
  if (files.length === 0) return { mode: manifest?.mode ?? mode, sequence: (manifest?.sequence ?? 0) + 1 };
  const absolute = files.map((path) => join(directory, path));
  const rows = await withEngine(directory, async (connection) =>
    (await connection.runAndReadAll(fill(marksSql, { files: absolute }))).getRowObjectsJS(),
  );
  const found = (key: string) => rows.filter((row) => row["key"] === key).map((row) => String(row["value"]));
  const written = found("crossrate_mode")[0];
  const sequences = found("crossrate_sequence").map(Number);
  return {
    mode: manifest?.mode ?? (written === "simulated" || written === "real" ? written : mode),
    sequence: Math.max(manifest?.sequence ?? 0, ...sequences) + 1,
  };
}

/** A writer that died between the two files of a partition leaves the old row in both: it still stands, so it goes from superseded. */
async function takeBackStanding(directory: string, marks: Marks): Promise<void> {
  const partitions = partitionsOf(directory, "superseded");
  if (partitions.length === 0) return;
  await withEngine(directory, async (connection) => {
    await connection.run(withdrawalsSql);
    for (const partition of partitions) {
      await loadStored(connection, directory, [partition]);
      await connection.run(settleSql);
      await writeSettled(connection, directory, marks, { daily: false });
    }
  });
}
