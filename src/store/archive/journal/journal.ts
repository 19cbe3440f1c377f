/** The append-only journal makes a quote durable with one fdatasync, long before the Parquet files have it. */

import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import { openLengthNote, segmentFile } from "./files.ts";
import { formatLine, keyOf } from "./quote-line.ts";

export type Journal = ReturnType<typeof openJournal>;

interface Waiting {
  readonly quotes: readonly LiveQuote[];
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
}

interface Segment {
  readonly number: number;
  readonly handle: FileHandle;
  readonly note: ReturnType<typeof openLengthNote>;
  /** Everything up to this length is durable. */
  goodBytes: number;
  /** Is true when the file may have bytes beyond `goodBytes`. */
  hasRubbish: boolean;
}

/** Opens a journal that begins with segment `firstNumber`; durable quotes are added to `pending`. */
export function openJournal(directory: string, firstNumber: number, pending: Pending) {
  let nextNumber = firstNumber;
  let segment: Segment | null = null;
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  const current = async (): Promise<Segment> => {
    if (segment !== null) return segment;
    const number = nextNumber;
    nextNumber += 1;
    const path = join(directory, segmentFile(number));
    makeFolder(dirname(path));
    const handle = await open(path, "wx");
    try {
      syncPath(dirname(path));
    } catch (fault) {
      await handle.close();
      throw fault;
    }
    segment = { number, handle, note: openLengthNote(directory, number), goodBytes: 0, hasRubbish: false };
    return segment;
  };

  const write = async (quotes: readonly LiveQuote[]): Promise<void> => {
    const fresh = withoutRepetitions(quotes, pending);
    if (fresh.length === 0) return;
    const target = await current();
    if (target.hasRubbish) await truncate(target);
    const bytes = new TextEncoder().encode(fresh.map((quote) => `${formatLine(quote)}\n`).join(""));
    target.hasRubbish = true;
    try {
      await writeAll(target.handle, bytes, target.goodBytes);
      await target.handle.datasync();
    } catch (fault) {
      // Refused quotes must not come back with the next start. When this fails too, the next append tries again first.
      await truncate(target).catch(() => {});
      throw fault;
    }
    target.goodBytes += bytes.length;
    target.hasRubbish = false;
    target.note.write(target.goodBytes);
    pending.add(target.number, fresh);
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        await write(group.flatMap(({ quotes }) => quotes));
        for (const { resolve } of group) resolve();
      } catch (fault) {
        for (const { reject } of group) reject(fault);
      }
    }
    running = null;
  };

  const settle = async () => {
    while (running !== null) await running;
  };

  const seal = async () => {
    await settle();
    const sealed = segment;
    segment = null;
    const beyond = nextNumber;
    if (sealed?.hasRubbish) await truncate(sealed).catch(() => {});
    sealed?.note.close();
    await sealed?.handle.close();
    return beyond;
  };

  return {
    /** Resolves when the quotes are on the disk. Quotes that wait for a running sync share the next one. */
    append: (quotes: readonly LiveQuote[]) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ quotes, resolve, reject });
        // Runs after the current turn: appends of one turn go together.
        running ??= Promise.resolve().then(run);
      }),
    /** Ends the segment after the appends that have begun. Resolves with the lowest number that a later segment can have. */
    seal,
    close: async () => void (await seal()),
  };
}

/** Cuts off what is beyond the durable length. */
async function truncate(segment: Segment): Promise<void> {
  await segment.handle.truncate(segment.goodBytes);
  await segment.handle.datasync();
  segment.hasRubbish = false;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

function withoutRepetitions(quotes: readonly LiveQuote[], pending: Pending): readonly LiveQuote[] {
  const seen = new Set<string>();
  return quotes.filter((quote) => {
    const key = keyOf(quote);
    if (seen.has(key) || pending.knows(key)) return false;
    seen.add(key);
    return true;
  });
}

export interface PendingSegment {
  readonly number: number;
  readonly quotes: readonly LiveQuote[];
}

export type Pending = ReturnType<typeof newPending>;

export function newPending() {
  let segments = new Map<number, readonly LiveQuote[]>();
  let recent = new Set<string>();
  let earlier = new Set<string>();
  return {
    add: (number: number, quotes: readonly LiveQuote[]): void => {
      segments.set(number, [...(segments.get(number) ?? []), ...quotes]);
      for (const quote of quotes) recent.add(keyOf(quote));
    },
    /** Returns whether a quote of this key was added since the flush before the last one. Repetitions come soon or not at all. */
    knows: (key: string) => recent.has(key) || earlier.has(key),
    has: (key: string) =>
      [...segments.values()].some((quotes) => quotes.some((quote) => keyOf(quote) === key)),
    /** Returns a copy: later additions do not change it. */
    snapshot: (): readonly PendingSegment[] => [...segments].map(([number, quotes]) => ({ number, quotes })),
    /** Forgets everything: another process may own the journal from now on. */
    clear: (): void => {
      [segments, recent, earlier] = [new Map(), new Set(), new Set()];
    },
    /** Forgets segments when the Parquet files have all their quotes. */
    drop: (numbers: readonly number[]): void => {
      segments = new Map([...segments].filter(([number]) => !numbers.includes(number)));
      earlier = recent;
      // Pending quotes stay in it, however many flushes fail.
      recent = new Set([...segments.values()].flatMap((quotes) => quotes.map(keyOf)));
    },
  };
}
