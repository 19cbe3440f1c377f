/** What bench/redis-faults.ts does to Redis, phase by phase: each breaks it, leaves it broken, and repairs it. */

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RedisServer } from "#test/support/redis-server.ts";

export interface Phase {
  readonly name: string;
  /** What /status must say of the cache meanwhile, of the replica that collects and of the one that answers; null: nothing. */
  readonly reported: readonly [RegExp | null, RegExp | null];
  /** Resolves when Redis has just become usable again. */
  readonly run: (redis: RedisServer, milliseconds: number) => Promise<void>;
}

const FLAP_MILLISECONDS = 300;
const UNREACHABLE = /^Redis: ./;

export const PHASES: readonly Phase[] = [
  { name: "quiet", reported: [null, null], run: (_, milliseconds) => Bun.sleep(milliseconds) },
  {
    name: "SIGKILL, back empty",
    reported: [UNREACHABLE, UNREACHABLE],
    run: async (redis, milliseconds) => {
      await redis.kill();
      await Bun.sleep(milliseconds);
      await redis.start();
    },
  },
  {
    name: "SIGSTOP, SIGCONT",
    reported: [UNREACHABLE, UNREACHABLE],
    run: async (redis, milliseconds) => {
      redis.pause();
      await Bun.sleep(milliseconds);
      redis.goOn();
    },
  },
  {
    name: "FLUSHALL",
    reported: [null, null],
    run: async (redis) => void (await redis.ask("FLUSHALL")),
  },
  {
    name: "back with a stale RDB",
    reported: [UNREACHABLE, UNREACHABLE],
    run: async (redis, milliseconds) => {
      await redis.ask("SAVE");
      const file = join(await directoryOf(redis), "dump.rdb");
      await Bun.sleep(milliseconds / 2);
      await redis.kill();
      await Bun.sleep(milliseconds / 2);
      await redis.start();
      await rm(file);
    },
  },
  {
    name: "CLIENT PAUSE",
    reported: [UNREACHABLE, UNREACHABLE],
    run: async (redis, milliseconds) => {
      await redis.ask("CLIENT", "PAUSE", String(Math.ceil(milliseconds)), "ALL");
      await redis.ask("PING");
    },
  },
  {
    name: "no memory: writes refused",
    reported: [/OOM/, null],
    run: async (redis, milliseconds) => {
      await redis.ask("CONFIG", "SET", "maxmemory", "1");
      await Bun.sleep(milliseconds);
      await redis.ask("CONFIG", "SET", "maxmemory", "0");
    },
  },
  {
    name: "disk that takes nothing: writes refused",
    reported: [/MISCONF/, null],
    run: async (redis, milliseconds) => {
      // A server whose own directory is gone can save as little as one whose disk is full.
      const directory = await directoryOf(redis);
      await rm(directory, { recursive: true });
      await redis.ask("CONFIG", "SET", "save", "3600 1");
      await redis.ask("BGSAVE");
      await Bun.sleep(milliseconds);
      await mkdir(directory);
      await redis.ask("CONFIG", "SET", "save", "");
    },
  },
  {
    name: `flapping, ${FLAP_MILLISECONDS} ms up and down`,
    reported: [UNREACHABLE, UNREACHABLE],
    run: async (redis, milliseconds) => {
      const end = performance.now() + 2 * milliseconds;
      while (performance.now() < end) {
        await redis.kill();
        await Bun.sleep(FLAP_MILLISECONDS);
        await redis.start();
        await Bun.sleep(FLAP_MILLISECONDS);
      }
      await redis.kill();
      await redis.start();
    },
  },
];

async function directoryOf(redis: RedisServer): Promise<string> {
  const [, directory] = (await redis.ask("CONFIG", "GET", "dir")) as [string, string];
  return directory;
}
