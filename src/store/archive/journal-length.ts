/** How much of a segment is durable, noted beside it: `0000000042.length`. A line that a crash cut short and one that somebody cut off look alike without it. */

import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkWord } from "#domain/text/check-word.ts";
import { JOURNAL_FOLDER, segmentFile } from "./layout.ts";

/**
 * Always as long, so that a newer one covers the older one in one write. It is not flushed: after a power cut it may say
 * less than the segment has, never more.
 */
const DIGITS = 16;

export interface LengthNote {
  write(bytes: number): void;
  close(): void;
}

/** A note that cannot be written is no reason to refuse quotes. */
export function openLengthNote(directory: string, segment: number): LengthNote {
  let descriptor: number | null = null;
  return {
    write: (bytes) => {
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
  return readdirSync(join(directory, JOURNAL_FOLDER))
    .map((name) => /^(\d+)\.length$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

export function removeNote(directory: string, segment: number): void {
  rmSync(noteFile(directory, segment), { force: true });
}

/** The note goes first: one without its segment means that the segment was lost. */
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
