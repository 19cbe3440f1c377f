/** A connection that is lost again and again leaks nothing: files, memory, lines of the log. */

import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { later as realLater } from "#assembly/process.ts";
import { openRedisHotBook } from "#store/redis/hot-book/hot-book.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { optionalTool, saySkipped } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";

const program = optionalTool("redis-server", "connections that are lost again and again");
const OPEN_FILES = "/proc/self/fd";
const hasProc = existsSync(OPEN_FILES);
if (!hasProc) saySkipped(`counting open files needs ${OPEN_FILES}`);

describe.skipIf(program === null || !hasProc)("a hot book whose connections are lost again and again", () => {
  const server = redisServer(program ?? "");
  beforeAll(server.start);

  test("leak no socket and hardly any memory, and are logged once each", async () => {
    const emitted: string[] = [];
    const book = await openRedisHotBook({
      url: server.url,
      clock: { now: () => performance.now() },
      emit: (event) => emitted.push(JSON.stringify(event)),
      later: realLater,
    });
    const lose = async () => {
      await server.ask("CLIENT", "KILL", "TYPE", "normal");
      await until("it is lost", () => book.state().status === "degraded");
      await until("it is back", () => book.state().status === "ok");
    };
    for (let round = 0; round < 5; round++) await lose();
    const [files, bytes] = [openFiles(), heapBytes()];
    for (let round = 0; round < 12; round++) await lose();
    expect(openFiles()).toBeLessThanOrEqual(files);
    expect(heapBytes() - bytes).toBeLessThan(2_000_000);
    expect(emitted.length).toBeLessThanOrEqual(2 * 17);
    await book.close();
    await until("its sockets are gone", () => openFiles() <= files - 1);
  });
});

function openFiles(): number {
  return readdirSync(OPEN_FILES).length;
}

function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
