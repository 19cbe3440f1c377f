/** The vault's pepper and master keys: from the settings, or from the key file of an installation without any. */

import { createHash, hkdfSync } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { link, lstat, mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import type { Random } from "#domain/account/key.ts";

export interface KeyringSettings {
  /** `id:base64,id2:base64`, 32 bytes each: the first encrypts, all decrypt. */
  readonly masterKeys: string | null;
  /** 32 bytes in base64, or `hkdf:<id>` for the pepper that follows from that master key. */
  readonly keyPepper: string | null;
}

export interface MasterKey {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Keyring {
  /** The first encrypts. */
  readonly masterKeys: readonly [MasterKey, ...MasterKey[]];
  readonly pepper: Uint8Array<ArrayBuffer>;
}

export const KEY_BYTES = 32;
const MOST_KEYS = 16;
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/**
 * Faults of the settings; empty for usable ones. A production process never generates its keys: a new container would start with others,
 * and sealed secrets would be lost.
 */
export function keyringFaults(settings: KeyringSettings, production: boolean): readonly string[] {
  if (settings.masterKeys !== null) return readKeyring(settings).faults;
  const faults: string[] = [];
  if (production)
    faults.push(
      "MASTER_KEYS is empty: in production set it to <id>:<32 bytes in base64>, made with: openssl rand -base64 32; for a ledger that began without it, to the line of secrets/master.key in DATA_DIR, with KEY_PEPPER from there",
    );
  if (settings.keyPepper !== null)
    faults.push("KEY_PEPPER is set and MASTER_KEYS is not: set both, or neither outside production");
  return faults;
}

/** The keyring of the two settings, or their faults. */
export function readKeyring(
  settings: KeyringSettings,
): { readonly keyring: Keyring; readonly faults: readonly [] } | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  const [first, ...others] = masterKeysOf(settings.masterKeys ?? "", faults);
  if (first === undefined || faults.length > 0) return { faults };
  const pepper = pepperOf(settings.keyPepper, [first, ...others], faults);
  return pepper === null ? { faults } : { keyring: { masterKeys: [first, ...others], pepper }, faults: [] };
}

/** Derives a key of 32 bytes for a single use. It does not reveal the master key. */
export function deriveKey(master: Uint8Array, use: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", master, "", `crossrate/${use}/v1`, KEY_BYTES));
}

function masterKeysOf(text: string, faults: string[]): MasterKey[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.length > MOST_KEYS) faults.push(`MASTER_KEYS: at most ${MOST_KEYS} keys`);
  const keys: MasterKey[] = [];
  for (const [index, word] of words.slice(0, MOST_KEYS).entries()) {
    const colon = word.indexOf(":");
    const id = word.slice(0, Math.max(colon, 0));
    const which = KEY_ID.test(id) ? id : `entry ${index + 1}`;
    const bytes = fromAnyBase64(word.slice(colon + 1));
    if (!KEY_ID.test(id))
      faults.push(`MASTER_KEYS ${which}: write <id>:<base64>; an id is of A-Z a-z 0-9 . _ -`);
    else if (keys.some((key) => key.id === id)) faults.push(`MASTER_KEYS ${which}: this id is there twice`);
    else if (!isStrong(bytes))
      faults.push(`MASTER_KEYS ${which}: ${KEY_BYTES} random bytes in base64 are needed`);
    else if (keys.some((key) => Buffer.from(key.bytes).equals(bytes)))
      faults.push(`MASTER_KEYS ${which}: another id has the same key`);
    else keys.push({ id, bytes });
  }
  return keys;
}

function pepperOf(
  text: string | null,
  keys: readonly [MasterKey, ...MasterKey[]],
  faults: string[],
): Uint8Array<ArrayBuffer> | null {
  if (text === null) {
    if (keys.length === 1) return deriveKey(keys[0].bytes, "pepper");
    // A rotation puts a new key in front, which must not change the pepper.
    faults.push(
      "KEY_PEPPER is empty and MASTER_KEYS has several keys: set hkdf:<id> with the id of the key that was there first",
    );
    return null;
  }
  if (text.startsWith("hkdf:")) {
    const key = keys.find(({ id }) => id === text.slice("hkdf:".length));
    if (key !== undefined) return deriveKey(key.bytes, "pepper");
    faults.push(
      "KEY_PEPPER: hkdf:<id> has to name one of the MASTER_KEYS; before that key is taken out, see docs/security.md, Pepper",
    );
    return null;
  }
  const bytes = fromAnyBase64(text);
  if (isStrong(bytes)) return bytes;
  faults.push(`KEY_PEPPER: ${KEY_BYTES} random bytes in base64 are needed, or hkdf:<id>`);
  return null;
}

