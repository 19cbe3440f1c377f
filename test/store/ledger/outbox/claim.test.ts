/** Claims, completions, replays, pruning: each attempt in one hand, endpoints in turns, nothing noted twice; what dead workers held. On both databases. */

import { expect, test } from "bun:test";
import { type AttemptOutcome, DEAD_MILLISECONDS } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openTransaction } from "#test/store/ledger/engine/open-transaction.ts";
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
    expect(await outbox.deliveries("whe_1", other.organizationId, 5)).toEqual([]);
    const [delivery] = await outbox.deliveries("whe_1", organizationId, 5);
    expect(delivery?.tries.map(({ status, fault }) => status ?? fault)).toEqual(["timeout", "timeout", 200]);
    const actions = await audited(bench.ledger(), `organization:${organizationId}`);
    expect(actions.filter((action) => action === "webhook_delivery.replayed")).toHaveLength(2);
    for (let nth = 0; nth < 49; nth++) {
      await replay(NOON + 7);
      await outbox.complete(await only(NOON + 7), OK, DELIVERED, NOON + 8 + nth);
    }
    const [often] = await outbox.deliveries("whe_1", organizationId, 5);
    expect([often?.attempts, often?.tries.length, often?.tries.at(-1)?.at]).toEqual([52, 50, NOON + 56]);
  });

  test("pruning deletes what ended long ago with its attempts, and never a publication or an official event", async () => {
    const { organizationId } = await sender(bench.ledger(), "a", ["1"]);
    const { outbox, publications } = bench.ledger();
    await publish("x", "y");
    const hello = { type: "webhook.test", createdAt: NOON, body: "{}" } as const;
    for (const id of ["evt_test_1", "evt_test_2"]) await outbox.publishTest({ ...hello, id }, "whe_1", NOON);
    const [x, y] = twoOf(await claim(NOON));
    await outbox.complete(x, OK, DELIVERED, NOON + 1);
    await outbox.complete(y, FAILED, { state: "pending", dueAt: NOON + HOUR }, NOON + 1);
    await outbox.complete(await only(NOON + 2), OK, DELIVERED, NOON + 2);
    expect(await outbox.prune(NOON + 1)).toBe(0);
    expect(await outbox.prune(NOON + 3)).toBe(2);
    const left = await outbox.deliveries("whe_1", organizationId, 5);
    expect(left.map(({ event, attempts }) => `${event.id} ${attempts}`)).toEqual([
      "evt_test_2 0",
      "evt_mex_fix_y_v1 1",
    ]);
    expect(await bench.sql("SELECT delivery_id FROM webhook_attempts")).toHaveLength(1);
    expect(await bench.sql("SELECT id FROM webhook_events")).toHaveLength(3);
    // It can still be sent, however late a clock says it is.
    expect(await outbox.prune(NOON + 10_000 * HOUR)).toBe(0);
    await bench.ledger().organizations.change(organizationId, { status: "suspended" }, by());
    expect(await outbox.prune(NOON + HOUR)).toBe(0);
    // The other one is in a worker's hands.
    expect(await outbox.prune(NOON + 2 * HOUR)).toBe(1);
    expect(await outbox.changes({ after: null, since: null, tables: null, limit: 9 })).toHaveLength(2);
    expect(await publications.find("mex_fix", "x", 1)).not.toBeNull();
  });
});

