/** Endpoints beyond the plan's number: nothing is queued or sent, what was queued ends with the reason; the oldest continue. On both databases. */

import { expect, test } from "bun:test";
import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Ledger } from "#ports/ledger.ts";
import { by, HOUR, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
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
