/** Copies of an archive of the first layout, and what must be true of them once they are converted. */

import { expect } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { segmentsOnDisk } from "#store/archive/journal/files.ts";
import { readSegment } from "#store/archive/journal/recovery.ts";
import { compareQuotes } from "#store/archive/quotes.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, leaveSegment, lineOf, stored } from "./sample.ts";
import { checkFiles } from "./table-log.ts";
import { openTemporary } from "./temporary.ts";

export const OLD = join(import.meta.dir, "old-layout");
const JOURNAL = readFileSync(join(OLD, "journal.txt"), "utf8");
export const QUOTES = readSegment(readFileSync(join(OLD, "quotes.txt"), "utf8")).quotes.toSorted(
  compareQuotes,
);
export const IN_JOURNAL = readSegment(JOURNAL).quotes.length;
export const ALL = [0, at("2026-04-01T00:00:00Z")] as const;
export const DATES = ["2025-11-03", "2026-03-02", "2026-03-03"] as const;

/** A lake with the old archive in it, and what was left in its journal. */
export function oldArchive(directory = temporaryDirectory()): string {
  cpSync(join(OLD, "lake"), directory, { recursive: true });
  leaveSegment(directory, 5, JOURNAL);
  return directory;
}

export function oldFile(directory: string, date: string): string {
  return join(directory, `intraday/date=${date}/quotes.parquet`);
}

interface Manifest {
  sequence: number;
  mode: string;
  files: { path: string; sha256: string }[];
}

export function changeManifest(directory: string, change: (manifest: Manifest) => void): void {
  const path = join(directory, "intraday/manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  change(manifest);
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Files of the old layout that are there, the manifest among them. */
export function oldFilesIn(directory: string): readonly string[] {
  return readdirSync(join(directory, "intraday"), { recursive: true })
    .map(String)
    .filter((name) => /quotes\.parquet|manifest\.json/.test(name))
    .sort();
}

/** Every byte below the directory but locks. */
export function contentOf(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".sqlite"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(name).toString("base64")]));
}

export async function expectConverted(
  directory: string,
  quotes: readonly LiveQuote[] = QUOTES,
): Promise<void> {
  const archive = await openTemporary(directory);
  expect(await archive.quotes(...ALL)).toEqual(quotes);
  expect(oldFilesIn(directory)).toEqual([]);
  expect(segmentsOnDisk(directory)).toEqual([]);
  expect([...(await stored(directory))].sort()).toEqual(quotes.map(lineOf).sort());
  await checkFiles(directory);
  await archive.close();
}
