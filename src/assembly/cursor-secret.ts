/** What signs cursors: CURSOR_SECRET, or a secret made once and kept beside the lake, so that cursors outlive a restart. */

import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config.ts";

/** Of several processes that start at once on a directory one makes the secret, and all read the same. */
export async function cursorSecret({ cursorSecret, dataDir }: Config): Promise<string> {
  if (cursorSecret !== null) return cursorSecret;
  const path = join(dataDir, "cursor.key");
  return (await read(path)) ?? (await make(dataDir, path));
}

/** null where there is none, or one that a crash left empty. */
async function read(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch((fault: { code?: string }) => {
    if (fault.code === "ENOENT") return "";
    throw fault;
  });
  return text.trim() === "" ? null : text.trim();
}

async function make(folder: string, path: string): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await mkdir(folder, { recursive: true });
  const made = `${path}.${randomBytes(8).toString("hex")}.new`;
  await writeFile(made, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
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
  if (kept === null) throw new Error(`${path} is empty: delete it, and a new one is made`);
  return kept;
}
