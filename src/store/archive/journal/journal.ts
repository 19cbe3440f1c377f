/** The append-only journal makes a quote durable with one fdatasync, long before the Parquet files have it. A start reads the segments of an earlier process. */

import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { sha256 } from "#domain/chain/entry.ts";
import type { ArchivedQuote, LiveQuote } from "#domain/live/live-quote.ts";
import { makeFolder, namesIn, numbersIn, syncPath } from "#store/disk/durable.ts";
import type { Emit } from "#telemetry.ts";

export const INTRADAY_FOLDER = "intraday";
export const JOURNAL_FOLDER = `${INTRADAY_FOLDER}/.journal`;
export const OWNER_LOCK = `${JOURNAL_FOLDER}/.owner.sqlite`;
export const FILES_LOCK = `${INTRADAY_FOLDER}/.writer.sqlite`;

/** Returns the numbers of the segments on disk, ascending. */
export function segmentsOnDisk(directory: string): readonly number[] {
  return numbersIn(namesIn(join(directory, JOURNAL_FOLDER)), /^(\d+)\.log$/);
}

/** Returns a path such as `intraday/.journal/0000000042.log`, relative to the lake's directory. */
export function segmentFile(number: number): string {
  return `${JOURNAL_FOLDER}/${String(number).padStart(10, "0")}.log`;
}

export function removeSegment(directory: string, segment: number): void {
  rmSync(join(directory, segmentFile(segment)), { force: true });
}

export type Journal = ReturnType<typeof openJournal>;

interface Segment {
  readonly number: number;
  readonly handle: FileHandle;
  /** Everything up to this length is durable. */
  goodBytes: number;
  /** True when the file may have bytes beyond `goodBytes`. */
  hasRubbish: boolean;
}

/** Opens a journal that begins with segment `firstNumber`; durable quotes are added to `pending`. */
export function openJournal(directory: string, firstNumber: number, pending: Pending) {
  let nextNumber = firstNumber;
  let segment: Segment | null = null;
  const inTurn = pLimit(1);

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
    segment = { number, handle, goodBytes: 0, hasRubbish: false };
    return segment;
  };

  const write = async (quotes: readonly LiveQuote[]): Promise<void> => {
    const fresh = quotes.filter((quote) => !pending.has(quote));
    if (fresh.length === 0) return;
    const target = await current();
    if (target.hasRubbish) await truncate(target);
    const bytes = new TextEncoder().encode(fresh.map((quote) => `${formatLine(quote)}\n`).join(""));
    target.hasRubbish = true;
    try {
      await writeAll(target.handle, bytes, target.goodBytes);
      await target.handle.datasync();
    } catch (fault) {
      // Refused quotes must not come back at the next start. When this fails too, the next append truncates first.
      await truncate(target).catch(() => {});
      throw fault;
    }
    target.goodBytes += bytes.length;
    target.hasRubbish = false;
    pending.add(target.number, fresh);
  };

  const seal = async (): Promise<number> => {
    const sealed = segment;
    segment = null;
    if (sealed?.hasRubbish) await truncate(sealed).catch(() => {});
    await sealed?.handle.close();
    return nextNumber;
  };

  return {
    /** Resolves when the quotes are on the disk. */
    append: (quotes: readonly LiveQuote[]) => inTurn(() => write(quotes)),
    /** Ends the segment after the appends that have begun. Resolves with the lowest number that a later segment can have. */
    seal: () => inTurn(seal),
  };
}

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

interface PendingQuote {
  readonly segment: number;
  readonly quote: LiveQuote;
}

export type Pending = ReturnType<typeof newPending>;

/** The quotes in the journal, each once: of those with the same key the first counts. */
export function newPending() {
  const entries = new Map<string, PendingQuote>();
  return {
    add: (segment: number, quotes: readonly LiveQuote[]): void => {
      for (const quote of quotes) {
        const key = keyOf(quote);
        if (!entries.has(key)) entries.set(key, { segment, quote });
      }
    },
    has: (quote: ArchivedQuote) => entries.has(keyOf(quote)),
    /** Returns a copy: later additions do not change it. */
    snapshot: (): readonly PendingQuote[] => [...entries.values()],
    /** Forgets everything: another process may own the journal from now on. */
    clear: (): void => entries.clear(),
    drop: (isDone: (segment: number) => boolean): void => {
      for (const [key, { segment }] of entries) if (isDone(segment)) entries.delete(key);
    },
  };
}

