/** Attempts while Redis is killed, paused, or refuses: each process grants its share, nothing fails, and no caller waits long. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import type { Gate } from "#ports/ledger.ts";
import { openRedisAttempts, type RedisAttempts } from "#store/redis/attempts/attempts.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";
import { hide, NOON, untilShared } from "./fixtures.ts";

setDefaultTimeout(30_000);
const account: Gate = { limit: "sign-in to", key: "ada@example.com" };
const from: Gate = { limit: "sign-in from", key: "192.0.2.7" };
const { most } = ATTEMPT_LIMITS["sign-in to"];

onBreakableRedis("attempts while Redis is away", (server) => {
  let opened: RedisAttempts[] = [];
  let emitted: string[] = [];
  const open = (replicas = 2, url = server.url) => {
    const emit = (event: object) => void emitted.push(JSON.stringify(event));
    const attempts = openRedisAttempts({ url, hide, replicas, emit });
    opened.push(attempts);
    return attempts;
  };
  const granted = async (attempts: RedisAttempts, gate: Gate) => {
    const waits = [];
    for (let nth = 0; nth < 2 * most; nth++) waits.push(await attempts.take([gate], NOON));
    return waits.filter((wait) => wait === 0).length;
  };
  beforeEach(() => {
    emitted = [];
  });
  afterEach(() => {
    for (const attempts of opened) attempts.close();
    opened = [];
  });

  test("what lies in Redis shows neither who tried nor from where, and goes away by itself", async () => {
    const attempts = open();
    await untilShared(server, attempts);
    await server.ask("FLUSHALL");
    expect(await attempts.take([from, account], NOON)).toBe(0);
    const keys = (await server.ask("KEYS", "*")) as string[];
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(key).toMatch(/^\{crossrate\}:attempts:[0-9a-f]{64}$/);
      const fields = (await server.ask("HGETALL", key)) as string[];
      expect(fields.join(" ")).toMatch(/^s \d+ c 1 p 0$/);
      const kept = Number(await server.ask("PTTL", key));
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThanOrEqual(2 * ATTEMPT_LIMITS["sign-in to"].milliseconds);
    }
    await attempts.clear(account);
    expect(await server.ask("KEYS", "*")).toHaveLength(1);
  });

  test.each(["killed", "paused"] as const)(
    "while Redis is %s each of two processes grants half of the limit by its own clock; afterwards they share again",
    async (how) => {
      const [a, b] = [open(), open()];
      await untilShared(server, a);
      await untilShared(server, b);
      if (how === "killed") await server.kill();
      else server.pause();
      expect(await granted(a, account)).toBe(most / 2);
      expect(await granted(b, account)).toBe(most / 2);
      // Success clears what a process has counted by itself, too.
      await a.clear(account);
      expect(await a.take([account], NOON)).toBe(0);
      if (how === "killed") await server.start();
      else server.goOn();
      await untilShared(server, a);
      await untilShared(server, b);
      await server.ask("FLUSHALL");
      for (let nth = 0; nth < most; nth++)
        expect(await (nth % 2 === 0 ? a : b).take([account], NOON)).toBe(0);
      expect(await a.take([account], NOON)).toBeGreaterThan(0);
      expect(await b.take([account], NOON)).toBeGreaterThan(0);
      // Counters and the hot book report outages.
      expect(emitted).toEqual([]);
    },
  );

  test("with more replicas than the limit each still grants one; never none, never all", async () => {
    await server.kill();
    expect(await granted(open(1000), account)).toBe(1);
  });

  test("a Redis that refuses is logged once, and the share holds", async () => {
    await server.ask("ACL", "SETUSER", "narrow", "on", ">secret", "~*", "+@all", "-eval");
    const attempts = open(2, server.url.replace("redis://", "redis://narrow:secret@"));
    let nth = 0;
    await until("it is logged", async () => {
      await attempts.take([{ limit: "mail to", key: `${nth++}` }], NOON);
      return emitted.length > 0;
    });
    expect(await granted(attempts, account)).toBe(most / 2);
    expect(emitted).toHaveLength(1);
    expect(emitted[0]).toContain(
      '"attempts to sign in are counted by each process by itself","detail":"NOPERM',
    );
    expect(emitted[0]).not.toContain("ada");
  });

  test("what another program left under a gate's name counts as no answer", async () => {
    const attempts = open();
    await untilShared(server, attempts);
    await attempts.take([account], NOON);
    await server.ask("FLUSHALL");
    await server.ask("SET", `{crossrate}:attempts:${hide(`attempts ${account.limit} ${account.key}`)}`, "x");
    expect(await granted(attempts, account)).toBe(most / 2);
  });
});
