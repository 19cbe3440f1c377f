/** What the collecting process refuses now, as a small file beside the releases: how the operator's command sees it. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RefusedQuote } from "#domain/live/refused.ts";
import type { Instant } from "#domain/time/day.ts";
import { replaceText } from "#store/disk/durable.ts";

export interface RefusedList {
  /** When the collecting process last wrote it: at each change. */
  readonly at: Instant;
  readonly refused: readonly RefusedQuote[];
}

const VERSION = 1;

function pathOf(dataDir: string): string {
  return join(dataDir, "live", "refused.json");
}

/** Replaces the list; durable when this resolves. */
export function writeRefused(dataDir: string, { at, refused }: RefusedList): Promise<void> {
  return replaceText(pathOf(dataDir), `${JSON.stringify({ version: VERSION, at, refused })}\n`);
}

/** Null where no process has collected yet, or another release's did. Throws when the file is no JSON. */
export function readRefused(dataDir: string): RefusedList | null {
  const path = pathOf(dataDir);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const { version, at, refused } = JSON.parse(readFileSync(path, "utf8")) as RefusedList & {
    version: number;
  };
  return version === VERSION ? { at, refused } : null;
}
