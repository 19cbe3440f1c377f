/** Two processes that cache keys, on a real Redis: a key that ends at one is looked up again by the other, and no other key is. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type KeyDirectory, openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { every as realEvery } from "#assembly/process.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import {
  KEY_CHANNEL,
  type KeyNewsSender,
  openKeyMessages,
  sendKeyNews,
} from "#store/redis/key-news/key-news.ts";
import { provision, revokeKeys } from "#test/accounts/account/bodies.ts";
import { type AccountFixture, accountFixture, byPerson, NO_FACTS } from "#test/accounts/account/fixture.ts";
import { NOON, optionsOf, person } from "#test/store/ledger/ledgers.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(30_000);

interface Process {
  readonly keys: KeyDirectory;
  readonly news: KeyNewsSender;
  /** Every forgetting, with the ids it was emitted. */
  readonly forgotten: (readonly string[])[];
  looks: number;
}

onBreakableRedis("news of keys", (server) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ directory: temporaryDirectory() }, optionsOf());
  });
  afterAll(() => ledger.close());

  let fixture: AccountFixture;
  let opened: KeyNewsSender[] = [];
  let emitted: string[] = [];
  let people = 0;
  const open = (url = server.url): Process => {
    const counted = {
      looks: 0,
      find: (lookup: string) => {
        counted.looks += 1;
        return ledger.keys.find(lookup);
      },
    };
    const keys = openKeyDirectory({
      keys: counted,
      vault: fixture.vault,
      clock: fixture.clock,
      caches: new CacheBudget(1_000_000),
    });
    const forgotten: (readonly string[])[] = [];
    const forget = (ids: readonly string[]) => {
      forgotten.push(ids);
      keys.forget(ids);
    };
    const emit = (event: object) => void emitted.push(JSON.stringify(event));
    const news = openKeyMessages(url, forget, realEvery, emit);
    opened.push(news);
    return {
      keys,
      news,
      forgotten,
      get looks() {
        return counted.looks;
      },
    };
  };
  const listeners = async () => ((await server.ask("PUBSUB", "NUMSUB", KEY_CHANNEL)) as [string, number])[1];
  const untilListening = (count: number) =>
    until(`${count} listen`, async () => (await listeners()) === count);
  const newPerson = async () => {
    people += 1;
    const owner = await person(ledger, `news${people}@example.org`);
    const key = (await provision(fixture, owner.id, NO_FACTS, byPerson(fixture, owner))).plaintext ?? "";
    return { owner, key };
  };
  const refused = async ({ keys }: Process, key: string) => {
    try {
      await keys.find(key);
      return false;
    } catch {
      return true;
    }
  };

  beforeEach(async () => {
    emitted = [];
    fixture = await accountFixture(ledger, NOON);
  });
  afterEach(async () => {
    await Promise.all(opened.map((news) => news.close()));
    opened = [];
  });

  test("a key revoked at one is refused by the other although no time has passed, and no other key is looked up", async () => {
    const [a, b] = [open(), open()];
    await untilListening(2);
    const [ada, grace] = [await newPerson(), await newPerson()];
    for (const { keys } of [a, b]) for (const { key } of [ada, grace]) await keys.find(key);
    await revokeKeys({ ...fixture, keyNews: a.news }, ada.owner.id, byPerson(fixture, ada.owner));
    expect(await refused(a, ada.key)).toBe(true);
    await until("the other is notified", () => refused(b, ada.key));
    const looks = b.looks;
    expect(b.keys.find(grace.key)).not.toBeInstanceOf(Promise);
    expect(b.looks).toBe(looks);
  });

  test("what ends while there is no connection is sent when there is one, here at once", async () => {
    const b = open();
    await untilListening(1);
    const { owner, key } = await newPerson();
    await b.keys.find(key);
    // A command: it connects only now, and ends right after.
    const command = sendKeyNews(server.url);
    await revokeKeys({ ...fixture, keyNews: command }, owner.id, byPerson(fixture, owner));
    await command.close();
    await until("the server is notified", () => refused(b, key));
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
    "Redis %s: a key that ends is refused here at once, by the other after 5 s; back again nothing is forgotten, and news arrive",
    async (how) => {
      const [a, b] = [open(), open()];
      await untilListening(2);
      const [ada, grace, tom] = [await newPerson(), await newPerson(), await newPerson()];
      for (const { keys } of [a, b]) for (const { key } of [ada, grace, tom]) await keys.find(key);
      if (how === "killed") await server.kill();
      else server.pause();
      await revokeKeys({ ...fixture, keyNews: a.news }, ada.owner.id, byPerson(fixture, ada.owner));
      expect(await refused(a, ada.key)).toBe(true);
      if (how === "killed") {
        expect(await refused(b, ada.key)).toBe(false);
        fixture.clock.at += 5_000;
        expect(await refused(b, ada.key)).toBe(true);
        for (const { keys } of [a, b]) for (const { key } of [grace, tom]) await keys.find(key);
      }
      if (how === "killed") await server.start();
      else server.goOn();
      await untilListening(2);
      if (how === "killed") {
        expect(b.keys.find(grace.key)).not.toBeInstanceOf(Promise);
      }
      await revokeKeys({ ...fixture, keyNews: a.news }, tom.owner.id, byPerson(fixture, tom.owner));
      await until("the other is notified", () => refused(b, tom.key));
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
