/** The file with the token of the operators' listener: its readers may sign in. */

import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Random, randomText } from "#domain/account/key.ts";

/** The token cannot be stored safely; the message advises and does not contain it. */
export class TokenFileFault extends Error {
  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = "TokenFileFault";
  }
}

const OTHERS_WRITE = 0o022;

/**
 * Replaces the token in one step; a link is replaced, not followed. Rejects with TokenFileFault when others than the
 * owner could replace the file.
 */
export async function writeToken(path: string, token: string, random: Random): Promise<void> {
  const folder = dirname(path);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new TokenFileFault(folder, "a plain directory is needed here");
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    throw new TokenFileFault(folder, `others may replace files in it; run: chmod 700 ${folder}`);
  }
  const made = `${path}.${randomText(random, 8)}.new`;
  const file = await open(made, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
  } finally {
    await file.close();
  }
  await rename(made, path);
}

/** Removes the token, unless it is another process's by now. */
export async function removeToken(path: string, token: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.trim() === token) await rm(path, { force: true });
}