interface RecoveredSegment {
  readonly number: number;
  readonly quotes: readonly LiveQuote[];
}

/**
 * Returns the quotes in the segments on disk, oldest first. A damaged segment gives its intact lines, is reported, and
 * stays beside the journal under a second name that nothing removes.
 */
export function recoverSegments(directory: string, emit: Emit | undefined): readonly RecoveredSegment[] {
  const segments: RecoveredSegment[] = [];
  for (const number of segmentsOnDisk(directory)) {
    const bytes = bytesOf(directory, number);
    const { quotes, broken } = readSegment(bytes.toString("latin1"));
    if (broken > 0) {
      const aside = linkAside(directory, number, bytes);
      const lines = broken === 1 ? "1 line is damaged" : `${broken} lines are damaged`;
      emit?.({
        kind: "lake_damaged",
        detail: `${segmentFile(number)}: ${lines}; the other ${quotes.length} were read. Damaged lines that were being written when the power went had not been accepted, and are no loss; quotes of others are lost unless a backup of the file has them. The file is kept as ${aside}: delete it when it is no longer needed`,
      });
    }
    segments.push({ number, quotes });
  }
  return segments;
}

/** Throws with the file's name when the disk cannot read it: without a decision of the operator its quotes would be lost. */
function bytesOf(directory: string, number: number): Buffer {
  const path = join(directory, segmentFile(number));
  try {
    return readFileSync(path);
  } catch (fault) {
    throw new Error(`${path} cannot be read: copy what is left of it, move it away, and start again`, {
      cause: fault,
    });
  }
}

/** Gives a damaged segment a second name: a link needs no space. It has a digest, because segment numbers are reused. */
function linkAside(directory: string, number: number, content: Uint8Array): string {
  const segment = segmentFile(number);
  const aside = segment.replace(/\.log$/, `-${sha256(content).slice(0, 12)}.damaged`);
  const to = join(directory, aside);
  if (existsSync(to)) return aside;
  const temporary = `${to}.tmp`;
  rmSync(temporary, { force: true });
  linkSync(join(directory, segment), temporary);
  syncPath(temporary);
  renameSync(temporary, to);
  syncPath(dirname(to));
  return aside;
}

/** `broken` counts damaged lines, but no last line that a crash cut short. `text` has one character per byte. */
export function readSegment(text: string): {
  readonly quotes: readonly LiveQuote[];
  readonly broken: number;
} {
  const quotes: LiveQuote[] = [];
  let broken = 0;
  const lines = text.split("\n");
  // The part after the last line end is empty, or an append that was cut short.
  const end = lines.pop() ?? "";
  for (const line of lines) {
    const quote = parseLine(line);
    if (quote === null) broken += 1;
    else quotes.push(quote);
  }
  // A whole line with a wrong line end is damaged, not cut short.
  if (end !== "" && parseLine(end.slice(0, -1)) !== null) broken += 1;
  return { quotes, broken };
}

// ── One quote as one line ────────────────────────────────────────────────────────────────────────

/** Returns the identity of a quote: a repeated append adds nothing. */
function keyOf({ feed, base, quote, observedAt, retrievedAt }: ArchivedQuote): string {
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt}`;
}

/** Returns `crc32 feed base quote observed retrieved bid ask mid` without the line end; `-` means no bid or ask. The checksum comes first: an incomplete line is never taken for a quote. */
export function formatLine(quote: LiveQuote): string {
  const content = `${keyOf(quote)} ${quote.bid ?? "-"} ${quote.ask ?? "-"} ${quote.mid}`;
  return `${checksumOf(content)} ${content}`;
}

/** Returns null when the line is not exactly what was written. */
function parseLine(line: string): LiveQuote | null {
  const content = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksumOf(content)) return null;
  const fields = content.split(" ");
  // The checksum of nothing is zero: a line with only that is not a quote.
  if (fields.length !== 8) return null;
  const [feed, base, quote, observedAt, retrievedAt, bid, ask, mid] = fields;
  return {
    feed: feed as LiveQuote["feed"],
    base: base as LiveQuote["base"],
    quote: quote as LiveQuote["quote"],
    bid: bid === "-" ? null : (bid as string),
    ask: ask === "-" ? null : (ask as string),
    mid: mid as string,
    observedAt: Number(observedAt),
    retrievedAt: Number(retrievedAt),
  };
}

function checksumOf(content: string): string {
  return Bun.hash.crc32(content).toString(16).padStart(8, "0");
}
