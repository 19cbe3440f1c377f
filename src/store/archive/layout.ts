/** Where the intraday archive lies in the lake: one Parquet file a date, a manifest, and working files behind a dot. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Day, formatDay, parseDay } from "#domain/day.ts";

/** Folder in the lake's directory. */
export const INTRADAY_FOLDER = "intraday";
export const QUOTES_FILE = "quotes.parquet";
export const INTRADAY_MANIFEST = `${INTRADAY_FOLDER}/manifest.json`;
/** Working files: none of them matches a documented pattern. */
export const JOURNAL_FOLDER = `${INTRADAY_FOLDER}/.journal`;
export const OWNER_LOCK = `${JOURNAL_FOLDER}/.owner.sqlite`;
export const FILES_LOCK = `${INTRADAY_FOLDER}/.writer.sqlite`;

/** `intraday/date=2026-03-02/quotes.parquet`, relative to the lake's directory. */
export function dateFile(date: Day): string {
  return `${INTRADAY_FOLDER}/date=${formatDay(date)}/${QUOTES_FILE}`;
}

/** The date of a path made by `dateFile`, else null. */
export function dateOfFile(path: string): Day | null {
  const text = /^intraday\/date=(\d{4}-\d{2}-\d{2})\/quotes\.parquet$/.exec(path)?.[1];
  return text === undefined ? null : parseDay(text);
}

/** Dates that have a file, from `from` to `to` inclusive, ascending. */
export function datesWithFile(directory: string, from = -Infinity, to = Infinity): readonly Day[] {
  const dates: Day[] = [];
  for (const name of names(join(directory, INTRADAY_FOLDER))) {
    if (!name.startsWith("date=")) continue;
    const date = parseDay(name.slice("date=".length));
    if (date !== null && date >= from && date <= to && identityOf(directory, date) !== null) dates.push(date);
  }
  return dates.sort((a, b) => a - b);
}

/**
 * What tells one version of a date's file from every other, or null without a file. Files are replaced, never
 * edited, and a rename keeps all three: so a temporary file already has the identity it will have in place.
 */
export function identityOf(directory: string, date: Day): string | null {
  return identityAt(join(directory, dateFile(date)));
}

/** `identityOf` for any path. */
export function identityAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

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

/** Temporary files that a writer left behind when it died, relative to the lake's directory. */
export function leftoversOf(directory: string): readonly string[] {
  const folders = [
    INTRADAY_FOLDER,
    ...names(join(directory, INTRADAY_FOLDER))
      .filter((name) => name.startsWith("date="))
      .map((name) => `${INTRADAY_FOLDER}/${name}`),
  ];
  return folders.flatMap((folder) =>
    names(join(directory, folder))
      .filter((name) => /^\..*\.tmp$/.test(name))
      .map((name) => `${folder}/${name}`),
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
