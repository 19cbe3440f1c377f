/** Working files of the intraday archive, behind dots: the journal and the locks. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folder in the lake's directory. */
export const INTRADAY_FOLDER = "intraday";
export const JOURNAL_FOLDER = `${INTRADAY_FOLDER}/.journal`;
export const OWNER_LOCK = `${JOURNAL_FOLDER}/.owner.sqlite`;
export const FILES_LOCK = `${INTRADAY_FOLDER}/.writer.sqlite`;

/** Numbers of the journal's segments on disk, ascending. */
export function segmentsOnDisk(directory: string): readonly number[] {
  return names(join(directory, JOURNAL_FOLDER))
    .map((name) => /^(\d+)\.log$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** `intraday/.journal/0000000042.log`, relative to the lake's directory. */
export function segmentFile(number: number): string {
  return `${JOURNAL_FOLDER}/${String(number).padStart(10, "0")}.log`;
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
