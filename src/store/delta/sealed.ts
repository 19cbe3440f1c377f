/** Files of the log are JSON lines that end with the SHA-256 of everything before it: damage to any byte is detected. */

import { readFileSync } from "node:fs";
import type { Action } from "./actions.ts";
import { LakeDamaged } from "./damage.ts";
import type { Commit } from "./snapshot.ts";

const END = '"}}\n';
const DIGEST_LENGTH = 64;

/** Completes a text that ends with `"sha256":"` inside the second-innermost object of its last line. */
export function seal(text: string): string {
  return `${text}${sha256(text)}${END}`;
}

export function isSealed(text: string): boolean {
  const digestStart = text.length - END.length - DIGEST_LENGTH;
  if (digestStart < 0 || !text.endsWith(END)) return false;
  return text.slice(digestStart, -END.length) === sha256(text.slice(0, digestStart));
}

/** This program's own facts in the last line of a commit or checkpoint. */
interface LastLine {
  readonly timestamp: number;
  readonly table: string;
  readonly version: number;
}

/**
 * Reads a commit or checkpoint. Throws LakeDamaged when it is missing, damaged, or of another version or table; a
 * `table` of null accepts any.
 */
export function readSealed(
  path: string,
  lastName: "commitInfo" | "checkpoint",
  version: number,
  table: string | null,
): Commit {
  const text = textAt(path);
  if (text === null) throw new LakeDamaged(path, "is missing");
  return parseSealed(text, path, lastName, version, table);
}

/** Reads a commit or checkpoint from its text; `path` names it in errors. */
export function parseSealed(
  text: string,
  path: string,
  lastName: "commitInfo" | "checkpoint",
  version: number,
  table: string | null,
): Commit {
  if (!isSealed(text)) throw new LakeDamaged(path, "is damaged, or was not written by Crossrate");
  const lines = text.slice(0, -1).split("\n");
  const last = (JSON.parse(lines.pop() as string) as Record<string, LastLine>)[lastName];
  if (last === undefined || last.version !== version || (table !== null && last.table !== table))
    throw new LakeDamaged(path, "is of another version or another table");
  return {
    version,
    timestamp: last.timestamp,
    actions: lines.map((line) => JSON.parse(line) as Action),
  };
}

/** Returns null without a file. */
export function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
