/** `whole-reads.json`: when each daily source's whole history was last read, which a restart then does not repeat. */

import { readFileSync } from "node:fs";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { type WholeRead, wholeReadAt } from "#domain/intake/reading.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { replaceText } from "./durable.ts";

export type WholeReads = Partial<Record<DailySource, WholeRead>>;

/** Empty without the file, and where it is damaged: the histories are then read again. */
export function readWholeReads(path: string): WholeReads {
  const reads: WholeReads = {};
  try {
    const content = JSON.parse(readFileSync(path, "utf8"));
    for (const source of DAILY_SOURCES) {
      const readAt = Date.parse(content[source]);
      if (!Number.isNaN(readAt)) reads[source] = wholeReadAt(readAt);
    }
  } catch {}
  return reads;
}

/** Resolves when the file is durable. */
export async function noteWholeRead(path: string, source: DailySource, readAt: Instant): Promise<void> {
  const reads = Object.entries({ ...readWholeReads(path), [source]: { readAt } });
  const entries = reads.map(([name, read]) => [name, formatInstant(read.readAt)]);
  await replaceText(path, `${JSON.stringify(Object.fromEntries(entries))}\n`);
}
