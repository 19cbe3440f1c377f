/** Attempts of each kind on a time that the test moves: Redis's own clock is replaced by two figures that lie in it. */

import { createHmac } from "node:crypto";
import type { Attempts } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { ATTEMPTS_SCRIPT, openRedisAttempts, type RedisAttempts } from "#store/redis/attempts/attempts.ts";
import type { RedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

export const NOON = Date.UTC(2026, 3, 13, 12);

export interface Fixture {
  /** Another process; of memory there is only one. */
  open(): Promise<Attempts>;
  /** Sets the time. */
  at(now: number): Promise<number>;
  close(): Promise<void>;
}

export function memoryFixture(): Fixture {
  const attempts = memoryAttempts();
  return { open: async () => attempts, at: async (now) => now, close: async () => {} };
}

export const hide = (text: string) =>
  createHmac("sha256", "a pepper of these tests").update(text).digest("hex");

const CLOCK_CALL = "redis.call('TIME')";

export function redisFixture(server: RedisServer): Fixture {
  if (!ATTEMPTS_SCRIPT.includes(CLOCK_CALL)) throw new Error("the script has another clock");
  const opened: RedisAttempts[] = [];
  return {
    open: async () => {
      const attempts = openRedisAttempts({
        url: server.url,
        hide,
        replicas: 2,
        emit: (event) => {
          throw new Error(JSON.stringify(event));
        },
        script: ATTEMPTS_SCRIPT.replace(
          CLOCK_CALL,
          "redis.call('MGET', 'test:seconds', 'test:microseconds')",
        ),
      });
      opened.push(attempts);
      await untilShared(server, attempts);
      return attempts;
    },
    at: async (now) => {
      const [seconds, milliseconds] = [Math.floor(now / 1000), now % 1000];
      await server.ask("MSET", "test:seconds", `${seconds}`, "test:microseconds", `${milliseconds * 1000}`);
      return now;
    },
    close: async () => {
      for (const attempts of opened) attempts.close();
      await server.ask("FLUSHALL");
    },
  };
}

/** By an attempt of no person: it is in Redis once it is counted there. */
export async function untilShared(server: RedisServer, attempts: Attempts): Promise<void> {
  await server.ask("SETNX", "test:seconds", String(NOON / 1000));
  await server.ask("SETNX", "test:microseconds", "0");
  const key = `no-person ${crypto.randomUUID()}`;
  const before = async () => ((await server.ask("KEYS", "{crossrate}:attempts:*")) as string[]).length;
  const count = await before();
  await until("attempts are shared", async () => {
    await attempts.take([{ limit: "link from", key }], NOON);
    return (await before()) > count;
  });
}
