/** One server on a data directory, where nothing else would make several agree: the lock of who answers from it, and who that is. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { claim, LakeBusy } from "#store/disk/writer-lock.ts";

const LOCK = ".server.sqlite";
/** Who has the lock, and whether it is ending. It is for people: a file that a killed server left behind locks nothing. */
const NAME = ".server.pid";
const IS_ENDING = ", which is ending";
/** A server that was asked to end does so within 25 s. */
const LONGEST_WAIT_SECONDS = 30;
const POLL_SECONDS = 0.1;

export interface OnlyServer {
  /** From now on a server that starts waits for the end of this one. */
  leave(): void;
  release(): Promise<void>;
}

interface Waiting {
  readonly say: (line: string) => void;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Limits are counted, and live quotes shown, by each process alone where there is no Redis: then only one may answer. Waits
 * for a server that is ending, and says so. Rejects when another one answers, or does not end; and with DiskFull.
 */
export async function becomeOnlyServer(
  config: Pick<Config, "dataDir" | "redisUrl" | "role" | "access" | "live">,
  { say, sleep = Bun.sleep }: Waiting,
): Promise<OnlyServer> {
  const { dataDir, redisUrl, role, access, live } = config;
  const hasToShare = access === "metered" || live.feeds.length > 0;
  if (role === "collector" || redisUrl !== null || !hasToShare)
    return { leave: () => {}, release: async () => {} };
  mkdirSync(dataDir, { recursive: true });
  const name = join(dataDir, NAME);
  const self = `pid ${process.pid} on ${hostname()}`;
  for (let waited = 0; ; waited += POLL_SECONDS) {
    try {
      const { release } = await claim(join(dataDir, LOCK), 0);
      writeName(name, self);
      return { leave: () => writeName(name, self + IS_ENDING), release };
    } catch (fault) {
      if (!(fault instanceof LakeBusy)) throw fault;
    }
    const holder = readName(name);
    const isStaying = holder !== null && !holder.endsWith(IS_ENDING);
    const other = `another server (${holder ?? "about to start"})`;
    if (isStaying || waited >= LONGEST_WAIT_SECONDS) throw taken(dataDir, other);
    if (waited === 0)
      say(`${other} uses DATA_DIR=${dataDir}; waiting for it, at most ${LONGEST_WAIT_SECONDS} s`);
    await sleep(POLL_SECONDS * 1000);
  }
}

function taken(dataDir: string, other: string): Error {
  return new Error(
    `DATA_DIR=${dataDir}: ${other} answers from it, and without Redis each would count limits by itself: stop that one, or set REDIS_URL for both`,
  );
}

/** On a full disk the lock holds without it. */
function writeName(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    rmSync(path, { force: true });
  }
}

/** Null while nothing is written there. */
function readName(path: string): string | null {
  try {
    return readFileSync(path, "utf8").slice(0, 200) || null;
  } catch {
    return null;
  }
}
