/** `installation.json`: which ledger belongs to a data directory. Beside a ledger that is gone it says that there was one. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkWord } from "#domain/text/check-word.ts";
import { replaceFile } from "#store/disk/durable.ts";

/** Not named like the ledger's files: what removes these by a pattern leaves it. */
export const MARK_FILE = "installation.json";

export interface Mark {
  /** The id that the ledger itself has. */
  readonly installation: string;
  readonly ledger: "sqlite" | "postgres";
  /** When this directory first had that ledger; ISO 8601. */
  readonly since: string;
}

/** Null: no ledger was ever made or used here, or only by a release that left no mark. `damaged`: there was one. */
export type FoundMark = Mark | "damaged" | null;

const ID = /^ins_\w{1,64}$/;
const LONGEST_FILE = 1024;

export function readMark(directory: string): FoundMark {
  let text: string;
  try {
    text = readFileSync(join(directory, MARK_FILE), "utf8");
  } catch (fault) {
    const { code } = fault as { code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw fault;
  }
  return markOf(text) ?? "damaged";
}

/** Durable when it resolves; for its owner only. */
export async function writeMark(directory: string, mark: Mark): Promise<void> {
  const { installation, ledger, since } = mark;
  const text = `${JSON.stringify({ installation, ledger, since, check: checkOf(mark) })}\n`;
  await replaceFile(join(directory, MARK_FILE), (temporary) =>
    writeFileSync(temporary, text, { mode: 0o600 }),
  );
}

function markOf(text: string): Mark | null {
  if (text.length > LONGEST_FILE) return null;
  let read: Partial<Record<string, unknown>>;
  try {
    read = JSON.parse(text) as Partial<Record<string, unknown>>;
  } catch {
    return null;
  }
  const { installation, ledger, since, check } = read;
  if (typeof installation !== "string" || !ID.test(installation) || typeof since !== "string") return null;
  if (ledger !== "sqlite" && ledger !== "postgres") return null;
  const mark: Mark = { installation, ledger, since };
  return check === checkOf(mark) ? mark : null;
}

function checkOf({ installation, ledger, since }: Mark): string {
  return checkWord(`${installation} ${ledger} ${since}`);
}
