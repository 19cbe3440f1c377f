/** `whole-reads.json`: the last read of each daily source's whole history, which a restart then does not repeat. */

import { existsSync, readFileSync } from "node:fs";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { WholeRead } from "#domain/intake/reading.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { replaceText } from "./durable.ts";

export type WholeReads = Partial<Record<DailySource, WholeRead>>;

/** The file was not written by this product. It has only times: deleting it is safe. */
class WholeReadsDamaged extends Error {
  constructor(path: string) {
    super(`${path} is damaged and is replaced`);
    this.name = "WholeReadsDamaged";
  }
}

/** Returns the content of the file; empty without one. Throws WholeReadsDamaged, or the file system's fault. */
export function readWholeReads(path: string): WholeReads {
  if (!existsSync(path)) return {};
  const content = parsed(readFileSync(path, "utf8"));
  if (content === null) throw new WholeReadsDamaged(path);
  const reads: WholeReads = {};
  for (const source of DAILY_SOURCES) {
    const entry = content[source];
    if (entry === undefined) continue;
    const readAt = entry.read_at === null ? null : instantOf(entry.read_at);
    const dueAt = instantOf(entry.due_at);
    if (dueAt === null || (readAt === null && entry.read_at !== null)) throw new WholeReadsDamaged(path);
    reads[source] = { readAt, dueAt };
  }
  return reads;
}

/** Resolves when the file is durable. */
export async function writeWholeReads(path: string, reads: WholeReads): Promise<void> {
  const entries = Object.entries(reads).map(([source, { readAt, dueAt }]) => [
    source,
    { read_at: readAt === null ? null : formatInstant(readAt), due_at: formatInstant(dueAt) },
  ]);
  await replaceText(path, `${JSON.stringify(Object.fromEntries(entries))}\n`);
}

type Content = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function parsed(text: string): Content | null {
  try {
    const content: unknown = JSON.parse(text);
    const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject(content) && Object.values(content as object).every(isObject)
      ? (content as Content)
      : null;
  } catch {
    // Not JSON: the caller names the file.
    return null;
  }
}

function instantOf(text: unknown): Instant | null {
  const instant = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}
