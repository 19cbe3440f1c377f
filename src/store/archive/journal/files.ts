/** The archive's working files, behind dots: the journal's segments with their length notes, and the locks. */

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkWord } from "#domain/text/check-word.ts";
import { namesIn } from "#store/disk/durable.ts";

/** Folder in the lake's directory. */
export const INTRADAY_FOLDER = "intraday";
export const JOURNAL_FOLDER = `${INTRADAY_FOLDER}/.journal`;
export const OWNER_LOCK = `${JOURNAL_FOLDER}/.owner.sqlite`;
export const FILES_LOCK = `${INTRADAY_FOLDER}/.writer.sqlite`;

/** Numbers of the journal's segments on disk, ascending. */
export function segmentsOnDisk(directory: string): readonly number[] {
  return numbersOf(directory, /^(\d+)\.log$/);
}

/** `intraday/.journal/0000000042.log`, relative to the lake's directory. */
export function segmentFile(number: number): string {
  return `${JOURNAL_FOLDER}/${String(number).padStart(10, "0")}.log`;
}

/**
 * Digits of the note beside a segment, `0000000042.length`: how many of its bytes are durable. Without it a line that a crash cut
 * short cannot be distinguished from one that was cut off later. Every note has this length, so that a newer one covers the
 * older one in one write. It is not flushed: after a power cut it may name fewer bytes than the segment has, never more.
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
        // The note before it, or none: then less is known, and nothing wrong.
      }
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** Bytes that were durable; null where it is not known. */
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

/** Segments that have a note, ascending. */
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

/** The note is removed first: one without its segment means that the segment was lost. */
export function removeSegment(directory: string, segment: number): void {
  removeNote(directory, segment);
  rmSync(join(directory, segmentFile(segment)), { force: true });
}

function noteFile(directory: string, segment: number): string {
  return join(directory, segmentFile(segment).replace(/\.log$/, ".length"));
}

function noteOf(bytes: number): string {
  const digits = String(bytes).padStart(DIGITS, "0");
  return `${digits} ${checkWord(digits)}\n`;
}
