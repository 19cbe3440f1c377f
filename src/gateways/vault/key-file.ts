/** The embedded keyring: a file beside the database, made at the first start, readable by its owner only. */

import { constants, type Stats } from "node:fs";
import { link, lstat, mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Random } from "#domain/account/key.ts";
import { checkWord } from "#domain/text/check-word.ts";
import { KEY_BYTES, type Keyring, readKeyring } from "./keyring.ts";

/** The key file cannot be used; the message names the remedy and contains nothing of the file. */
export class KeyFileFault extends Error {
  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = "KeyFileFault";
  }
}

const LARGEST_FILE = 4096;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** What it holds cannot be made again. */
const REMEDY =
  "bring it back from a backup; without it the API keys and webhook secrets of the ledger are lost (docs/operations.md, Damage)";
/** A comment of the file: over the lines that are none. Files of earlier releases have no such line. */
const CHECK_LINE = /^# check (.*)$/m;

/** Where the file is, under the directory of the embedded stores. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, "secrets", "master.key");
}

/** The file's keys, null where there is none yet. Rejects with KeyFileFault as `openKeyFile`; nothing is made. */
export async function readKeyFile(path: string): Promise<Keyring | null> {
  const folder = dirname(path);
  const stats = await lstat(folder).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return null;
    throw new KeyFileFault(folder, `not readable (${error.code ?? "unknown error"}): let this user read it`);
  });
  if (stats === null) return null;
  refuseUnsafeFolder(folder, stats);
  return await read(path);
}

/** There is none although a ledger was made with one: another would fit nothing in it. */
export function keyFileMissing(path: string): KeyFileFault {
  return new KeyFileFault(path, `it is missing, and this ledger was made with it: ${REMEDY}`);
}

/** It is well formed, and not the one that the ledger was made with. */
export function keyFileForeign(path: string): KeyFileFault {
  return new KeyFileFault(path, `it is not the one that this ledger was made with: ${REMEDY}`);
}

/**
 * Reads the file, and makes it first where there is none: of several processes that start at once one makes it, and all
 * read the same. Rejects with KeyFileFault when it is damaged, or others than the owner may read or replace it.
 */
export async function openKeyFile(path: string, random: Random): Promise<Keyring> {
  const folder = dirname(path);
  // Only this one folder is closed to others: the lake beside it may be read by whom the operator likes.
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  refuseUnsafeFolder(folder, await lstat(folder));
  return (await read(path)) ?? (await make(path, random));
}

function refuseUnsafeFolder(folder: string, stats: Stats): void {
  if (!stats.isDirectory())
    throw new KeyFileFault(folder, "a plain directory is needed here, not a link or a file");
  if ((stats.mode & OTHERS_WRITE) === 0) return;
  throw new KeyFileFault(
    folder,
    `others may replace files in it (mode ${octal(stats)}); run: chmod 700 ${folder}`,
  );
}

/** null where there is no file yet. */
async function read(path: string): Promise<Keyring | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: { code?: string }) => {
      if (error.code === "ENOENT") return null;
      throw new KeyFileFault(
        path,
        `not readable as a plain file (${error.code ?? "unknown error"}): make it readable by this user only, or ${REMEDY}`,
      );
    },
  );
  if (file === null) return null;
  try {
    // Read from the open file: its name may lead to another file by now.
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > LARGEST_FILE)
      throw new KeyFileFault(path, `it is not a key file: ${REMEDY}`);
    if ((stats.mode & OTHERS) !== 0)
      throw new KeyFileFault(path, `others may read it (mode ${octal(stats)}); run: chmod 600 ${path}`);
    return parse(path, await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}

/** The grammar of an .env file: its lines can be taken over into the environment as they are. */
function parse(path: string, text: string): Keyring {
  if (text.trim() === "") throw new KeyFileFault(path, `it is empty: ${REMEDY}`);
  const check = CHECK_LINE.exec(text)?.[1];
  if (check !== undefined && check !== checkOf(text))
    throw new KeyFileFault(
      path,
      `it is damaged (its check is another): ${REMEDY}; to use a file that was changed on purpose, remove its check line`,
    );
  const settings = new Map(
    text
      .split("\n")
      .filter((line) => line.includes("=") && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]),
  );
  const found = readKeyring({
    masterKeys: settings.get("MASTER_KEYS") ?? null,
    keyPepper: settings.get("KEY_PEPPER") ?? null,
  });
  if ("keyring" in found) return found.keyring;
  throw new KeyFileFault(path, `it is damaged (${found.faults.join("; ")}): ${REMEDY}`);
}

function checkOf(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return checkWord(lines.join("\n"));
}

async function make(path: string, random: Random): Promise<Keyring> {
  const secret = () => Buffer.from(random(KEY_BYTES)).toString("base64");
  const keys = [`MASTER_KEYS=embedded-1:${secret()}`, `KEY_PEPPER=${secret()}`, ""];
  const lines = [
    "# Made at the first start. Without this file no key can be displayed or looked up again: back it up, separately from the database.",
    // Before what it is over: whatever is cut off at the end, it is still there.
    `# check ${checkOf(keys.join("\n"))}`,
    ...keys,
  ];
  const made = `${path}.${Buffer.from(random(8)).toString("hex")}.new`;
  const file = await open(made, "wx", 0o600);
  try {
    await file.writeFile(lines.join("\n"));
    await file.sync();
  } finally {
    await file.close();
  }
  // Unlike a rename, a link never replaces the file of a process that was faster.
  await link(made, path).catch((error: { code?: string }) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(made, { force: true });
  await syncFolder(dirname(path));
  const keyring = await read(path);
  if (keyring === null) throw new KeyFileFault(path, "was removed while it was being made");
  return keyring;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function octal(stats: Stats): string {
  return (stats.mode & 0o777).toString(8).padStart(4, "0");
}
