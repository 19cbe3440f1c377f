/** Publishing: stored once however many try, with one event and one delivery each, read in the order of commits; on both databases. */

import { expect, test } from "bun:test";
import { type Lease, LeaseLost } from "#domain/account/ledger.ts";
import { PAST_DUE_GRACE_MILLISECONDS } from "#domain/account/organization.ts";
import type { CommittedEvent } from "#ports/webhooks.ts";
import { openPublisher } from "#test/store/ledger/engine/open-transaction.ts";
import { by, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import {
  claiming,
  eventOf,
  news,
  sender,
  short,
  version,
} from "#test/store/ledger/publications/publishing.ts";

const NO_ROOM = { free: 0, basic: 0, plus: 0, pro: 0 };

onBothLedgers("publishing", (bench) => {
  const all = { after: null, since: null, tables: null, limit: 1000 };
  const receivers = async () => {
    const rows = await bench.sql(
      "SELECT endpoint_id FROM webhook_deliveries ORDER BY event_position, endpoint_id",
    );
    return rows.map((row) => String(row["endpoint_id"]).slice(4));
  };

  test("the same version published 16 times at once on two connections is stored once, with one event and one delivery each", async () => {
    await sender(bench.ledger(), "a", ["1", "2"]);
    await sender(bench.ledger(), "b", ["3"]);
    const results = await bench.raced(16, ({ outbox }) => outbox.publish([news("x"), news("y")], NOON));
    expect([...results.flat().map((one) => one.publication)].sort()).toEqual(["x", "y"]);
    expect(await bench.ledger().outbox.changes(all)).toHaveLength(2);
    expect(await receivers()).toEqual(["1", "2", "3", "1", "2", "3"]);
    expect(await bench.sql("SELECT version FROM official_versions")).toHaveLength(2);
  });

  test("the content of a published version does not change; equal content is no new version; none may be left out", async () => {
    const { outbox, publications } = bench.ledger();
    await outbox.publish([news("x", 1)], NOON);
    const rival = news("x", 1, { fingerprint: "rival", sourceUrl: "https://rival.example" });
    expect(await outbox.publish([rival], NOON)).toEqual([]);
    expect(await outbox.publish([news("x", 2, { fingerprint: "x as of 1" })], NOON)).toEqual([]);
    await expect(outbox.publish([news("y", 1), news("x", 3)], NOON)).rejects.toThrow(
      "version 3 of mex_fix x would come after 1",
    );
    expect(await publications.find("mex_fix", "y", null)).toBeNull();
    const stored = await outbox.publish([news("y", 1), news("x", 2), news("x", 3)], NOON);
    expect(stored.map(({ publication, version: nth }) => `${publication}${nth}`)).toEqual(["y1", "x2", "x3"]);
    expect(await publications.find("mex_fix", "x", null)).toMatchObject({ version: 3 });
    expect(await publications.find("mex_fix", "x", 1)).toMatchObject({
      sourceUrl: "https://authority.example/table",
    });
    const ids = (await outbox.changes(all)).map(({ id }) => id.slice(12));
    expect(ids).toEqual(["x_v1", "y_v1", "x_v2", "x_v3"]);
  });

  test("a history of 75 is stored whole, some with an event: places follow each other, each with its deliveries", async () => {
    await sender(bench.ledger(), "a", ["1", "2"]);
    const { outbox, publications } = bench.ledger();
    const names = Array.from({ length: 75 }, (_, nth) => `p${nth}`);
    const history = names.map((name, nth) =>
      nth % 3 === 0 ? news(name) : { version: version(name), event: null },
    );
    const stored = await outbox.publish(history, NOON);
    expect(stored.map(({ publication }) => publication)).toEqual(names);
    expect(await outbox.publish(history, NOON)).toEqual([]);
    for (const name of names) expect(await publications.find("mex_fix", name, null)).toEqual(version(name));
    const loud = names.filter((_, nth) => nth % 3 === 0);
    const changes = await outbox.changes(all);
    expect(changes.map(({ id }) => id)).toEqual(loud.map((name) => eventOf(version(name)).id));
    const rows = await bench.sql("SELECT position FROM webhook_events ORDER BY position");
    expect(rows.map(({ position }) => Number(position))).toEqual(loud.map((_, nth) => nth + 1));
    expect(await receivers()).toEqual(loud.flatMap(() => ["1", "2"]));
  });

  test("nothing is stored under a lease that another process has taken, or that was released", async () => {
    const leaseClock = { now: () => now };
    let now = NOON;
    const { outbox, leases, publications } = await bench.another({ leaseClock });
    const lease = (await leases.acquire("official-collection", "a", 1000)) as Lease;
    expect(await outbox.publish([news("x", 1)], NOON, lease)).toHaveLength(1);
    now += 1000;
    // Nobody has taken it: a process that was slow goes on.
    expect(await outbox.publish([news("x", 2)], NOON, lease)).toHaveLength(1);
    const other = (await leases.acquire("official-collection", "b", 1000)) as Lease;
    // As given before a failover to a database that was behind.
    const unknown = { ...other, holder: "c" };
    await expect(outbox.publish([news("y", 1)], NOON, unknown)).rejects.toThrow(LeaseLost);
    await expect(outbox.publish([news("x", 3), news("y", 1)], NOON, lease)).rejects.toThrow(LeaseLost);
    await leases.release(other);
    await expect(outbox.publish([news("x", 3), news("y", 1)], NOON, other)).rejects.toThrow(LeaseLost);
    expect(await publications.find("mex_fix", "x", null)).toMatchObject({ version: 2 });
    expect(await publications.find("mex_fix", "y", null)).toBeNull();
    expect(await outbox.changes(all)).toHaveLength(2);
  });

  test("endpoints receive the events they chose; a version without an event is stored and sent to none", async () => {
    await sender(bench.ledger(), "a", ["new"], { events: ["official.published"] });
    await sender(bench.ledger(), "b", ["corrected"], { events: ["official.corrected"] });
    await sender(bench.ledger(), "c", ["both"]);
    const { outbox } = bench.ledger();
    await outbox.publish([{ version: version("old"), event: null }], NOON);
    expect(await receivers()).toEqual([]);
    await outbox.publish([news("x", 1)], NOON);
    expect(await receivers()).toEqual(["both", "new"]);
    await outbox.publish([news("old", 2)], NOON);
    expect(await receivers()).toEqual(["both", "new", "both", "corrected"]);
  });

  test("only organizations that may send receive, when it is published and when it would be sent", async () => {
    const ledger = bench.ledger();
    const since = NOON - PAST_DUE_GRACE_MILLISECONDS;
    const accountStates = {
      basic: { tier: "basic" },
      plus: { tier: "plus" },
      pro: {},
      suspended: { status: "suspended" },
      canceled: { status: "canceled" },
      overdue: { status: "past_due", pastDueSince: since },
      grace: { status: "past_due", pastDueSince: since + 1 },
    } as const;
    for (const [name, patch] of Object.entries(accountStates)) {
      const { organizationId } = await sender(ledger, name, [name]);
      await ledger.organizations.change(organizationId, patch, by());
    }
    const { owner } = await sender(ledger, "owner", ["owner"]);
    const late = await sender(ledger, "late", ["late"]);
    await ledger.identities.change(owner.id, { suspendedAt: NOON }, by());
    await ledger.outbox.publish([news("x")], NOON);
    expect(await receivers()).toEqual(["grace", "late", "plus", "pro"]);
    await ledger.organizations.change(late.organizationId, { status: "suspended" }, by());
    const sent = await ledger.outbox.claim(claiming({ at: NOON + 1 }));
    expect([...short(sent)].sort()).toEqual(["plus x", "pro x"]);
    await ledger.organizations.change(late.organizationId, { status: "active" }, by());
    expect(short(await ledger.outbox.claim(claiming({ at: NOON + 1 })))).toEqual(["late x"]);
    const none = await bench.another({ endpointLimits: NO_ROOM });
    const pro = await bench.another({ endpointLimits: { ...NO_ROOM, pro: 25 } });
    await none.outbox.publish([news("y")], NOON);
    await pro.outbox.publish([news("z")], NOON);
    expect((await receivers()).slice(4)).toEqual(["grace", "late", "pro"]);
  });

  test("a test event is for one endpoint alone, queued once, and no official change", async () => {
    await sender(bench.ledger(), "a", ["1", "2"]);
    const { outbox } = bench.ledger();
    const test = {
      id: `evt_test_${NOON}`,
      type: "webhook.test",
      createdAt: NOON,
      body: '{"id":"t"}',
    } as const;
    const queued = await outbox.publishTest(test, "whe_1", NOON);
    const pending = { state: "pending", attempts: 0, dueAt: NOON };
    expect(queued).toMatchObject({ endpointId: "whe_1", eventId: test.id, ...pending });
    expect(await outbox.publishTest(test, "whe_1", NOON + 5)).toEqual(queued);
    // Of the same millisecond, for another endpoint: another event.
    expect((await outbox.publishTest(test, "whe_2", NOON))?.id).not.toBe(queued?.id);
    expect(await outbox.publishTest(test, "whe_3", NOON)).toBeNull();
    expect(await receivers()).toEqual(["1", "2"]);
    expect(await outbox.changes(all)).toEqual([]);
  });

  test("changes are found after a place, since an instant, by table", async () => {
    const { outbox } = bench.ledger();
    const tables = ["mex_fix", "mex_dof", "pol_a"];
    const nthNews = (nth: number) =>
      news(`p${nth}`, 1, { table: tables[nth % 3] ?? "", retrievedAt: NOON + nth });
    for (let nth = 0; nth < 9; nth++) await outbox.publish([nthNews(nth)], NOON);
    const found = async (query: object) =>
      (await outbox.changes({ ...all, ...query })).map(({ id }) => id.match(/p\d/)?.[0]);
    const [, second] = await outbox.changes(all);
    expect(second).toMatchObject(nthNews(1).event);
    expect(await found({ after: second?.position, limit: 2 })).toEqual(["p2", "p3"]);
    expect(await found({ since: NOON + 7 })).toEqual(["p7", "p8"]);
    expect(await found({ tables: ["pol_a", "mex_fix"], since: NOON + 3 })).toEqual(["p3", "p5", "p6", "p8"]);
    expect(await found({ tables: ["mex_dof"], after: second?.position })).toEqual(["p4", "p7"]);
    expect(await found({ tables: ["nowhere"] })).toEqual([]);
    expect(await found({ tables: [] })).toEqual([]);
  });

  test("changes since an instant are all from the first of it on, also those that a wrong clock dates earlier", async () => {
    const { outbox } = bench.ledger();
    const instants = [0, 5, 2, 9, 3];
    for (const [nth, offset] of instants.entries())
      await outbox.publish(
        [news(`p${nth}`, 1, { retrievedAt: NOON + offset, table: nth === 1 ? "pol_a" : "mex_fix" })],
        NOON,
      );
    const found = async (since: number, tables: readonly string[] | null = null) =>
      (await outbox.changes({ ...all, since, tables })).map(({ id }) => id.match(/p\d/)?.[0]);
    expect(await found(NOON + 4)).toEqual(["p1", "p2", "p3", "p4"]);
    expect(await found(NOON + 4, ["mex_fix"])).toEqual(["p2", "p3", "p4"]);
    expect(await found(NOON + 6)).toEqual(["p3", "p4"]);
    expect(await found(NOON + 10)).toEqual([]);
  });

  test("a publisher waits for another's open transaction, and comes after it: no gap is ever filled later", async () => {
    const first = await openPublisher(bench, "evt_first");
    let settled = false;
    const published = bench.ledger().outbox.publish([news("second")], NOON);
    const second = published.finally(() => {
      settled = true;
    });
    await first.hasAnotherWaiting();
    for (let nth = 0; nth < 20; nth++) expect(await bench.ledger().outbox.changes(all)).toEqual([]);
    expect(settled).toBe(false);
    await first.commit();
    expect(await second).toHaveLength(1);
    const changes = await bench.ledger().outbox.changes(all);
    expect(changes.map(({ id, position }) => [id, position])).toEqual([
      ["evt_first", 1],
      ["evt_mex_fix_second_v1", 2],
    ]);
  });

  test("a reader that follows 60 publications of four publishers misses none", async () => {
    const ledgers = [bench.ledger(), await bench.another(), await bench.another(), await bench.another()];
    const reader = await bench.another();
    let publishing = true;
    const writers = Promise.all(
      ledgers.map(async ({ outbox }, who) => {
        for (let nth = 0; nth < 15; nth++) await outbox.publish([news(`${who}-${nth}`)], NOON);
      }),
    ).finally(() => {
      publishing = false;
    });
    const followed: CommittedEvent[] = [];
    for (;;) {
      const isLast = !publishing;
      const after = followed.at(-1)?.position ?? null;
      const page = await reader.outbox.changes({ ...all, after, limit: 7 });
      followed.push(...page);
      if (isLast && page.length === 0) break;
      // Publishers of this process need a turn of the event loop too.
      await Bun.sleep(0);
    }
    await writers;
    expect(new Set(followed.map(({ id }) => id)).size).toBe(60);
    expect(followed).toEqual([...(await reader.outbox.changes(all))]);
  });
});
