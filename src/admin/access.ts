/** Who is admitted to the operators' listener: requests for a loopback Host, and people who can read the token's file. */

import { createHash } from "node:crypto";
import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Random, randomText } from "#domain/account/key-format.ts";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/host.ts";

export interface Door {
  /** Host headers that mean this listener, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** What a sign-in is compared with. */
  readonly tokenHash: Buffer;
}

const HTTP_PORT = 80;

export function doorOf(host: string, port: number, token: string): Door {
  const names = new Set([...LOOPBACK_NAMES, host.includes(":") ? `[${host}]` : host]);
  const hosts = [...names].flatMap((name) => [
    `${name}:${port}`,
    // Clients leave the scheme's own port out.
    ...(port === HTTP_PORT ? [name] : []),
  ]);
  return { hosts: new Set(hosts), tokenHash: hashOf(token) };
}

/** The Host, lower case. Failure `misdirected_request` for any other than this listener's. */
export function ownHost(hosts: Door["hosts"], headers: Headers): string {
  const host = headers.get("host")?.toLowerCase() ?? "";
  if (!hosts.has(host)) throw new Failure("misdirected_request");
  return host;
}

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The token cannot be stored safely; the message says what to do and does not hold it. */
export class TokenFileFault extends Error {
  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = "TokenFileFault";
  }
}

const OTHERS_WRITE = 0o022;

/**
 * Puts the token in place of an earlier one, in one step; a link in its place is replaced, not followed. Rejects with
 * TokenFileFault when others than the owner could replace the file.
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

/** Takes the token away, unless another process has put its own there since. */
export async function removeToken(path: string, token: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.trim() === token) await rm(path, { force: true });
}
