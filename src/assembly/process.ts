/**
 * What all parts of one process share: timers, its name in leases, the token of its commits, how it asks upstreams, the secret
 * of its cursors, and the lock of the only server on a directory.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "#config.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import type { Clock } from "#ports.ts";
import { openClockWatch } from "#sources/fetch/clock-watch.ts";
import { CommitConflict, putIfAbsent } from "#store/delta/log.ts";
import type { FencingToken } from "#store/delta/storage.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { claim, LakeBusy } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";

/** The returned function cancels it. */
export function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** The returned function stops it. */
export function every(milliseconds: number, run: () => void): () => void {
  const timer = setInterval(run, milliseconds);
  return () => clearInterval(timer);
}

/** Opens at the first call; every call resolves with the same. `opened` does not open. */
export function once<T>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null;
  return {
    get: (): Promise<T> => {
      opening ??= open();
      return opening;
    },
    opened: (): Promise<T> | null => opening,
  };
}

export const failedJob = (emit: Emit, job: string) => (fault: unknown) =>
  emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

/** A random id, for rows of the ledger and for processes in leases. */
export const newId = (prefix: string) => `${prefix}${randomText(systemRandom, 20)}`;

export const newHolder = () => newId("prc_");

/** The token of this process's commits: that of its newest lease, also after losing it. */
export function newFencing() {
  let token: FencingToken | null = null;
  return {
    token: () => token,
    set: (next: FencingToken) => {
      token = next;
    },
  };
}

/** `watch` is absent where the clock was set on purpose (NOW, the demo). */
export function upstreamOf({ upstreamBase }: Pick<Config, "upstreamBase">, clock: Clock, version: string) {
  return {
    clock,
    base: upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
    ...(clock.now === Date.now && { watch: openClockWatch(clock) }),
  };
}

/** The message says what to do, and nothing of the content. */
export class CursorKeyFault extends Error {
  constructor(path: string, what: string, cause?: unknown) {
    super(
      `${path}: ${what}: delete it, and the next start makes a new one; cursors handed out before are then refused as invalid_request, and clients begin their walks again`,
      { cause },
    );
    this.name = "CursorKeyFault";
  }
}

const SECRET_BYTES = 32;
const SECRET = /^[0-9a-f]{64}$/;

/**
 * Of several processes that start at once one makes the secret, and all read the same. Throws CursorKeyFault for a damaged
 * or unreadable file: another secret is never made in silence.
 */
export function cursorSecret({ cursorSecret, dataDir }: Config): string {
  if (cursorSecret !== null) return cursorSecret;
  const path = join(dataDir, "cursor.key");
  if (!existsSync(path)) makeSecret(path);
  let content: string;
  try {
    content = readFileSync(path, "latin1").trim();
  } catch (fault) {
    throw new CursorKeyFault(path, `it cannot be read (${(fault as { code?: string }).code})`, fault);
  }
  if (SECRET.test(content)) return content;
  throw new CursorKeyFault(path, `it is damaged (${2 * SECRET_BYTES} hex digits are needed)`);
}

function makeSecret(path: string): void {
  makeFolder(dirname(path));
  try {
    putIfAbsent(path, `${randomBytes(SECRET_BYTES).toString("hex")}\n`, false, 0o600);
  } catch (fault) {
    if (!(fault instanceof CommitConflict)) throw fault;
  }
}

const LOCK = ".server.sqlite";
/** A server that was asked to end does so within 25 s. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * Without Redis each process counts limits and shows live quotes by itself: only one may answer. Waits for another server to end,
 * and says so. Resolves with the function that makes room for the next one. Rejects when the other does not end; and with DiskFull.
 */
export async function becomeOnlyServer(
  {
    dataDir,
    redisUrl,
    role,
    access,
    live,
  }: Pick<Config, "dataDir" | "redisUrl" | "role" | "access" | "live">,
  say: (line: string) => void,
  waitSeconds = LONGEST_WAIT_SECONDS,
): Promise<() => Promise<void>> {
  const hasToShare = access === "metered" || live.feeds.length > 0;
  if (role === "collector" || redisUrl !== null || !hasToShare) return async () => {};
  makeFolder(dataDir);
  const claimWithin = (seconds: number) =>
    claim(join(dataDir, LOCK), seconds).catch((fault: unknown) => {
      if (fault instanceof LakeBusy) return null;
      throw fault;
    });
  const free = await claimWithin(0);
  if (free !== null) return free.release;
  say(`another server uses DATA_DIR=${dataDir}; waiting for it to end, at most ${waitSeconds} s`);
  const left = await claimWithin(waitSeconds);
  if (left !== null) return left.release;
  throw new Error(
    `DATA_DIR=${dataDir}: another server answers from it, and without Redis each would count limits by itself: stop that one, or set REDIS_URL for both`,
  );
}
