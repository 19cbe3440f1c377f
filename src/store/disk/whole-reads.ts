/** `whole-reads.json`: the last read of each daily source's whole history, which a restart then does not repeat. */

import { existsSync, readFileSync } from "node:fs";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { WholeRead } from "#domain/intake/reading.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { replaceText } from "./durable.ts";

export type WholeReads = Partial<Record<DailySource, WholeRead>>;

/** Returns the content of the file; empty without a file. Throws when it is damaged: the next write replaces it. */
export function readWholeReads(path: string): WholeReads {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, "utf8");
  try {
    const content = JSON.parse(text) as Partial<
      Record<DailySource, { read_at: string | null; due_at: string }>
    >;
    const reads: WholeReads = {};
    for (const source of DAILY_SOURCES) {
      const entry = content[source];
      if (entry === undefined) continue;
      const readAt = entry.read_at === null ? null : instantOf(entry.read_at);
      reads[source] = { readAt, dueAt: instantOf(entry.due_at) };
    }
    return reads;
  } catch (cause) {
    throw new Error(`${path} is damaged and is replaced`, { cause });
  }
}

/** Resolves when the file is durable. */
export async function writeWholeReads(path: string, reads: WholeReads): Promise<void> {
  const entries = Object.entries(reads).map(([source, { readAt, dueAt }]) => [
    source,
    { read_at: readAt === null ? null : formatInstant(readAt), due_at: formatInstant(dueAt) },
  ]);
  await replaceText(path, `${JSON.stringify(Object.fromEntries(entries))}\n`);
}

function instantOf(text: string): Instant {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new RangeError(`${text} is no instant`);
  return instant;
}
