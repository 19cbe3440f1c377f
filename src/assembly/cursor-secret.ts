/** The secret that signs cursors: CURSOR_SECRET, or one made once and stored beside the lake, so that cursors outlive a restart. */

import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { checkWord } from "#domain/text/check-word.ts";

/** `cursor.key` cannot be used; the message says what to do and holds nothing of its content. */
export class CursorKeyFault extends Error {
  constructor(path: string, what: string, cause?: unknown) {
    super(`${path}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = "CursorKeyFault";
  }
}

const BYTES = 32;
/** The secret and its check. */
const CONTENT = /^([0-9a-f]{64}) ([0-9a-f]{8})$/;
const REMEDY =
  "delete it, and the next start makes a new one; cursors handed out before are then refused as invalid_request, and clients begin their walks again";

/**
 * Of several processes that start at once on a directory one makes the secret, and all read the same. Rejects with
 * CursorKeyFault for a file that is damaged or cannot be read: another secret is never made in silence.
 */
export async function cursorSecret({ cursorSecret, dataDir }: Config): Promise<string> {
  if (cursorSecret !== null) return cursorSecret;
  const path = join(dataDir, "cursor.key");
  return (await read(path)) ?? (await make(dataDir, path));
}

/** null where there is none. */
async function read(path: string): Promise<string | null> {
  const text = await readFile(path, "latin1").catch((fault: { code?: string }) => {
    if (fault.code === "ENOENT") return null;
    throw new CursorKeyFault(
      path,
      `it cannot be read (${fault.code}): let this user read it, or ${REMEDY}`,
      fault,
    );
  });
  if (text === null) return null;
  const content = text.trim();
  if (content === "") throw new CursorKeyFault(path, `it is empty: ${REMEDY}`);
  const [, secret, check] = CONTENT.exec(content) ?? [];
  if (secret === undefined)
    throw new CursorKeyFault(
      path,
      `it is damaged (${2 * BYTES} hex digits and their check are needed): ${REMEDY}`,
    );
  if (check !== checkWord(secret))
    throw new CursorKeyFault(path, `it is damaged (its check is another): ${REMEDY}`);
  return secret;
}

async function make(folder: string, path: string): Promise<string> {
  const secret = randomBytes(BYTES).toString("hex");
  await mkdir(folder, { recursive: true });
  const made = `${path}.${randomBytes(8).toString("hex")}.new`;
  await writeFile(made, `${secret} ${checkWord(secret)}\n`, { flag: "wx", mode: 0o600, flush: true });
  // Unlike a rename, a link never replaces the file of a process that was faster.
  const isFirst = await link(made, path).then(
    () => true,
    (fault: { code?: string }) => {
      if (fault.code === "EEXIST") return false;
      throw fault;
    },
  );
  await rm(made, { force: true });
  if (isFirst) return secret;
  const kept = await read(path);
  if (kept === null) throw new CursorKeyFault(path, "it was removed while it was being made; start again");
  return kept;
}