onBothLedgers("workers", (bench) => {
  /** A ledger on a clock of the test's own, one endpoint, and deliveries of these events. */
  async function begun(...events: readonly string[]) {
    const clock = { at: NOON, now: () => clock.at };
    const ledger = await bench.another({ leaseClock: clock });
    const { organizationId } = await sender(ledger, "a", ["1"]);
    await publishNews(ledger, events);
    return { clock, ledger, organizationId };
  }
  const claim = ({ outbox }: Ledger, worker: string, takesOver = true) =>
    outbox.claim(claiming({ worker, takesOver }));
  const workers = async () =>
    (await bench.sql("SELECT id FROM delivery_workers ORDER BY id")).map(({ id }) => id);

  test("a dead worker's claims are others' after 4 s of silence, not before, and its room at the endpoint too", async () => {
    const { clock, ledger, organizationId } = await begun("x", "y", "z");
    const [x, y] = twoOf(await claim(ledger, "wrk_dead"));
    expect(short([x, y])).toEqual(["1 x", "1 y"]);
    clock.at += DEAD_MILLISECONDS - 1;
    expect(await claim(ledger, "wrk_other")).toEqual([]);
    clock.at += 1;
    expect(await claim(ledger, "wrk_other", false)).toEqual([]);
    const taken = await claim(ledger, "wrk_other");
    expect(short(taken)).toEqual(["1 x", "1 y"]);
    const { outbox } = ledger;
    expect(await outbox.complete(x, OK, DELIVERED, NOON)).toBe(false);
    for (const one of taken) expect(await outbox.complete(one, OK, DELIVERED, NOON)).toBe(true);
    expect(short(await claim(ledger, "wrk_other"))).toEqual(["1 z"]);
    const all = await outbox.deliveries("whe_1", organizationId, 5);
    expect(all.map(({ attempts }) => attempts)).toEqual([0, 1, 1]);
    expect(await workers()).toEqual(["wrk_other"]);
  });

  test("a heartbeat extends claims for as long as it lasts; one that comes too late finds the worker gone", async () => {
    const { clock, ledger } = await begun("x");
    const { outbox } = ledger;
    expect(await outbox.beat("wrk_1")).toBe(false);
    await claim(ledger, "wrk_1");
    for (let second = 0; second < 3 * (DEAD_MILLISECONDS / 1_000); second++) {
      clock.at += 1_000;
      expect(await outbox.beat("wrk_1")).toBe(true);
      expect(await claim(ledger, "wrk_2")).toEqual([]);
    }
    clock.at += DEAD_MILLISECONDS;
    expect(await claim(ledger, "wrk_2")).toHaveLength(1);
    expect(await outbox.beat("wrk_1")).toBe(false);
    expect(await outbox.beat("wrk_2")).toBe(true);
  });

  test("another claim of the same worker is a heartbeat for all that it holds", async () => {
    const { clock, ledger } = await begun("x", "y");
    const { outbox } = ledger;
    await outbox.claim(claiming({ limit: 1 }));
    clock.at += DEAD_MILLISECONDS - 1;
    expect(short(await outbox.claim(claiming({ limit: 1 })))).toEqual(["1 y"]);
    clock.at += DEAD_MILLISECONDS - 1;
    expect(await claim(ledger, "wrk_2")).toEqual([]);
  });

  test("a worker that was silent for long takes nothing from itself, and may record what no other has taken over: its attempt was made", async () => {
    const { clock, ledger } = await begun("x", "y", "z");
    const { outbox } = ledger;
    const [x, y] = twoOf(await claim(ledger, "wrk_silent"));
    await outbox.claim(claiming({ worker: "wrk_dead", perEndpoint: 3 }));
    clock.at += 10 * DEAD_MILLISECONDS;
    expect(await claim(ledger, "wrk_silent")).toEqual([]);
    expect(await outbox.beat("wrk_silent")).toBe(true);
    clock.at += DEAD_MILLISECONDS;
    expect(short(await outbox.claim(claiming({ limit: 1, takesOver: true })))).toEqual(["1 x"]);
    expect(await outbox.complete(x, OK, DELIVERED, NOON)).toBe(false);
    expect(await outbox.complete(y, OK, DELIVERED, NOON)).toBe(true);
    expect(short(await claim(ledger, "wrk_other"))).toEqual(["1 z"]);
  });

  test("a clock that is set back by an hour extends no worker's life, and ends no worker that sends heartbeats", async () => {
    const { clock, ledger } = await begun("x", "y", "z");
    const { outbox } = ledger;
    await outbox.claim(claiming({ worker: "wrk_dead", limit: 1 }));
    await outbox.claim(claiming({ worker: "wrk_live", limit: 1 }));
    clock.at -= 3_600_000;
    expect(await outbox.beat("wrk_live")).toBe(true);
    const taken = await claim(ledger, "wrk_other");
    expect(short(taken)).toEqual(["1 x"]);
    expect(await workers()).toEqual(["wrk_live", "wrk_other"]);
  });

  test("a worker that retires leaves nothing behind, and what others hold is theirs", async () => {
    const { ledger } = await begun("x", "y");
    const { outbox } = ledger;
    await outbox.claim(claiming({ worker: "wrk_1", limit: 1 }));
    await outbox.claim(claiming({ worker: "wrk_2", limit: 1 }));
    await outbox.retire("wrk_1");
    await outbox.retire("wrk_none");
    expect(short(await claim(ledger, "wrk_3"))).toEqual(["1 x"]);
    expect(await workers()).toEqual(["wrk_2", "wrk_3"]);
  });

  test("rows of workers that ended are pruned, once they hold nothing; while nothing is due, looking writes nothing", async () => {
    const { clock, ledger } = await begun("x", "y");
    const x = oneOf(await claim(ledger, "wrk_done"));
    await ledger.outbox.retire("wrk_done");
    const again = oneOf(await ledger.outbox.claim(claiming({ worker: "wrk_done", limit: 1 })));
    expect(again.id).toBe(x.id);
    await ledger.outbox.complete(again, OK, DELIVERED, NOON);
    await ledger.outbox.claim(claiming({ worker: "wrk_holds", limit: 1 }));
    await ledger.outbox.prune(NOON - 1);
    expect(await workers()).toEqual(["wrk_done", "wrk_holds"]);
    clock.at += DEAD_MILLISECONDS;
    expect(await claim(ledger, "wrk_other", false)).toEqual([]);
    expect(await workers()).toEqual(["wrk_done", "wrk_holds"]);
    await ledger.outbox.prune(NOON - 1);
    expect(await workers()).toEqual(["wrk_holds"]);
  });

  test("a heartbeat and a takeover at once: either the worker lives with all its claims, or it is notified", async () => {
    for (let round = 0; round < 5; round++) {
      const clock = { at: NOON, now: () => clock.at };
      const ledger = await bench.another({ leaseClock: clock });
      const other = await bench.another({ leaseClock: clock });
      await sender(ledger, `r${round}`, [`r${round}`]);
      await ledger.outbox.publish([news(`n${round}`)], NOON);
      const held = await ledger.outbox.claim(claiming({ worker: `wrk_${round}a`, limit: 100 }));
      clock.at += DEAD_MILLISECONDS;
      const [lives, ...taken] = await Promise.all([
        ledger.outbox.beat(`wrk_${round}a`),
        other.outbox.claim(claiming({ worker: `wrk_${round}b`, limit: 100, takesOver: true })),
        other.outbox.claim(claiming({ worker: `wrk_${round}c`, limit: 100, takesOver: true })),
      ]);
      expect(held.length).toBe(round + 1);
      expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(taken.flat().length);
      if (lives) expect(taken.flat()).toEqual([]);
      for (const one of held) {
        const isTaken = taken.flat().some(({ id }) => id === one.id);
        expect(await ledger.outbox.complete(one, OK, DELIVERED, NOON)).toBe(!isTaken);
      }
      for (const one of taken.flat()) await other.outbox.complete(one, OK, DELIVERED, NOON);
    }
  });

  test("of completions that come together one that is refused fails alone", async () => {
    const { ledger, organizationId } = await begun("x", "y");
    const { outbox } = ledger;
    const [x, y] = twoOf(await claim(ledger, "wrk_1"));
    const odd = { ...OK, fault: "timeout", status: null, milliseconds: Number.NaN } as const;
    // The first is written at once, those that come meanwhile together.
    const [stale, first, second] = await Promise.allSettled([
      outbox.complete({ id: x.id, token: "clm_other" }, OK, DELIVERED, NOON),
      outbox.complete(x, odd, DELIVERED, NOON),
      outbox.complete(y, OK, DELIVERED, NOON),
    ]);
    expect(first.status).toBe("rejected");
    expect(second).toEqual({ status: "fulfilled", value: true });
    expect(stale).toEqual({ status: "fulfilled", value: false });
    const all = await outbox.deliveries("whe_1", organizationId, 5);
    expect(all.map(({ state }) => state)).toEqual(["delivered", "pending"]);
    const again = [x, { ...x, token: "clm_other" }, x, x];
    const results = await Promise.all(again.map((one) => outbox.complete(one, OK, DELIVERED, NOON)));
    expect(results).toEqual([true, false, false, false]);
  });

  test("a takeover that finds a completion under way waits for it, and takes nothing that has ended", async () => {
    const { clock, ledger } = await begun("x");
    const held = oneOf(await claim(ledger, "wrk_1"));
    const completing = await openTransaction(bench);
    await completing.run(
      `UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, worker = NULL, token = NULL WHERE id = '${held.id}'`,
    );
    clock.at += DEAD_MILLISECONDS;
    const taking = claim(ledger, "wrk_2");
    await Bun.sleep(0);
    await completing.commit();
    expect(await taking).toEqual([]);
  });
});
