/** Redis killed, paused, absent, started again: the book is served from memory, nothing accepted is lost, it heals itself. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { EMPTY_BOOK, formatBook, merge } from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { onBreakableRedis, onRedis } from "#test/support/redis-server.ts";
import { saySkipped } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
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

// Replicas on one Redis: all end with the same book, whatever order, whichever message is lost.
onRedis("hot books on one Redis", (server) => {
  const open = replicasOf(server);

  test("a quote that a wrong clock has dated an hour ahead yields to the next good one, in Redis and in every replica", async () => {
    const [a, b] = [await open(), await open()];
    await a.publish([quote("JPY", "150.00", 3600), quote("EUR", "0.90", 1)]);
    await until("b has it", () => mids(b.read()) === "EUR 0.90, JPY 150.00");
    await a.publish([quote("JPY", "151.00", 2)]);
    await until("all have the good one", () =>
      [a, b].every((replica) => mids(replica.read()) === "EUR 0.90, JPY 151.00"),
    );
    const late = await open();
    expect(mids(late.read())).toBe("EUR 0.90, JPY 151.00");
    expect([a, b].map(({ received }) => received.length > 0)).toEqual([true, true]);
  });

  test("200 rounds of publishing at random from both end with the newest of each currency in both", async () => {
    const replicas = [await open(), await open()] as const;
    const currencies: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF", "AUD", "CAD", "SEK"];
    const random = seededRandom(200);
    const all: LiveQuote[] = [];
    for (const replica of replicas) replica.now += 15 * 60_000;
    for (let round = 0; round < 200; round++) {
      const work = replicas.flatMap((replica) =>
        Array.from({ length: Math.floor(random() * 3) }, () => {
          const quotes = currencies
            .filter(() => random() < 0.4)
            .map((code) => {
              // Feeds come late and out of order; every time of observation is used once.
              const seconds = Math.floor(random() * 20) + round * 3 + all.length / 100_000;
              const one = quote(code, `${1 + all.length / 10_000}`, Math.round(seconds * 1000) / 1000);
              all.push(one);
              return one;
            });
          replica.now += Math.floor(random() * 5);
          return replica.publish(quotes);
        }),
      );
      if (random() < 0.5) await Promise.all(work);
    }
    const right = new Set(all.map(({ quote: code, observedAt }) => `${code} ${observedAt}`)).size;
    expect(right).toBeGreaterThan(600);
    const newest = merge(EMPTY_BOOK, all);
    await until("both agree", () => formatBook(replicas[0].read()) === formatBook(replicas[1].read()));
    await until("both have the newest", () => replicas.every((replica) => sameTimes(replica.read(), newest)));
    expect(replicas.map(onlyWentForward)).toEqual([true, true]);
    const stored = await server.ask("GET", "{crossrate}:book");
    expect(stored).toBe(formatBook(replicas[0].read()));
  });

  test("a Redis set back to an older state is updated", async () => {
    const [a, b] = [await open(), await open()];
    await a.publish([quote("EUR", "0.9", 1)]);
    const old = String(await server.ask("GET", "{crossrate}:book"));
    const newer = await a.publish([quote("EUR", "0.8", 2), quote("JPY", "150", 2)]);
    await until("b has it", () => b.read().version === newer.version);
    await server.ask("SET", "{crossrate}:book", old);
    await until("Redis has the newer again", async () =>
      String(await server.ask("GET", "{crossrate}:book")).includes("USD/JPY"),
    );
    await until("both agree", () => formatBook(a.read()) === formatBook(b.read()));
    expect(mids(a.read())).toBe("EUR 0.8, JPY 150");
    expect([a, b].map(onlyWentForward)).toEqual([true, true]);
  });

  test("a Redis whose version alone fell back gets the book again", async () => {
    const a = await open();
    const { version } = await a.publish([quote("EUR", "0.9", 1)]);
    const text = String(await server.ask("GET", "{crossrate}:book"));
    await server.ask("SET", "{crossrate}:book", text.replace(String(version), String(version - 1000)));
    await until("it has risen", async () => (await server.ask("GET", "{crossrate}:book")) === text);
    expect(formatBook(a.read())).toBe(text);
  });

  test("one that may read and not write serves what the others publish, and its own quotes", async () => {
    await server.ask("ACL", "SETUSER", "reader", "on", ">word", "~*", "&*", "+@all", "-set");
    const [a, b] = [await open({ url: server.url.replace("//", "//reader:word@") }), await open()];
    await a.publish([quote("EUR", "0.9", 1)]);
    expect(a.state().status).toBe("degraded");
    expect(a.state().detail).toContain("NOPERM");
    await b.publish([quote("JPY", "150", 2)]);
    await until("a has both", () => mids(a.read()) === "EUR 0.9, JPY 150");
    await b.publish([quote("JPY", "151", 3)]);
    await until("a follows", () => mids(a.read()) === "EUR 0.9, JPY 151");
    await server.ask("ACL", "SETUSER", "reader", "+set");
    await until("b has both", () => mids(b.read()) === "EUR 0.9, JPY 151");
    expect([a, b].map(onlyWentForward)).toEqual([true, true]);
  });

  test("a database that Redis does not have is a fault that is stated, and never another database", async () => {
    const a = await open({ url: `${server.url}/99` });
    await a.publish([quote("EUR", "0.9", 1)]);
    await until("it says so", () => a.state().detail === "Redis: ERR DB index is out of range");
    expect(await server.ask("DBSIZE")).toBe(0);
  });

  test("what is not a book of this release is never overwritten, and is reported", async () => {
    const foreign = "crossrate-book 2 17\nwhatever\n";
    const a = await open();
    await server.ask("SET", "{crossrate}:book", foreign);
    await a.publish([quote("EUR", "0.9", 1)]);
    expect(mids(a.read())).toBe("EUR 0.9");
    expect(a.state().status).toBe("degraded");
    expect(a.state().detail).toContain("something else than a book of this release");
    expect(await server.ask("GET", "{crossrate}:book")).toBe(foreign);
    await server.ask("DEL", "{crossrate}:book");
    await until("it is written through", () => a.state().status === "ok");
    expect(await server.ask("GET", "{crossrate}:book")).toBe(formatBook(a.read()));
  });
});

function sameTimes(book: ReturnType<typeof merge>, other: ReturnType<typeof merge>): boolean {
  const times = ({ quotes }: typeof book) =>
    [...quotes]
      .map(([code, { observedAt }]) => `${code} ${observedAt}`)
      .sort()
      .join();
  return times(book) === times(other);
}
