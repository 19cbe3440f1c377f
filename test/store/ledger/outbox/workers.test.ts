/** Whose a claim is: it ends with its worker's row, and a row with its heartbeat, by the ledger's own clock; on both databases. */

import { expect, test } from "bun:test";
import { DEAD_MILLISECONDS } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openTransaction } from "#test/store/ledger/engine/open-transaction.ts";
import { NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
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
} from "#test/store/ledger/publications/publishing.ts";

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
    const { clock, ledger } = await begun("x", "y");
    const { outbox } = ledger;
    const [x, y] = twoOf(await claim(ledger, "wrk_silent"));
    clock.at += 10 * DEAD_MILLISECONDS;
    expect(await claim(ledger, "wrk_silent")).toEqual([]);
    expect(await outbox.beat("wrk_silent")).toBe(true);
    clock.at += DEAD_MILLISECONDS;
    expect(short(await outbox.claim(claiming({ limit: 1, takesOver: true })))).toEqual(["1 x"]);
    expect(await outbox.complete(x, OK, DELIVERED, NOON)).toBe(false);
    expect(await outbox.complete(y, OK, DELIVERED, NOON)).toBe(true);
    expect(await claim(ledger, "wrk_other")).toEqual([]);
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
    const [first, second, stale] = await Promise.allSettled([
      outbox.complete(x, odd, DELIVERED, NOON),
      outbox.complete(y, OK, DELIVERED, NOON),
      outbox.complete({ id: x.id, token: "clm_other" }, OK, DELIVERED, NOON),
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
