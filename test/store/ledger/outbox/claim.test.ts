/** Claims, completions, replays, pruning: each attempt in one hand, endpoints in turns, nothing noted twice; on both databases. */

import { expect, test } from "bun:test";
import type { AttemptOutcome } from "#domain/webhook/endpoint.ts";
import { audited, by, HOUR, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import {
  claiming,
  DELIVERED,
  news,
  OK,
  oneOf,
  publishNews,
  sender,
  short,
  twoOf,
  wanted,
} from "#test/store/ledger/publications/publishing.ts";

const FAILED: AttemptOutcome = {
  ...{ status: null, fault: "timeout", milliseconds: 10_000.4, address: null, head: null },
};
/** Longer than any worker's silence. */
const LONG = 60_000;

onBothLedgers("deliveries", (bench) => {
  const claim = (at = NOON, limit = 10, perEndpoint = 2, ledger = bench.ledger()) =>
    ledger.outbox.claim(claiming({ at, limit, perEndpoint }));
  const publish = (...names: readonly string[]) => publishNews(bench.ledger(), names);
  const only = async (at = NOON) => oneOf(await claim(at));

  test("what is claimed comes with its event and its endpoint, and is no other worker's however long it takes", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    await publish("x");
    expect(await claim(NOON - 1)).toEqual([]);
    const claimed = await only();
    expect(claimed).toMatchObject({ endpointId: "whe_1", state: "pending", attempts: 0, dueAt: NOON });
    expect(claimed.event).toEqual(news("x").event);
    const { url, secret } = wanted();
    expect(claimed.endpoint).toMatchObject({ id: "whe_1", organizationId, url, secret });
    const { outbox } = bench.ledger();
    const others = { at: NOON + HOUR, worker: "wrk_2", takesOver: true };
    expect(await outbox.claim(claiming(others))).toEqual([]);
    expect(await outbox.complete(claimed, OK, DELIVERED, NOON + LONG)).toBe(true);
    expect(await outbox.complete(claimed, OK, DELIVERED, NOON + LONG + 1)).toBe(false);
    const [delivery] = await outbox.deliveries("whe_1", organizationId, 5);
    expect(delivery).toMatchObject({ state: "delivered", attempts: 1, dueAt: null });
    expect(delivery?.tries).toEqual([{ ...OK, at: NOON + LONG }]);
  });

  test("a claim that is given back is due again at once, and no longer its worker's; the backlog is what no worker has claimed", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    await publish("x", "y", "z");
    const { organizations, outbox } = bench.ledger();
    expect(await outbox.backlog(NOON - 1)).toEqual({ due: 0, oldestDueAt: null });
    expect(await outbox.backlog(NOON + 1)).toEqual({ due: 3, oldestDueAt: NOON });
    const [first, second] = twoOf(await claim(NOON + 1));
    expect(await outbox.backlog(NOON + 1)).toEqual({ due: 1, oldestDueAt: NOON });
    await outbox.release([first, { ...second, token: first.id }]);
    await outbox.release([]);
    expect(await outbox.complete(first, OK, DELIVERED, NOON + 1)).toBe(false);
    expect(await outbox.backlog(NOON + 1)).toEqual({ due: 2, oldestDueAt: NOON });
    expect(short(await claim(NOON + 1))).toEqual(["1 x"]);
    await outbox.release([first]);
    await organizations.change(organizationId, { status: "suspended" }, by());
    expect(await outbox.backlog(NOON + HOUR)).toEqual({ due: 0, oldestDueAt: null });
  });

  test("16 workers on two connections claim each delivery once, and never more of an endpoint than it may have out", async () => {
    await sender(bench.ledger(), "a", ["1", "2", "3"]);
    await publish("u", "v", "w", "x", "y");
    for (let round = 0; round < 3; round++) {
      const claims = await bench.raced(16, (ledger) => claim(NOON, 4, 2, ledger));
      // One that meets another at work passes its endpoints over: the next comes for what is left.
      const claimed = [...claims.flat(), ...(await claim(NOON, 20)), ...(await claim(NOON, 20))];
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
      const each = Map.groupBy(claimed, ({ endpointId }) => endpointId);
      expect([...each.values()].map((some) => some.length)).toEqual(new Array(3).fill(round < 2 ? 2 : 1));
      for (const one of claimed) await bench.ledger().outbox.complete(one, OK, DELIVERED, NOON);
    }
    expect(await claim(NOON, 20)).toEqual([]);
  });

  test("one slow receiver starves no other: endpoints take turns, the oldest of each first", async () => {
    await sender(bench.ledger(), "a", ["slow"]);
    await publish("s1", "s2", "s3", "s4");
    expect(short(await claim(NOON))).toEqual(["slow s1", "slow s2"]);
    await sender(bench.ledger(), "b", ["b", "c"]);
    await publish("x1", "x2");
    const next = await claim(NOON + 1, 3);
    expect(short(next)).toEqual(["b x1", "c x1", "b x2"]);
    for (const one of next) await bench.ledger().outbox.complete(one, OK, DELIVERED, NOON + 2);
    expect(short(await claim(NOON + 3, 3))).toEqual(["c x2"]);
    await bench.ledger().outbox.retire("wrk_1");
    expect(short(await claim(NOON + 4, 3))).toEqual(["slow s1", "c x2", "slow s2"]);
  });

  test("with fewer hands than endpoints each has its turn before any has a second", async () => {
    await sender(bench.ledger(), "a", ["1", "2", "3", "4", "5"]);
    await publish("x", "y", "z");
    const turns: string[] = [];
    for (let nth = 0; nth < 10; nth++) {
      for (const one of await claim(NOON + nth, 1)) {
        turns.push(one.endpointId.slice(4));
        await bench.ledger().outbox.complete(one, OK, DELIVERED, NOON + nth);
      }
    }
    expect(turns).toEqual(["1", "2", "3", "4", "5", "1", "2", "3", "4", "5"]);
  });

  test("replay is an attempt of the same delivery, one that waits or one that has ended; audited once however often; not another organization's", async () => {
    const { owner, organizationId } = await sender(bench.ledger(), "a", ["1"]);
    const other = await sender(bench.ledger(), "b", []);
    const { outbox } = bench.ledger();
    expect(await outbox.failing(10)).toEqual([]);
    await publish("x");
    const claimed = await only();
    await outbox.complete(claimed, FAILED, { state: "pending", dueAt: NOON + HOUR }, NOON + 1);
    const failing = { endpointId: "whe_1", url: wanted().url, ownerId: owner.id, deliveries: 1 };
    expect(await outbox.failing(10)).toEqual([{ ...failing, lastAt: NOON + 1, nextAt: NOON + HOUR }]);
    expect(await outbox.replay(claimed.id, other.organizationId, NOON + 2, by())).toBeNull();
    expect(await outbox.replay("whd_none", organizationId, NOON + 2, by())).toBeNull();
    const replay = (at: number) => outbox.replay(claimed.id, organizationId, at, by());
    const due = (attempts: number, dueAt: number) => ({ id: claimed.id, state: "pending", attempts, dueAt });
    for (const at of [NOON + 2, NOON + 9]) expect(await replay(at)).toMatchObject(due(1, NOON + 2));
    const again = await only(NOON + 2);
    expect(await replay(NOON + 3)).toMatchObject(due(1, NOON + 2));
    await outbox.complete(again, FAILED, { state: "failed", dueAt: null }, NOON + 4);
    for (const at of [NOON + 5, NOON + 9]) expect(await replay(at)).toMatchObject(due(2, NOON + 5));
    await outbox.complete(await only(NOON + 5), OK, DELIVERED, NOON + 6);
    expect(await outbox.failing(10)).toEqual([]);
    const [delivery] = await outbox.deliveries("whe_1", organizationId, 5);
    expect(delivery?.tries.map(({ status, fault }) => status ?? fault)).toEqual(["timeout", "timeout", 200]);
    const actions = await audited(bench.ledger(), `organization:${organizationId}`);
    expect(actions.filter((action) => action === "webhook_delivery.replayed")).toHaveLength(2);
  });

  test("pruning deletes what ended long ago with its attempts, and never a publication or an official event", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    const { outbox, publications } = bench.ledger();
    await publish("x", "y");
    const hello = { id: "evt_test_1", type: "webhook.test", createdAt: NOON, body: "{}" } as const;
    await outbox.publishTest(hello, "whe_1", NOON);
    const [x, y] = twoOf(await claim(NOON));
    await outbox.complete(x, OK, DELIVERED, NOON + 1);
    await outbox.complete(y, FAILED, { state: "pending", dueAt: NOON + HOUR }, NOON + 1);
    await outbox.complete(await only(NOON + 2), OK, DELIVERED, NOON + 2);
    expect(await outbox.prune(NOON + 1)).toBe(0);
    expect(await outbox.prune(NOON + 3)).toBe(2);
    const left = await outbox.deliveries("whe_1", organizationId, 5);
    expect(left.map(({ event, attempts }) => [event.id, attempts])).toEqual([["evt_mex_fix_y_v1", 1]]);
    expect(await bench.sql("SELECT delivery_id FROM webhook_attempts")).toHaveLength(1);
    expect(await bench.sql("SELECT id FROM webhook_events")).toHaveLength(2);
    // It can still be sent, however late a clock says it is.
    expect(await outbox.prune(NOON + 10_000 * HOUR)).toBe(0);
    await bench.ledger().organizations.change(organizationId, { status: "suspended" }, by());
    expect(await outbox.prune(NOON + 2 * HOUR)).toBe(1);
    expect(await outbox.changes({ after: null, since: null, tables: null, limit: 9 })).toHaveLength(2);
    expect(await publications.find("mex_fix", "x", 1)).not.toBeNull();
  });
});
