/** Webhook endpoints: added up to a limit, changed, removed, rewrapped, gone with their organization; beyond the plan's number nothing is queued or sent. On both databases. */

import { expect, test } from "bun:test";
import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openPublisher } from "#test/store/ledger/engine/open-transaction.ts";
import { account, audited, by, HOUR, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import {
  claiming,
  DELIVERED,
  news,
  OK,
  publishNews,
  sender,
  short,
  twoOf,
  wanted,
} from "#test/store/ledger/publications/publishing.ts";

onBothLedgers("webhook endpoints", (bench) => {
  test("20 added at once on two connections never pass the most; repeating one that was added adds nothing", async () => {
    const { organizationId } = await account(bench.ledger(), "a");
    const results = await bench.raced(20, ({ endpoints }, nth) =>
      endpoints.add(`whe_${nth}`, organizationId, wanted(), 5, by(NOON + nth)),
    );
    expect(results.filter((result) => result === "full")).toHaveLength(15);
    const held = await bench.ledger().endpoints.list(organizationId);
    expect(held).toHaveLength(5);
    expect(held.map(({ createdAt }) => createdAt)).toEqual(held.map(({ createdAt }) => createdAt).sort());
    const [first] = held;
    const again = bench.ledger().endpoints.add(first?.id ?? "", organizationId, wanted(), 5, by(NOON + 99));
    expect<unknown>(await again).toEqual(first);
    // For an organization that is gone meanwhile there is none.
    expect(await bench.ledger().endpoints.add("whe_20", "org_none", wanted(), 5, by())).toBeNull();
  });

  test("what changes is changed and audited without secrets; a new secret has its date; nothing of another organization", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    const other = await sender(bench.ledger(), "b", []);
    const { endpoints, audit } = bench.ledger();
    const change = (patch: object, owner = organizationId, at = NOON + 5) =>
      endpoints.change("whe_1", owner, patch, by(at));
    const patch = { description: "x", events: ["official.published"] };
    expect(await change(patch)).toMatchObject({ ...patch, secretAt: NOON });
    expect(await change({ description: "x" }, organizationId, NOON + 6)).toMatchObject({ secretAt: NOON });
    const sealed = await change({ secret: "sealed anew" }, organizationId, NOON + 7);
    expect(sealed).toMatchObject({ secretAt: NOON + 7 });
    expect(await change({ secret: "sealed anew" }, organizationId, NOON + 8)).toEqual(sealed);
    expect(JSON.stringify([sealed, await endpoints.list(organizationId)])).not.toContain("sealed");
    expect((await endpoints.find("whe_1"))?.secret).toBe("sealed anew");
    const moved = { url: "https://elsewhere.example/" };
    expect(await change(moved)).toMatchObject(moved);
    expect(await change({ description: "y" }, other.organizationId)).toBeNull();
    expect(await endpoints.remove("whe_1", other.organizationId, by())).toBe(false);
    expect(await endpoints.remove("whe_1", organizationId, by(NOON + 9))).toBe(true);
    expect(await endpoints.remove("whe_1", organizationId, by(NOON + 9))).toBe(false);
    const entries = await audit.list({ subject: `organization:${organizationId}` }, 20);
    expect(entries.map(({ action }) => action).filter((action) => action.startsWith("webhook"))).toEqual([
      "webhook_endpoint.deleted",
      "webhook_endpoint.changed",
      "webhook_endpoint.changed",
      "webhook_endpoint.changed",
      "webhook_endpoint.created",
    ]);
    expect(entries[0]?.detail).toEqual({ endpoint: "whe_1", host: "elsewhere.example", dropped: 0 });
    expect(JSON.stringify(entries)).not.toMatch(/sealed|hush/);
  });

  test("to one that is disabled nothing is queued or sent, what was queued waits, and both ends are audited", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1", "2"]);
    const { endpoints, outbox, audit } = bench.ledger();
    const set = (isEnabled: boolean) => endpoints.change("whe_1", organizationId, { isEnabled }, by());
    const claim = async () => [...short(await outbox.claim(claiming({ at: NOON + 9 })))].sort();
    await outbox.publish([news("x")], NOON);
    expect(await set(false)).toMatchObject({ id: "whe_1", isEnabled: false });
    await outbox.publish([news("y")], NOON + 1);
    expect(await outbox.backlog(NOON + 9)).toMatchObject({ due: 2 });
    expect(await claim()).toEqual(["2 x", "2 y"]);
    expect(await set(true)).toMatchObject({ isEnabled: true });
    expect(await claim()).toEqual(["1 x"]);
    // Setting what is so already is no change.
    await set(true);
    const audited = await audit.list({ subject: `organization:${organizationId}` }, 3);
    const changes = audited.map(({ action, detail }) => `${action} ${detail["changed"]}`);
    const changed = "webhook_endpoint.changed isEnabled";
    expect(changes).toEqual([changed, changed, "webhook_endpoint.created undefined"]);
  });

  test("envelopes are walked in order and replaced only as read", async () => {
    await sender(bench.ledger(), "a", ["2", "1", "3"]);
    const { endpoints } = bench.ledger();
    const [first] = await endpoints.envelopes(null, 1);
    const rest = await endpoints.envelopes("whe_1", 10);
    expect([first?.id, ...rest.map(({ id }) => id)]).toEqual(["whe_1", "whe_2", "whe_3"]);
    expect(await endpoints.rewrap("whe_1", "another", "new", by())).toBe(false);
    expect(await endpoints.rewrap("whe_1", first?.secret ?? "", "new", by())).toBe(true);
    expect(await endpoints.find("whe_1")).toMatchObject({ secret: "new", secretAt: NOON });
  });

  test("removing one drops what is still to be sent to it, also what a worker has in hand; what became of it stays readable", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1", "2"]);
    const { endpoints, outbox } = bench.ledger();
    await outbox.publish([news("a"), news("b"), news("c")], NOON);
    const claimed = await outbox.claim(claiming());
    const [sent, inHand] = twoOf(claimed.filter(({ endpointId }) => endpointId === "whe_1"));
    expect(await outbox.complete(sent, OK, DELIVERED, NOON + 1)).toBe(true);
    expect(await endpoints.remove("whe_1", organizationId, by())).toBe(true);
    expect(await outbox.complete(inHand, OK, DELIVERED, NOON + 2)).toBe(false);
    const left = await outbox.deliveries("whe_1", organizationId, 10);
    expect(left.map(({ state, tries }) => [state, tries.length])).toEqual([
      ["dropped", 0],
      ["dropped", 0],
      ["delivered", 1],
    ]);
    await outbox.retire("wrk_1");
    const later = await outbox.claim(claiming({ at: NOON + 40_000 }));
    expect(new Set(later.map(({ endpointId }) => endpointId))).toEqual(new Set(["whe_2"]));
    expect(await outbox.replay(sent.id, organizationId, NOON, by())).toBeNull();
  });

  test("an organization that is removed takes its endpoints, deliveries and attempts along, and no others", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1", "2"]);
    const other = await sender(bench.ledger(), "b", ["3"]);
    const { endpoints, organizations, outbox } = bench.ledger();
    await outbox.publish([news("a")], NOON);
    const test = { id: "evt_test_1", type: "webhook.test", createdAt: NOON, body: "{}" } as const;
    for (const id of ["whe_1", "whe_2", "whe_3"]) await outbox.publishTest(test, id, NOON);
    for (const claimed of await outbox.claim(claiming())) {
      await outbox.complete(claimed, OK, DELIVERED, NOON + 1);
    }
    await endpoints.remove("whe_2", organizationId, by());
    expect(await organizations.remove(organizationId, by())).toMatchObject({ outcome: "removed" });
    const owners = async (text: string) => (await bench.sql(text)).map((row) => Object.values(row)[0]);
    expect(await owners("SELECT id FROM webhook_endpoints")).toEqual(["whe_3"]);
    expect(await owners("SELECT organization_id FROM webhook_deliveries")).toEqual(
      new Array(2).fill(other.organizationId),
    );
    expect(await owners("SELECT delivery_id FROM webhook_attempts")).toHaveLength(2);
    expect(await owners("SELECT endpoint_id FROM webhook_events WHERE type = 'webhook.test'")).toEqual([
      "whe_3",
    ]);
    expect(await outbox.changes({ after: null, since: null, tables: null, limit: 9 })).toHaveLength(1);
    expect(await audited(bench.ledger(), `organization:${organizationId}`)).toContain("organization.deleted");
  });

  test("removing an endpoint waits for a publisher that has not committed yet, and drops what that queued", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    const publisher = await openPublisher(bench, "evt_x");
    await publisher.run(
      `INSERT INTO webhook_deliveries
         (id, organization_id, endpoint_id, event_position, state, attempts, due_at, changed_at)
       VALUES ('whd_x', '${organizationId}', 'whe_1', 1, 'pending', 0, 0, 0)`,
    );
    const removed = bench.ledger().endpoints.remove("whe_1", organizationId, by());
    await publisher.hasAnotherWaiting();
    await publisher.commit();
    expect(await removed).toBe(true);
    const left = await bench.ledger().outbox.deliveries("whe_1", organizationId, 5);
    expect(left.map(({ state }) => state)).toEqual(["dropped"]);
  });

  test("removing an organization raced with publishing and claiming leaves nothing of it behind", async () => {
    const other = await bench.another();
    for (let round = 0; round < 4; round++) {
      const { organizationId } = await sender(bench.ledger(), `r${round}`, [`${round}a`, `${round}b`]);
      await bench.ledger().outbox.publish([news(`before${round}`)], NOON);
      await Promise.all([
        other.outbox.publish([news(`${round}x`), news(`${round}y`)], NOON),
        other.outbox.claim(claiming()),
        bench.ledger().organizations.remove(organizationId, by()),
        other.outbox.publish([news(`${round}z`)], NOON),
        bench.ledger().outbox.claim(claiming()),
      ]);
    }
    expect(await bench.sql("SELECT id FROM webhook_endpoints")).toEqual([]);
    expect(await bench.sql("SELECT id FROM webhook_deliveries")).toEqual([]);
    expect(
      await bench.ledger().outbox.changes({ after: null, since: null, tables: null, limit: 99 }),
    ).toHaveLength(16);
    expect(bench.emitted()).toEqual([]);
  });
});

