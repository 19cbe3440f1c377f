/** The archive's working files, which begin with a dot: the journal's segments, their length notes, and the locks. */

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "#store/disk/durable.ts";

export const INTRADAY_FOLDER = "intraday";
export const JOURNAL_FOLDER = `${INTRADAY_FOLDER}/.journal`;
export const OWNER_LOCK = `${JOURNAL_FOLDER}/.owner.sqlite`;
export const FILES_LOCK = `${INTRADAY_FOLDER}/.writer.sqlite`;

/** Returns the numbers of the segments on disk, ascending. */
export function segmentsOnDisk(directory: string): readonly number[] {
  return numbersOf(directory, /^(\d+)\.log$/);
}

/** Returns a path such as `intraday/.journal/0000000042.log`, relative to the lake's directory. */
export function segmentFile(number: number): string {
  return `${JOURNAL_FOLDER}/${String(number).padStart(10, "0")}.log`;
}

/**
 * Digits of the note `0000000042.length`, which says how many bytes of its segment are durable. It separates a line that
 * a crash cut short from one that was damaged later. All notes have this length: a newer one overwrites the older one in
 * one write. Notes are not flushed; after a power cut a note may say too few bytes, never too many.
 */
const DIGITS = 16;

/** A note that cannot be written is no reason to refuse quotes. */
export function openLengthNote(directory: string, segment: number) {
  let descriptor: number | null = null;
  return {
    write: (bytes: number) => {
      try {
        descriptor ??= openSync(noteFile(directory, segment), "w");
        writeSync(descriptor, noteOf(bytes), 0);
      } catch {
        // The older note stays, or the segment has no note. Both are safe.
      }
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** Returns the durable bytes; null without a note. */
export function notedLength(directory: string, segment: number): number | null {
  let text: string;
  try {
    text = readFileSync(noteFile(directory, segment), "latin1");
  } catch {
    return null;
  }
  const bytes = Number(text.slice(0, DIGITS));
  return Number.isSafeInteger(bytes) && text === noteOf(bytes) ? bytes : null;
}

export function notedSegments(directory: string): readonly number[] {
  return numbersOf(directory, /^(\d+)\.length$/);
}

function numbersOf(directory: string, pattern: RegExp): readonly number[] {
  return namesIn(join(directory, JOURNAL_FOLDER))
    .map((name) => pattern.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

export function removeNote(directory: string, segment: number): void {
  rmSync(noteFile(directory, segment), { force: true });
}

/** The note is removed first: a note without its segment means a lost segment. */
export function removeSegment(directory: string, segment: number): void {
  removeNote(directory, segment);
  rmSync(join(directory, segmentFile(segment)), { force: true });
}

function noteFile(directory: string, segment: number): string {
  return join(directory, segmentFile(segment).replace(/\.log$/, ".length"));
}

function noteOf(bytes: number): string {
  const digits = String(bytes).padStart(DIGITS, "0");
  return `${digits} ${Bun.hash.crc32(digits).toString(16).padStart(8, "0")}\n`;
}
