/** Segments that an earlier process left: every whole line is a quote, a torn end was never acknowledged, anything else is told. */

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { replaceFile } from "#store/lake/durable.ts";
import type { Tell } from "#telemetry.ts";
import { segmentFile, segmentsOnDisk } from "./layout.ts";
import type { PendingSegment } from "./pending.ts";
import { parseLine } from "./quote-line.ts";

/**
 * What the segments on disk hold, oldest first. A broken line before an intact one is damage to what was durable: the
 * segment is then kept beside as `.damaged`, and told.
 */
export async function recoverSegments(
  directory: string,
  tell: Tell | undefined,
): Promise<readonly PendingSegment[]> {
  const segments: PendingSegment[] = [];
  for (const number of segmentsOnDisk(directory)) {
    const path = join(directory, segmentFile(number));
    const { quotes, broken } = readSegment(readFileSync(path, "utf8"));
    if (broken > 0) {
      await replaceFile(path.replace(/\.log$/, ".damaged"), (temporary) => copyFileSync(path, temporary));
      const detail = `${broken} lines of the journal's segment ${number} are damaged; a copy of it was kept`;
      tell?.({ kind: "lake_repaired", detail });
    }
    segments.push({ number, quotes });
  }
  return segments;
}

/** `broken` counts lines that are not whole and have a whole one after them. */
export function readSegment(text: string): {
  readonly quotes: readonly LiveQuote[];
  readonly broken: number;
} {
  const quotes: LiveQuote[] = [];
  let [broken, doubtful] = [0, 0];
  const lines = text.split("\n");
  // What follows the last end of line is an append cut short, or nothing.
  lines.pop();
  for (const line of lines) {
    const quote = parseLine(line);
    if (quote === null) {
      doubtful += 1;
      continue;
    }
    quotes.push(quote);
    broken += doubtful;
    doubtful = 0;
  }
  return { quotes, broken };
}