/** 32 bytes that are not a placeholder such as all zeros. */
function isStrong(bytes: Uint8Array<ArrayBuffer> | null): bytes is Uint8Array<ArrayBuffer> {
  return bytes !== null && bytes.length === KEY_BYTES && new Set(bytes).size > 8;
}

/** 16 hex digits that name a pepper, or a master key, without giving it away. */
export function markOf(secret: Uint8Array, use: "pepper-mark" | "master-mark" = "pepper-mark"): string {
  return createHash("sha256").update(deriveKey(secret, use)).digest("hex").slice(0, 16);
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** The bytes of canonical base64url without padding; null for any other spelling. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Buffer.from(text, "base64url"));
  return base64url(bytes) === text ? bytes : null;
}

/** The bytes that an operator gave as base64 in either alphabet, padded or not; null for anything else. */
function fromAnyBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64url(text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_"));
}

/** The key file cannot be used; the message names the remedy and nothing of the file's content. */
export class KeyFileFault extends Error {
  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = "KeyFileFault";
  }
}

const LARGEST_FILE = 4096;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const REMEDY =
  "bring it back from a backup; without it the API keys and webhook secrets of the ledger are lost (docs/operations.md, Damage)";

export function keyFilePath(dataDir: string): string {
  return join(dataDir, "secrets", "master.key");
}

/** The file's keys, or null if it does not exist. Rejects with KeyFileFault as `openKeyFile`. */
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

/** The fault when the ledger's key file is missing: a new file's keys would open nothing in the ledger. */
export function keyFileMissing(path: string): KeyFileFault {
  return new KeyFileFault(path, `it is missing, and this ledger was made with it: ${REMEDY}`);
}

export function keyFileForeign(path: string): KeyFileFault {
  return new KeyFileFault(path, `it is not the one that this ledger was made with: ${REMEDY}`);
}

/**
 * Reads the file, and makes it if it does not exist: processes that start at once share one. Rejects with KeyFileFault when it is damaged,
 * or others than the owner may read or replace it.
 */
export async function openKeyFile(path: string, random: Random): Promise<Keyring> {
  const folder = dirname(path);
  // Only this folder is closed to others; the operator may open the lake beside it.
  await mkdir(dirname(folder), { recursive: true });
  const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  refuseUnsafeFolder(folder, await lstat(folder));
  if (isNew) await flushFolder(dirname(folder));
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
    // Read from the open file: its name may lead to another one by now.
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

function parse(path: string, text: string): Keyring {
  if (text.trim() === "") throw new KeyFileFault(path, `it is empty: ${REMEDY}`);
  const { MASTER_KEYS: masterKeys = null, KEY_PEPPER: keyPepper = null } = parseEnv(text);
  const read = readKeyring({ masterKeys, keyPepper });
  if ("keyring" in read) return read.keyring;
  throw new KeyFileFault(path, `it is damaged (${read.faults.join("; ")}): ${REMEDY}`);
}

async function make(path: string, random: Random): Promise<Keyring> {
  const secret = () => Buffer.from(random(KEY_BYTES)).toString("base64");
  const lines = [
    "# Made at the first start. Without this file no key can be displayed or looked up again: back it up, separately from the database.",
    `MASTER_KEYS=embedded-1:${secret()}`,
    `KEY_PEPPER=${secret()}`,
    "",
  ];
  const made = `${path}.${Buffer.from(random(8)).toString("hex")}.new`;
  await writeFile(made, lines.join("\n"), { flag: "wx", mode: 0o600, flush: true });
  // Unlike a rename, a link never replaces the file of a faster process.
  await link(made, path).catch((error: { code?: string }) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(made, { force: true });
  await flushFolder(dirname(path));
  const keyring = await read(path);
  if (keyring === null) throw new KeyFileFault(path, "was removed while it was being made");
  return keyring;
}

/** Makes the names in a folder durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  await folder.sync().finally(() => folder.close());
}

function octal(stats: Stats): string {
  return (stats.mode & 0o777).toString(8).padStart(4, "0");
}
