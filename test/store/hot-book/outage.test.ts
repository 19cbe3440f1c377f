/** Redis killed, paused, absent, started again: the book is served from memory, nothing accepted is lost, it heals itself. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { formatBook } from "#domain/live/book.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { saySkipped } from "#test/support/require-tool.ts";
import { tcpWayTo } from "#test/support/tcp-way.ts";
import { until } from "#test/support/until.ts";
import { onlyWentForward, type Replica, replicasOf, untilState } from "./replicas.ts";
import { mids, NOON, quote } from "./sample.ts";

const OPEN_FILES = "/proc/self/fd";
const hasProc = existsSync(OPEN_FILES);
if (!hasProc) saySkipped(`counting open files needs ${OPEN_FILES}`);
const openFiles = () => readdirSync(OPEN_FILES).length;

function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}

onBreakableRedis("the hot book while Redis is out of reach", (server) => {
  const open = replicasOf(server);

  async function twoWith(mid: string): Promise<readonly [Replica, Replica]> {
    const [a, b] = [await open(), await open()];
    await a.publish([quote("EUR", mid, 1), quote("JPY", "150", 1)]);
    await until("b has it", () => b.read().version === a.read().version);
    return [a, b];
  }

  async function untilAgreed(replicas: readonly Replica[], what: string): Promise<void> {
    await until("every replica has everything", () => replicas.every((one) => mids(one.read()) === what));
    const text = () => formatBook((replicas[0] as Replica).read());
    await until("all are the same", async () =>
      [...replicas.map((one) => formatBook(one.read())), await server.ask("GET", "{crossrate}:book")].every(
        (other) => other === text(),
      ),
    );
    for (const replica of replicas) await untilState(replica, "ok");
    expect(replicas.map(onlyWentForward)).toEqual(replicas.map(() => true));
  }

  test("killed and started again empty: what each accepted meanwhile is in both, nothing went back; its state says why and since when, the operator is told once, and when it is over", async () => {
    const [a, b] = await twoWith("0.9");
    const before = a.read();
    expect(a.state()).toEqual({ status: "ok", detail: null, lastSeenAt: NOON });
    await server.kill();
    await untilState(a, "degraded");
    await untilState(b, "degraded");
    a.now += 90_000;
    expect(mids(a.read())).toBe("EUR 0.9, JPY 150");
    const alone = await a.publish([quote("EUR", "0.8", 5), quote("CHF", "0.7", 5)]);
    expect(mids(alone)).toBe("CHF 0.7, EUR 0.8, JPY 150");
    expect(alone.version).toBeGreaterThan(before.version);
    await b.publish([quote("EUR", "0.85", 4), quote("SEK", "9.5", 4)]);
    expect(mids(b.read())).toBe("EUR 0.85, JPY 150, SEK 9.5");
    await until("it has tried to connect", () => a.state().detail?.includes("connect") === true);
    expect(a.state().lastSeenAt).toBe(NOON);
    await server.start();
    await untilAgreed([a, b], "CHF 0.7, EUR 0.8, JPY 150, SEK 9.5");
    expect(a.state().lastSeenAt).toBe(NOON + 90_000);
    expect(a.emitted).toEqual([
      expect.stringContaining("served from memory only"),
      expect.stringContaining("redis_recovered"),
    ]);
  });

  test("paused: publishing continues from memory, and everything is written once it runs again", async () => {
    const [a, b] = await twoWith("0.9");
    server.pause();
    const published = await a.publish([quote("EUR", "0.8", 5)]);
    expect(mids(published)).toBe("EUR 0.8, JPY 150");
    await untilState(a, "degraded");
    await untilState(b, "degraded");
    // The first attempt lies in the paused server's socket; this one meets a connection that was given up.
    await until("the connection is given up", async () => {
      await a.publish([quote("CHF", "0.7", 6)]);
      return a.state().detail?.includes("timed out") !== true;
    });
    expect(mids(b.read())).toBe("EUR 0.9, JPY 150");
    server.goOn();
    await untilAgreed([a, b], "CHF 0.7, EUR 0.8, JPY 150");
  });

  test("behind a network that swallows the packets of open connections, new ones are made", async () => {
    const way = await tcpWayTo(server.port);
    const [a, b] = [await open({ url: `redis://127.0.0.1:${way.port}` }), await open()];
    await a.publish([quote("EUR", "0.9", 1)]);
    way.cutOpen("silent");
    await untilState(a, "degraded");
    await b.publish([quote("EUR", "0.8", 2)]);
    await a.publish([quote("JPY", "150", 2)]);
    await untilAgreed([a, b], "EUR 0.8, JPY 150");
    await way.close();
  });

  test.skipIf(!hasProc)(
    "connections that are lost again and again leak no socket and hardly any memory, and are logged once each",
    async () => {
      const book = await open();
      const lose = async () => {
        await server.ask("CLIENT", "KILL", "TYPE", "normal");
        await untilState(book, "degraded");
        await untilState(book, "ok");
      };
      for (let round = 0; round < 5; round++) await lose();
      const [files, bytes] = [openFiles(), heapBytes()];
      for (let round = 0; round < 12; round++) await lose();
      expect(openFiles()).toBeLessThanOrEqual(files);
      expect(heapBytes() - bytes).toBeLessThan(2_000_000);
      expect(book.emitted.length).toBeLessThanOrEqual(2 * 17);
      await book.close();
      await until("its sockets are gone", () => openFiles() <= files - 1);
    },
  );

  test("closing while it is away ends the connections for good, and emits no further event", async () => {
    const [a, b] = await twoWith("0.9");
    await server.kill();
    await untilState(a, "degraded");
    await untilState(b, "degraded");
    const emitted = a.emitted.length;
    await a.close();
    await server.start();
    await untilState(b, "ok");
    const names = String(await server.ask("CLIENT", "LIST")).match(/name=crossrate-book /g);
    expect(names?.length).toBe(1);
    expect(a.emitted.length).toBe(emitted);
  });
});
