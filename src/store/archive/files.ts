/** Changes of the archive's files: alone under the lock, on a mended state, the manifest brought up at the end. */

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Day } from "#domain/day.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { removeFile, syncPath } from "#store/lake/durable.ts";
import type { Mode } from "#store/lake/manifest.ts";
import type { Tell } from "#telemetry.ts";
import { type CompactedDate, type Compaction, compactDates } from "./compact.ts";
import type { Engine } from "./engine.ts";
import { dateFile, dateOfFile, datesWithFile, INTRADAY_FOLDER, leftoversOf } from "./layout.ts";
import {
  describeDates,
  describesDates,
  type IntradayFile,
  type IntradayManifest,
  marksOfDates,
  readIntradayManifest,
  writeIntradayManifest,
} from "./manifest.ts";
import { datesOf, mergeQuotes } from "./merge.ts";

export interface FilesContext {
  readonly directory: string;
  readonly mode: Mode;
  readonly engine: Engine;
  readonly tell: Tell | undefined;
}

/** Removes unfinished files and makes the manifest speak of what is there. Resolves with it. */
export async function mend({ directory, mode, engine, tell }: FilesContext): Promise<IntradayManifest> {
  const stale = leftoversOf(directory);
  for (const path of stale) rmSync(join(directory, path), { force: true });
  if (stale.length > 0) tell?.({ kind: "lake_repaired", detail: `removed ${stale.length} unfinished files` });
  const manifest = readIntradayManifest(directory);
  if (manifest !== null && describesDates(directory, manifest)) return manifest;
  const dates = datesWithFile(directory);
  if (manifest === null && dates.length === 0) return await writeIntradayManifest(directory, mode, 0, []);

  const kept = new Map((manifest?.files ?? []).map((file) => [file.path, file]));
  const unknown = dates.filter(
    (date) => kept.get(dateFile(date))?.bytes !== Bun.file(join(directory, dateFile(date))).size,
  );
  const rebuilt = await engine.use(async (connection) => {
    const marks = [...(await marksOfDates(connection, directory, unknown)).values()];
    const sequences = marks.map((of) => Number(of["crossrate_sequence"] ?? 0));
    for (const file of await describeDates(connection, directory, unknown)) kept.set(file.path, file);
    const files = dates.flatMap((date) => kept.get(dateFile(date)) ?? []);
    // Above everything any file or manifest has seen, so that no sequence is ever used twice.
    const sequence = Math.max(manifest?.sequence ?? 0, ...sequences) + 1;
    const written = marks.map((of) => of["crossrate_mode"]).find((of) => of === "real" || of === "simulated");
    const found = manifest?.mode ?? (written as Mode | undefined) ?? mode;
    return await writeIntradayManifest(directory, found, sequence, files);
  });
  tell?.({
    kind: "lake_repaired",
    detail: `the intraday manifest was made again for ${unknown.length} files`,
  });
  return rebuilt;
}

/** Adds quotes to the files of their dates; resolves with how many were new to them. */
export async function merge(
  context: FilesContext,
  quotes: readonly LiveQuote[],
  journal: number,
): Promise<number> {
  const { directory, engine } = context;
  const manifest = await mend(context);
  return await engine.use(async (connection) => {
    const marks = { mode: manifest.mode, sequence: manifest.sequence + 1, journal };
    const added = await mergeQuotes(connection, directory, quotes, marks);
    // Dates without news, too: a writer that died after the rename left them to be described.
    await publish(directory, manifest, await describeDates(connection, directory, datesOf(quotes)));
    return [...added.values()].reduce((sum, rows) => sum + rows, 0);
  });
}

/** See `compactDates`. */
export async function compact(
  context: FilesContext,
  compaction: Compaction,
): Promise<readonly CompactedDate[]> {
  const { directory, engine } = context;
  const manifest = await mend(context);
  return await engine.use(async (connection) => {
    const marks = { mode: manifest.mode, sequence: manifest.sequence + 1 };
    const compacted = await compactDates(connection, directory, compaction, marks);
    const dates = compacted.map(({ date }) => date);
    await publish(directory, manifest, await describeDates(connection, directory, dates));
    return compacted;
  });
}

/** Removes the files of dates before `first`, except `spared` ones; resolves with the dates removed. */
export async function removeBefore(
  context: FilesContext,
  first: Day,
  spared: ReadonlySet<Day>,
): Promise<readonly Day[]> {
  const { directory } = context;
  const manifest = await mend(context);
  const removed = datesWithFile(directory, -Infinity, first - 1).filter((date) => !spared.has(date));
  for (const date of removed) {
    const path = join(directory, dateFile(date));
    removeFile(path);
    rmSync(dirname(path), { recursive: true, force: true });
  }
  if (removed.length === 0) return [];
  syncPath(join(directory, INTRADAY_FOLDER));
  const isKept = ({ path }: IntradayFile) => !removed.includes(dateOfFile(path) ?? Number.NaN);
  await writeIntradayManifest(directory, manifest.mode, manifest.sequence + 1, manifest.files.filter(isKept));
  return removed;
}

/** Writes the manifest with these entries in place of the old ones of their files, if any differs. */
async function publish(
  directory: string,
  manifest: IntradayManifest,
  described: readonly IntradayFile[],
): Promise<void> {
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  const differs = described.some(
    ({ path, sha256, rows }) => files.get(path)?.sha256 !== sha256 || files.get(path)?.rows !== rows,
  );
  if (!differs) return;
  for (const file of described) files.set(file.path, file);
  await writeIntradayManifest(directory, manifest.mode, manifest.sequence + 1, [...files.values()]);
}
