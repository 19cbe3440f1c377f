/** What the archive's files hold of a window, by the manifest: enough to name an export of it and to tell its size. */

import { createHash } from "node:crypto";
import { type Day, dayAt, type Instant } from "#domain/day.ts";
import type { ArchiveState } from "#ports.ts";
import { dateOfFile } from "./layout.ts";
import { readIntradayManifest } from "./manifest.ts";

/** Whole dates: the first and last may hold quotes outside of the window. */
export function windowState(directory: string, from: Instant, to: Instant): ArchiveState {
  const [first, last] = [dayAt(from), dayAt(to - 1)];
  const digest = createHash("sha256");
  let quotes = 0;
  const dates: Day[] = [];
  for (const { path, sha256, rows } of readIntradayManifest(directory)?.files ?? []) {
    const date = dateOfFile(path);
    if (date === null || date < first || date > last) continue;
    digest.update(`${path} ${sha256}\n`);
    quotes += rows;
    dates.push(date);
  }
  return { version: digest.digest("hex").slice(0, 16), quotes, dates: spanOf(dates) };
}

function spanOf(ascending: readonly Day[]): ArchiveState["dates"] {
  const [first, last] = [ascending[0], ascending.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}
