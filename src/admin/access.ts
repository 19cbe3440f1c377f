/** Admits requests to the operators' listener: a loopback Host, and the token from its file. */

import { createHash, timingSafeEqual } from "node:crypto";
import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Random, randomText } from "#domain/account/key-format.ts";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/host.ts";

export interface Door {
  /** Host headers that mean this listener, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** What `matchesToken` compares with. */
  readonly tokenHash: Buffer;
}

const HTTP_PORT = 80;
const BEARER = /^Bearer +(\S{1,256}) *$/i;

export function doorOf(host: string, port: number, token: string): Door {
  const names = new Set([...LOOPBACK_NAMES, host.includes(":") ? `[${host}]` : host]);
  const hosts = [...names].flatMap((name) => [
    `${name}:${port}`,
    // Clients leave the scheme's own port out.
    ...(port === HTTP_PORT ? [name] : []),
  ]);
  return { hosts: new Set(hosts), tokenHash: hashOf(token) };
}

/**
 * Failures, in this order: `misdirected_request` for any other Host (a name that was made to point here), `forbidden` for
 * what a browser sends of a page, `invalid_credentials` without the token.
 */
export function admit({ hosts, tokenHash }: Door, { headers }: Request): void {
  ownHost(hosts, headers);
  if (headers.has("origin") || (headers.get("sec-fetch-site") ?? "none") !== "none") {
    throw new Failure("forbidden", { reason: "this is not for pages in a browser" });
  }
  const [, presented = ""] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  // Both have equal length, so that the comparison always takes the same time.
  if (timingSafeEqual(hashOf(presented), tokenHash)) return;
  throw new Failure("invalid_credentials", {
    wording: "send the token in secrets/admin.token under DATA_DIR as Authorization: Bearer",
  });
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
