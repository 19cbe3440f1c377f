/**
 * Shared by all parts of a process: timers, its name in leases, the token of its commits, its requests to upstreams, the secret of its
 * cursors, and the lock of the only server on a directory.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import type { Clock } from "#ports.ts";
import { openClockWatch } from "#sources/fetch/clock-watch.ts";
import { makeOnce } from "#store/delta/log.ts";
import { discard, makeFolder } from "#store/disk/durable.ts";
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

export const failedJob = (emit: Emit, job: string) => (fault: unknown) =>
  emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

export const newId = (prefix: string) => `${prefix}${randomText(systemRandom, 20)}`;

export const newHolder = () => newId("prc_");

export function upstreamOf({ upstreamBase }: Pick<Config, "upstreamBase">, clock: Clock, version: string) {
  return {
    clock,
    base: upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
    watch: openClockWatch(clock, clock.now !== Date.now),
  };
}

const SECRET_BYTES = 32;
const SECRET = /^[0-9a-f]{64}$/;
const REMEDY =
  "delete it, and the next start makes a new one; cursors handed out before are then refused as invalid_request, and clients begin their walks again";

/**
 * The key that signs cursors. Processes that start at once share one. Throws for a damaged or unreadable file, and says what to do:
 * another secret is never made silently.
 */
export function cursorSecret({ cursorSecret, dataDir }: Config): string {
  if (cursorSecret !== null) return cursorSecret;
  const path = join(dataDir, "cursor.key");
  if (!existsSync(path)) makeOnce(path, `${randomBytes(SECRET_BYTES).toString("hex")}\n`);
  const content = contentOf(path).trim();
  if (SECRET.test(content)) return content;
  const what = content === "" ? "empty" : `damaged (${2 * SECRET_BYTES} hex digits are needed)`;
  throw new Error(`${path}: it is ${what}: ${REMEDY}`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    throw new Error(`${path}: it cannot be read (${code}): let this user read it, or ${REMEDY}`, { cause });
  }
}

const LOCK = ".server.sqlite";
/** Names the holder of the lock for people. The file itself locks nothing. */
const NAME = ".server.pid";
const IS_ENDING = ", which is ending";
/** A server that was asked to end does so within 25 s. */
const LONGEST_WAIT_SECONDS = 30;
const POLL_SECONDS = 0.1;

interface Waiting {
  readonly say: (line: string) => void;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Without Redis each process counts limits and shows live quotes by itself: only one may answer, and none beside servers with Redis, which
 * share the lock. Waits for a server that is ending, and says so. Rejects when another one answers, or does not end; and with DiskFull.
 */
export async function becomeOnlyServer(
  config: Pick<Config, "dataDir" | "redisUrl" | "role" | "access" | "live">,
  { say, sleep = Bun.sleep }: Waiting,
) {
  const { dataDir, redisUrl, role, access, live } = config;
  const hasToShare = access === "metered" || live.feeds.length > 0;
  const unlocked = { leave: () => {}, release: async () => {} };
  if (role === "collector" || !hasToShare) return unlocked;
  makeFolder(dataDir);
  const name = join(dataDir, NAME);
  const self = `pid ${process.pid} on ${hostname()}`;
  for (let waited = 0; ; waited += POLL_SECONDS) {
    try {
      const { release } = await claim(join(dataDir, LOCK), 0, redisUrl !== null);
      writeName(name, self);
      return {
        /** A server that starts now waits for the end of this one. */
        leave: () => writeName(name, self + IS_ENDING),
        release,
      };
    } catch (fault) {
      if (!(fault instanceof LakeBusy)) {
        // With Redis the directory may be a read-only copy. No server without Redis can use such a directory.
        if (redisUrl !== null) return unlocked;
        throw fault;
      }
    }
    const holder = readName(name);
    const isStaying = holder !== null && !holder.endsWith(IS_ENDING);
    const other = `another server (${holder ?? "about to start"})`;
    if (isStaying || waited >= LONGEST_WAIT_SECONDS) throw otherServer(dataDir, other);
    if (waited === 0)
      say(`${other} uses DATA_DIR=${dataDir}; waiting for it, at most ${LONGEST_WAIT_SECONDS} s`);
    await sleep(POLL_SECONDS * 1000);
  }
}

function otherServer(dataDir: string, other: string): Error {
  return new Error(
    `DATA_DIR=${dataDir}: ${other} answers from it, and without Redis each would count limits by itself: stop that one, or set REDIS_URL for both`,
  );
}

/** Leaves the name out on a full disk: the lock works without it. */
function writeName(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    discard(path);
  }
}

function readName(path: string): string | null {
  try {
    return readFileSync(path, "utf8").slice(0, 200) || null;
  } catch {
    return null;
  }
}
