/** Reads the segments of an earlier process. A whole line is a quote; a torn end was never acknowledged; anything else is damage. */

import { copyFileSync, existsSync, linkSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { replaceFile, syncPath } from "#store/disk/durable.ts";
import type { Emit } from "#telemetry.ts";
import { notedLength, notedSegments, removeNote, segmentFile, segmentsOnDisk } from "./files.ts";
import type { PendingSegment } from "./journal.ts";
import { parseLine } from "./quote-line.ts";

/**
 * Returns the quotes in the segments on disk, oldest first. A damaged segment gives its intact lines, is reported, and
 * stays beside the journal under a second name that nothing removes.
 */
export async function recoverSegments(
  directory: string,
  emit: Emit | undefined,
): Promise<readonly PendingSegment[]> {
  const segments: PendingSegment[] = [];
  const reportDamage = (detail: string) => emit?.({ kind: "lake_damaged", detail });
  const numbers = segmentsOnDisk(directory);
  for (const number of notedSegments(directory).filter((noted) => !numbers.includes(noted))) {
    const length = notedLength(directory, number) ?? 0;
    if (length > 0)
      reportDamage(
        `${segmentFile(number)} is missing: it had ${length} bytes, and the quotes in them are lost unless a backup has the file`,
      );
    // Reported once: the number is free for the next segment.
    removeNote(directory, number);
  }
  for (const number of numbers) {
    const bytes = readFileSync(join(directory, segmentFile(number)));
    const durable = notedLength(directory, number);
    const { quotes, broken } = readSegment(bytes.toString("latin1"), durable);
    const isShort = durable !== null && bytes.length < durable;
    if (broken > 0 || isShort) {
      const aside = await linkAside(directory, number, bytes);
      const lines = broken === 1 ? "1 line is damaged" : `${broken} lines are damaged`;
      const short = `it has ${bytes.length} of ${durable} bytes`;
      const faults = [...(isShort ? [short] : []), ...(broken > 0 ? [lines] : [])].join(", ");
      reportDamage(
        `${segmentFile(number)}: ${faults}, and the quotes in them are lost unless a backup of the file has them; the other ${quotes.length} were read. The file is kept as ${aside}: delete it when it is no longer needed`,
      );
    }
    segments.push({ number, quotes });
  }
  return segments;
}

/**
 * Gives a damaged segment a second name, relative to the lake's directory: a link, which needs no space on a full disk.
 * Segment numbers are reused, hence the digest of the content in the name.
 */
async function linkAside(directory: string, number: number, content: Uint8Array): Promise<string> {
  const segment = segmentFile(number);
  const digest = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const aside = segment.replace(/\.log$/, `-${digest.slice(0, 12)}.damaged`);
  const [from, to] = [join(directory, segment), join(directory, aside)];
  if (existsSync(to)) return aside;
  try {
    linkSync(from, to);
    syncPath(dirname(to));
  } catch {
    // The file system may have no links; any other fault appears again here.
    await replaceFile(to, (temporary) => copyFileSync(from, temporary));
  }
  return aside;
}

/** `broken` counts damaged lines. `text` has one character per byte; `durable` is null without a note. */
export function readSegment(
  text: string,
  durable: number | null = null,
): {
  readonly quotes: readonly LiveQuote[];
  readonly broken: number;
} {
  const quotes: LiveQuote[] = [];
  let broken = 0;
  const lines = text.split("\n");
  // After the last end of line comes an append cut short, or nothing.
  const end = lines.pop() ?? "";
  for (const line of lines) {
    const quote = parseLine(line);
    if (quote === null) broken += 1;
    else quotes.push(quote);
  }
  // A whole line with another end was not cut short; nor was a line that was durable as a whole.
  const isDamaged = durable !== null && text.length >= durable && text.length - end.length < durable;
  if (end !== "" && (isDamaged || parseLine(end.slice(0, -1)) !== null)) broken += 1;
  return { quotes, broken };
}
