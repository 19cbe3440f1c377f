/** The signed history on disk: segments of lines, each named by its first sequence and made by put-if-absent. No line is ever removed. Beside them is the state from which a start reads on. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Entry, hashOf, readEntry, sha256 } from "#domain/chain/entry.ts";
import type { ChainState } from "#domain/chain/state.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { digitsOf, putIfAbsent, textAt } from "#store/delta/log.ts";
import type { HistoryStorage } from "#store/delta/storage.ts";
import { makeFolder, namesIn, numbersIn, replaceText } from "#store/disk/durable.ts";

export const CHAIN_FOLDER = "chain";

/** A line that is no entry: the history cannot be read beyond it. */
export class ChainUnreadable extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`${what}; crossrate verify names every fault of the signed history`);
    this.name = "ChainUnreadable";
    this.what = what;
  }
}

/** Small segments that are joined to one. */
const JOINED = 200;
/** The newest segments stay apart: a writer that has just listed the folder must find the next name taken. */
const LEFT_APART = 32;
/** A segment of this size is not joined again. */
const FULL_BYTES = 512 * 1024;

export interface Line {
  readonly entry: Entry;
  /** The stored text without its line end. */
  readonly line: string;
}

export type Segments = ReturnType<typeof openSegments>;

export const SEGMENT = /^(\d{20})\.ndjson$/;

export function segmentName(first: number): string {
  return `${digitsOf(first)}.ndjson`;
}

/** `lakeDirectory` is the lake's own. With storage, the folder is a copy. Nothing is made before the first append. */
export function openSegments(lakeDirectory: string, storage: HistoryStorage | null = null) {
  const folder = join(lakeDirectory, CHAIN_FOLDER);
  const pathOf = (first: number) => join(folder, segmentName(first));
  const nameOf = (first: number) => `${CHAIN_FOLDER}/${segmentName(first)}`;

  const firsts = () => numbersIn(namesIn(folder), SEGMENT);
  const textOf = (first: number): string | null => {
    try {
      return textAt(pathOf(first));
    } catch (fault) {
      throw fault instanceof LakeDamaged ? new ChainUnreadable(fault.what) : fault;
    }
  };

  /** Yields the entries from a sequence on, each once. A gap shows as a jump of the sequence. */
  function* linesFrom(sequence: number): Generator<Line> {
    let next = sequence;
    for (;;) {
      const all = firsts();
      const first = all.filter((sequence) => sequence <= next).at(-1) ?? all[0];
      if (first === undefined) return;
      const text = textOf(first);
      // Another process has just joined this segment to the one before.
      if (text === null) continue;
      const began = next;
      for (const line of linesIn(text, nameOf(first))) {
        if (line.entry.sequence < next) continue;
        yield line;
        next = line.entry.sequence + 1;
      }
      const later = all.find((sequence) => sequence > first);
      if (later === undefined && firsts().at(-1) === first) return;
      if (next === began && later !== undefined) next = Math.max(next, later);
    }
  }

  return {
    folder,
    linesFrom,
    /** Yields every stored line, also copies of one: a crash while segments are joined leaves the same line in two. */
    *everyLine(): Generator<Line> {
      for (const first of firsts()) {
        const text = textOf(first);
        if (text !== null) yield* linesIn(text, nameOf(first));
      }
    },
    *linesBackwards(): Generator<Line> {
      let before = Number.POSITIVE_INFINITY;
      for (const first of firsts().toReversed()) {
        const text = textOf(first);
        // This segment was joined to the one before, which has its lines.
        if (text === null) continue;
        for (const line of linesIn(text, nameOf(first)).toReversed()) {
          if (line.entry.sequence >= before) continue;
          yield line;
          before = line.entry.sequence;
        }
      }
    },
    /** Returns the first sequence of the newest segment; -1 without any. */
    last: () => firsts().at(-1) ?? -1,
    textOf,
    /** Makes a durable segment, in the storage first. Rejects with StorageAway, and CommitConflict when the sequence is taken. */
    append: async (lines: readonly string[], first: number): Promise<void> => {
      const text = lines.map((line) => `${line}\n`).join("");
      await storage?.put(first, text);
      makeFolder(folder);
      putIfAbsent(pathOf(first), text, storage !== null);
    },
    /** Takes segments of the storage into the copy, as one file under the first name. */
    take: (first: number, texts: readonly string[]): void => {
      makeFolder(folder);
      putIfAbsent(pathOf(first), texts.join(""), true);
    },
    /** Joins the small segments when they are many. The first of them gets all lines before the others go: no line is ever missing. */
    join: async (): Promise<void> => {
      const small: { readonly first: number; readonly text: string }[] = [];
      for (const first of firsts().slice(0, -LEFT_APART).reverse()) {
        const text = textOf(first) ?? "";
        if (Buffer.byteLength(text) >= FULL_BYTES) break;
        small.unshift({ first, text });
      }
      const [target] = small;
      if (target === undefined || small.length < JOINED) return;
      await replaceText(pathOf(target.first), small.map(({ text }) => text).join(""));
      for (const { first } of small.slice(1)) rmSync(pathOf(first), { force: true });
    },
  };
}

/** Reads the lines of a segment; `name` is for messages. Throws ChainUnreadable. */
export function linesIn(text: string, name: string): readonly Line[] {
  if (!text.endsWith("\n")) throw new ChainUnreadable(`${name} is cut off`);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => ({ line, entry: entryIn(line, name) }));
}

function entryIn(line: string, name: string): Entry {
  try {
    const entry = readEntry(JSON.parse(line));
    if (entry !== null) return entry;
  } catch {
    // Not JSON: named below.
  }
  throw new ChainUnreadable(`${name} has a line that is no entry`);
}

const STATE_FILE = ".state.json";

/** The state in a file, from which a start reads on. Without the file all entries are read. */
export function openSavedState(segments: Segments) {
  const path = join(segments.folder, STATE_FILE);
  return {
    /** Returns null without a state of this history. Throws ChainUnreadable. */
    read: (): ChainState | null => {
      const text = textAt(path);
      const saved = text === null ? null : stateIn(text);
      if (saved === null) return null;
      const [line] = segments.linesFrom(saved.sequence);
      // The state is of another history, or of one that was cut short: all entries are read.
      return line !== undefined && hashOf(line.entry) === saved.hash ? saved : null;
    },
    write: async (state: ChainState | null): Promise<void> => {
      const text = JSON.stringify(state);
      await replaceText(path, `${sha256(text)} ${text}\n`);
    },
  };
}

function stateIn(text: string): ChainState | null {
  const [digest, content] = [text.slice(0, 64), text.slice(65, -1)];
  return sha256(content) === digest ? (JSON.parse(content) as ChainState | null) : null;
}
