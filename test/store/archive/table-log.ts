/** The intraday table by its log, its files and `current/` as they lie on disk. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 as digestOf } from "#domain/chain/entry.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openTable } from "#store/delta/table.ts";

const newest = (directory: string) => openTable(directory, INTRADAY, "real").latest();

export function versionOf(directory: string): number {
  return newest(directory)?.version ?? -1;
}

/** The files of the newest version by ascending date; paths are relative to the table. */
export function filesInLog(directory: string) {
  return [...(newest(directory)?.files.values() ?? [])]
    .map(({ path, partitionValues, size, stats, tags: { sha256 } }) => {
      const rows: number = JSON.parse(stats).numRecords;
      return { path, date: String(partitionValues["date"]), size, rows, sha256 };
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

export function partOf(directory: string, date: string): string {
  const [file, ...others] = filesInLog(directory).filter((one) => one.date === date);
  if (file === undefined || others.length > 0) throw new Error(`${date} has ${others.length} files`);
  return join(directory, "intraday", file.path);
}

/** Throws where a file is not what the log says, or `current/` has not exactly the files of the table. */
export function checkFiles(directory: string): void {
  const current = join(directory, "current/intraday");
  const wanted: string[] = [];
  for (const { path, date, size, sha256 } of filesInLog(directory)) {
    const name = `date=${date}/quotes.parquet`;
    wanted.push(name);
    for (const one of [join(directory, "intraday", path), join(current, name)]) {
      const bytes = readFileSync(one);
      if (bytes.length !== size || digestOf(bytes) !== sha256)
        throw new Error(`${one} is not what the log says`);
    }
  }
  const there = existsSync(current) ? filesBelow(current, "*/*") : [];
  if (there.join() !== wanted.join()) throw new Error(`current/ has ${there.join()} for ${wanted.join()}`);
}

/** Every data file below the table, of whatever version, relative to it. */
export function partsOnDisk(directory: string): readonly string[] {
  return filesBelow(join(directory, "intraday"), "**/part-*.parquet");
}

function filesBelow(folder: string, pattern: string): readonly string[] {
  return Array.from(new Bun.Glob(pattern).scanSync({ cwd: folder, dot: true })).sort();
}
