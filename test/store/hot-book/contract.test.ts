/** What every hot book promises to the collection that publishes and to the requests that read. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { later as realLater } from "#assembly/process.ts";
import { type Book, bookLines, EMPTY_BOOK, formatBook, merge } from "#domain/live/book.ts";
import type { HotBook } from "#ports.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import { openRedisHotBook } from "#store/redis/hot-book/hot-book.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { onRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { mids, NOON, quote } from "./sample.ts";

type Open = (deps: { clock: { now(): number }; emit: (event: TelemetryEvent) => void }) => Promise<HotBook>;

function meetsContract(open: Open): void {
  let now = NOON;
  let emitted: TelemetryEvent[] = [];
  let book: HotBook;
  beforeEach(async () => {
    now = NOON;
    emitted = [];
    book = await open({ clock: { now: () => now }, emit: (event) => emitted.push(event) });
  });
  afterEach(() => book.close());

  test("starts empty and ok", () => {
    expect(book.read()).toEqual(EMPTY_BOOK);
    expect(book.state()).toMatchObject({ status: "ok", detail: null });
  });

  test("what publish resolves with is what is read from then on, digit for digit", async () => {
    const quotes = [
      quote("EUR", "1.0500", 1, { base: "EUR", quote: "USD", bid: "1.0490", ask: "1.0510", feed: "massive" }),
      quote("IDR", "16712.123456789", 2),
      quote("JPY", "150.10", 3),
    ];
    const published = await book.publish(quotes);
    expect(published).toEqual(book.read());
    expect([...published.quotes.values()].sort((a, b) => a.observedAt - b.observedAt)).toEqual(quotes);
    expect(published.collectedAt.get("massive")).toBe(NOON + 1500);
  });

  test("an older quote and one of the same time change nothing", async () => {
    await book.publish([quote("EUR", "0.9", 10), quote("JPY", "150", 10)]);
    await book.publish([quote("EUR", "0.8", 9), quote("JPY", "149", 10), quote("CHF", "0.7", 1)]);
    expect(mids(book.read())).toBe("CHF 0.7, EUR 0.9, JPY 150");
  });

  test("without news the book and its version stay, and no listener is called", async () => {
    await book.publish([quote("EUR", "0.9", 10)]);
    const before = book.read();
    let calls = 0;
    book.subscribe(() => calls++);
    now += 60_000;
    expect((await book.publish([quote("EUR", "0.9", 10)])).version).toBe(before.version);
    expect((await book.publish([])).version).toBe(before.version);
    expect(formatBook(book.read())).toBe(formatBook(before));
    expect(calls).toBe(0);
  });

  test("a book once read never changes", async () => {
    const first = await book.publish([quote("EUR", "0.9", 1)]);
    const text = formatBook(first);
    await book.publish([quote("EUR", "0.8", 2), quote("JPY", "150", 2)]);
    expect(formatBook(first)).toBe(text);
  });

  test("listeners receive each newer book once, in order, until they leave", async () => {
    const received: Book[] = [];
    const leave = book.subscribe((newer) => received.push(newer));
    const others: number[] = [];
    book.subscribe(({ version }) => others.push(version));
    const published: Book[] = [];
    for (let second = 1; second <= 5; second++) {
      published.push(await book.publish([quote("EUR", `0.9${second}`, second)]));
    }
    leave();
    leave();
    await book.publish([quote("EUR", "0.8", 60)]);
    expect(received).toEqual(published);
    expect(others.length).toBe(6);
    expect(others).toEqual([...new Set(others)].sort((a, b) => a - b));
  });

  test("a listener that throws is reported and affects no other", async () => {
    const received: string[] = [];
    book.subscribe(() => {
      throw new Error("my own fault");
    });
    book.subscribe((newer) => received.push(mids(newer)));
    await book.publish([quote("EUR", "0.9", 1)]);
    expect(received).toEqual(["EUR 0.9"]);
    expect(book.state().status).toBe("ok");
    expect(emitted).toEqual([{ kind: "job_failed", job: "listener of the hot book", error: "my own fault" }]);
  });

  test("the version is the instant of the change, and rises also when the clock stops or goes back", async () => {
    const versions: number[] = [];
    for (const step of [0, 0, -60_000, 120_000]) {
      now += step;
      versions.push((await book.publish([quote("EUR", "0.9", versions.length + 1)])).version - NOON);
    }
    expect(versions).toEqual([0, 1, 2, 60_000]);
  });

  test("publications under way together, in any order, end with the newest of each currency", async () => {
    now += 120_000;
    const random = seededRandom(31);
    const all = Array.from({ length: 120 }, (_, nth) => {
      const currency = (["EUR", "JPY", "CHF", "SEK"] as const)[nth % 4] as "EUR";
      // Distinct times, so that there is one right answer.
      return quote(currency, `1.${1000 + nth}`, nth);
    }).sort(() => random() - 0.5);
    const versions: number[] = [];
    book.subscribe(({ version }) => versions.push(version));
    const work: Promise<unknown>[] = [];
    for (let from = 0; from < all.length; from += 3) work.push(book.publish(all.slice(from, from + 3)));
    await Promise.all(work);
    expect(bookLines(book.read())).toBe(bookLines(merge(EMPTY_BOOK, all)));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  test("after closing, the book can be read and not published to", async () => {
    await book.publish([quote("EUR", "0.9", 1)]);
    await book.close();
    await book.close();
    expect(mids(book.read())).toBe("EUR 0.9");
    await expect(book.publish([quote("EUR", "0.8", 2)])).rejects.toThrow("closed");
  });
}

describe("the hot book in memory", () => {
  meetsContract(async (deps) => memoryHotBook(deps));
});

onRedis("the hot book in Redis", (server) => {
  meetsContract((deps) => openRedisHotBook({ ...deps, later: realLater, url: server.url }));
});
