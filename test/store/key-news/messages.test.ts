/**
 * News of ended keys between two processes on a real Redis, whatever becomes of the connection. What the cache does with them:
 * test/metered/key-directory.test.ts; the whole way, and that the other process notices without news: test/metered/replicas.test.ts.
 */

import { afterEach, expect, test } from "bun:test";
import { every as realEvery } from "#assembly/process.ts";
import {
  KEY_CHANNEL,
  type KeyNewsSender,
  openKeyMessages,
  sendKeyNews,
} from "#store/redis/key-news/key-news.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

onBreakableRedis("news of keys", (server) => {
  let opened: KeyNewsSender[] = [];
  let emitted: string[] = [];
  /** A process, and every forgetting with its ids. */
  const open = (url = server.url) => {
    const forgotten: (readonly string[])[] = [];
    const forget = (ids: readonly string[]) => void forgotten.push(ids);
    const news = openKeyMessages(url, forget, realEvery, (event) => emitted.push(JSON.stringify(event)));
    opened.push(news);
    return { news, forgotten };
  };
  const untilListening = (count: number) =>
    until(`${count} listen`, async () => {
      const [, listeners] = (await server.ask("PUBSUB", "NUMSUB", KEY_CHANNEL)) as [string, number];
      return listeners === count;
    });
  afterEach(async () => {
    await Promise.all(opened.map((news) => news.close()));
    [opened, emitted] = [[], []];
  });

  test("a key that ends at one is forgotten there at once, and then by the other; so is one of a command, which connects only now and ends", async () => {
    const [a, b] = [open(), open()];
    await untilListening(2);
    a.news.ended(["key_1"]);
    expect(a.forgotten).toEqual([["key_1"]]);
    await until("the other is notified", () => b.forgotten.length > 0);
    const command = sendKeyNews(server.url);
    command.ended(["key_2", "key_3"]);
    await command.close();
    await until("both are notified", () => b.forgotten.length > 1 && a.forgotten.length > 2);
    expect(b.forgotten).toEqual([["key_1"], ["key_2", "key_3"]]);
  });

  test("a command without a message does not connect; one that cannot connect is not delayed", async () => {
    const before = Number(/total_connections_received:(\d+)/.exec(String(await server.ask("INFO")))?.[1]);
    await sendKeyNews(server.url).close();
    const quiet = sendKeyNews(server.url);
    quiet.ended([]);
    await quiet.close();
    const after = Number(/total_connections_received:(\d+)/.exec(String(await server.ask("INFO")))?.[1]);
    // Asking is a connection of its own.
    expect(after).toBe(before + 1);
    const nowhere = sendKeyNews("redis://127.0.0.1:1");
    nowhere.ended(["key_1"]);
    await nowhere.close();
  });

  test("of a flood of messages none is lost", async () => {
    const b = open();
    await untilListening(1);
    const a = sendKeyNews(server.url);
    const ids = Array.from({ length: 3_000 }, (_, nth) => `key_${nth}`);
    // A message each.
    for (const id of ids) a.ended([id]);
    await a.close();
    await until("the last one is there", () => b.forgotten.length === ids.length);
    expect(b.forgotten.flat()).toEqual(ids);
  });

  test("malformed messages change nothing", async () => {
    const b = open();
    await untilListening(1);
    for (const message of [
      "",
      " ",
      "nonsense",
      "\u0000\u00ff",
      "key_",
      '{"ids":1}',
      "x".repeat(1_000_000),
      "org_1",
    ]) {
      await server.ask("PUBLISH", KEY_CHANNEL, message);
    }
    await server.ask("PUBLISH", KEY_CHANNEL, "rubbish key_good key_with\u0007bell key_good2");
    await until("the good one is there", () => b.forgotten.length > 0);
    expect(b.forgotten).toEqual([["key_good", "key_good2"]]);
  });

  test.each(["killed", "paused"] as const)(
    "Redis %s: a key that ends is forgotten here at once; back again no other key is, and news arrive",
    async (how) => {
      const [a, b] = [open(), open()];
      await untilListening(2);
      if (how === "killed") await server.kill();
      else server.pause();
      a.news.ended(["key_during"]);
      expect(a.forgotten).toEqual([["key_during"]]);
      if (how === "killed") await server.start();
      else server.goOn();
      await untilListening(2);
      a.news.ended(["key_after"]);
      await until("the other is notified", () => b.forgotten.flat().includes("key_after"));
      expect(b.forgotten.flat().filter((id) => id !== "key_during")).toEqual(["key_after"]);
    },
  );

  test("a Redis that does not let this user subscribe or publish is logged once; nothing fails", async () => {
    await server.ask("ACL", "SETUSER", "narrow", "on", ">secret", "~*", "resetchannels", "+@all");
    const a = open(server.url.replace("redis://", "redis://narrow:secret@"));
    a.news.ended(["key_1"]);
    await until("it is logged", () => emitted.length > 0);
    a.news.ended(["key_2"]);
    expect(a.forgotten).toEqual([["key_1"], ["key_2"]]);
    expect(emitted).toHaveLength(1);
    expect(emitted[0]).toContain(
      '"other processes notice ended API keys after seconds only","detail":"NOPERM',
    );
  });
});