const LIMITS = { free: 0, basic: 1, plus: 2, pro: 25 } as const;
const RETRIED = { state: "pending", dueAt: NOON + HOUR } as const;
const FAILED = { status: 500, fault: null, milliseconds: 9, address: null, head: null } as const;

onBothLedgers("endpoints beyond the plan", (bench) => {
  const opened = () => bench.another({ endpointLimits: LIMITS });
  /** An organization with these endpoints, and what is queued for each of them. */
  async function begun(endpoints: readonly string[], ...events: readonly string[]) {
    const ledger = await opened();
    const { organizationId } = await sender(ledger, "a", endpoints);
    await publishNews(ledger, events);
    return { ledger, organizationId };
  }
  const change = (ledger: Ledger, organizationId: string, tier: Tier) =>
    ledger.organizations.change(organizationId, { tier }, by());
  const claim = async (ledger: Ledger, at = NOON) =>
    [...short(await ledger.outbox.claim(claiming({ at })))].sort();
  /** State and reason of all deliveries of an endpoint, oldest event first. */
  const ends = async (ledger: Ledger, organizationId: string, endpoint: string) =>
    (await ledger.outbox.deliveries(`whe_${endpoint}`, organizationId, 50))
      .map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`))
      .reverse();

  test("the oldest keep what is queued; that of the others ends as over_plan, whether it is due or waits for a retry", async () => {
    const { ledger, organizationId } = await begun(["1", "2", "3", "4"], "x");
    const claimed = await ledger.outbox.claim(claiming({ at: NOON }));
    for (const one of claimed) await ledger.outbox.complete(one, FAILED, RETRIED, NOON + 1);
    await ledger.outbox.publish([news("y")], NOON + 2);
    await change(ledger, organizationId, "plus");
    expect(await claim(ledger, NOON + 3)).toEqual(["1 y", "2 y"]);
    for (const kept of ["1", "2"])
      expect(await ends(ledger, organizationId, kept)).toEqual(["pending", "pending"]);
    for (const over of ["3", "4"])
      expect(await ends(ledger, organizationId, over)).toEqual(["dropped over_plan", "dropped over_plan"]);
    const newest = await ledger.outbox.deliveries("whe_3", organizationId, 1);
    expect(newest).toMatchObject([{ dueAt: null, attempts: 0 }]);
    expect(await ledger.outbox.backlog(NOON + 9 * HOUR)).toMatchObject({ due: 2 });
  });

  test("what only waits for a retry ends too, at the next look, though nothing is due", async () => {
    const { ledger, organizationId } = await begun(["1", "2"], "x");
    for (const one of await ledger.outbox.claim(claiming({ at: NOON })))
      await ledger.outbox.complete(one, FAILED, RETRIED, NOON + 1);
    await change(ledger, organizationId, "basic");
    expect(await claim(ledger, NOON + 2)).toEqual([]);
    expect(await ends(ledger, organizationId, "1")).toEqual(["pending"]);
    expect(await ends(ledger, organizationId, "2")).toEqual(["dropped over_plan"]);
  });

  test("nothing new is queued for them, and an upgrade or the end of an older one makes room, for events to come", async () => {
    const { ledger, organizationId } = await begun(["1", "2", "3"]);
    await change(ledger, organizationId, "plus");
    await ledger.outbox.publish([news("x")], NOON);
    expect(await ends(ledger, organizationId, "3")).toEqual([]);
    await ledger.endpoints.remove("whe_1", organizationId, by());
    await ledger.outbox.publish([news("y")], NOON);
    expect(await claim(ledger)).toEqual(["2 x", "2 y", "3 y"]);
    expect(await ends(ledger, organizationId, "1")).toEqual(["dropped endpoint_deleted"]);
    await ledger.endpoints.add("whe_4", organizationId, wanted(), 25, by());
    await ledger.outbox.publish([news("z")], NOON);
    expect(await ends(ledger, organizationId, "4")).toEqual([]);
    await change(ledger, organizationId, "pro");
    await ledger.outbox.publish([news("w")], NOON);
    expect(await ends(ledger, organizationId, "4")).toEqual(["pending"]);
  });

  test("a delivery that a worker has claimed finishes: delivered is delivered, and a failure ends at the next look", async () => {
    const { ledger, organizationId } = await begun(["1", "2"], "x", "y");
    const claimed = await ledger.outbox.claim(claiming({ at: NOON }));
    const [good, bad] = twoOf(claimed.filter(({ endpointId }) => endpointId === "whe_2"));
    await change(ledger, organizationId, "basic");
    expect(await claim(ledger, NOON + 1)).toEqual([]);
    expect(await ends(ledger, organizationId, "2")).toEqual(["pending", "pending"]);
    expect(await ledger.outbox.complete(good, OK, DELIVERED, NOON + 2)).toBe(true);
    expect(await ledger.outbox.complete(bad, FAILED, RETRIED, NOON + 2)).toBe(true);
    expect(await claim(ledger, NOON + 3)).toEqual([]);
    expect(await ends(ledger, organizationId, "2")).toEqual(["delivered", "dropped over_plan"]);
  });

  test("what a dead worker held ends instead of being claimed again; a late note of its attempt counts for nothing", async () => {
    const { ledger, organizationId } = await begun(["1", "2"], "x");
    const claimed = await ledger.outbox.claim(claiming({ at: NOON }));
    await change(ledger, organizationId, "basic");
    await ledger.outbox.retire("wrk_1");
    const again = await ledger.outbox.claim(claiming({ at: NOON + 1, worker: "wrk_2" }));
    expect(short(again)).toEqual(["1 x"]);
    expect(await ends(ledger, organizationId, "2")).toEqual(["dropped over_plan"]);
    for (const one of claimed) expect(await ledger.outbox.complete(one, OK, DELIVERED, NOON + 2)).toBe(false);
    expect(await ends(ledger, organizationId, "2")).toEqual(["dropped over_plan"]);
  });

  test("a plan that ends by time counts as a downgrade when the time has come; a suspension is none, and what is queued waits", async () => {
    const ledger = await opened();
    const overdue = await sender(ledger, "a", ["1"]);
    const suspended = await sender(ledger, "b", ["2"]);
    await ledger.outbox.publish([news("x")], NOON);
    const since = { status: "past_due", pastDueSince: NOON } as const;
    await ledger.organizations.change(overdue.organizationId, since, by());
    await ledger.organizations.change(suspended.organizationId, { status: "suspended" }, by());
    expect(await claim(ledger, NOON)).toEqual(["1 x"]);
    await ledger.outbox.retire("wrk_1");
    expect(await claim(ledger, NOON + PAST_DUE_GRACE_MILLISECONDS)).toEqual([]);
    expect(await ends(ledger, overdue.organizationId, "1")).toEqual(["dropped over_plan"]);
    expect(await ends(ledger, suspended.organizationId, "2")).toEqual(["pending"]);
    await ledger.organizations.change(suspended.organizationId, { status: "active" }, by());
    expect(await claim(ledger, NOON + PAST_DUE_GRACE_MILLISECONDS)).toEqual(["2 x"]);
  });

  test("a smaller number in plans.json is a downgrade like any other, from the first look with it", async () => {
    const { ledger, organizationId } = await begun(["1", "2"], "x");
    const smaller = await bench.another({ endpointLimits: { ...LIMITS, pro: 1 } });
    expect(await claim(smaller)).toEqual(["1 x"]);
    expect(await ends(ledger, organizationId, "2")).toEqual(["dropped over_plan"]);
  });

  test("one that ended so can be sent again once there is room, and then no longer names the plan", async () => {
    const { ledger, organizationId } = await begun(["1", "2"], "x");
    await change(ledger, organizationId, "basic");
    expect(await claim(ledger)).toEqual(["1 x"]);
    await change(ledger, organizationId, "plus");
    const [ended] = await ledger.outbox.deliveries("whe_2", organizationId, 1);
    await ledger.outbox.replay(ended?.id ?? "", organizationId, NOON + 1, by());
    expect(await ends(ledger, organizationId, "2")).toEqual(["pending"]);
    expect(await claim(ledger, NOON + 1)).toEqual(["2 x"]);
  });

  test("more than one batch ends too, and two workers that end it at the same time do not block each other", async () => {
    const many = Array.from({ length: 300 }, (_, nth) => `p${nth}`);
    const { ledger, organizationId } = await begun(["1", "2"], ...many);
    const other = await opened();
    await change(ledger, organizationId, "free");
    const look = (on: Ledger, worker: string) => on.outbox.claim(claiming({ at: NOON, worker }));
    for (let nth = 0; nth < 3; nth++) await Promise.all([look(ledger, "wrk_1"), look(other, "wrk_2")]);
    const ended = await bench.sql("SELECT state, reason FROM webhook_deliveries WHERE reason = 'over_plan'");
    expect(ended.filter(({ state }) => state === "dropped")).toHaveLength(600);
    expect(await ledger.outbox.backlog(NOON)).toEqual({ due: 0, oldestDueAt: null });
  });
});
