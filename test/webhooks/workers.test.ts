/** Workers beside each other, beside slow receivers, and beside owners who change their minds. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { MOST_AT_ONCE } from "#domain/webhook/rules.ts";
import { checkSignature } from "#domain/webhook/signature.ts";
import { by, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publishing.ts";
import { changeEndpoint } from "#webhooks/change-endpoint.ts";
import { deleteEndpoint } from "#webhooks/delete-endpoint.ts";
import { listDeliveries } from "#webhooks/list-deliveries.ts";
import { rotateSecret } from "#webhooks/rotate-secret.ts";
import { sendTest } from "#webhooks/send-test.ts";
import { waking } from "#webhooks/waking.ts";
import {
  endsWithEachTest,
  MINUTE,
  openRig,
  personWith,
  SECOND,
  settling,
  stretched,
  testClock,
} from "./rig.ts";

endsWithEachTest();
setDefaultTimeout(30_000);

/** Events of so many publications. */
const many = (count: number) =>
  Array.from({ length: count }, (_, nth) => news(`2026-10-${String(nth + 1).padStart(2, "0")}`));

onBothLedgers("workers", (bench) => {
  test("two of them never send the same attempt twice, however they race", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "pro");
    const receiver = rig.receiver();
    const paths = ["/a", "/b", "/c", "/d"];
    for (const path of paths) await rig.endpoint(ownerId, `${receiver.url}${path}`);
    const other = await bench.another();
    const workers = [
      rig.worker(),
      rig.worker({ outbox: other.outbox }),
      rig.worker({ outbox: other.outbox }),
    ];
    await ledger.outbox.publish(many(20), rig.clock.at);
    while (receiver.received.length < 80) await Promise.all(workers.map((worker) => worker.turn()));
    await Promise.all(workers.map((worker) => worker.turn()));
    const came = receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).id}`);
    expect(came).toHaveLength(80);
    expect(new Set(came).size).toBe(80);
  });

  test("one slow endpoint keeps nobody waiting, and is asked for no more at once than is bearable", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "pro");
    const open = Promise.withResolvers<number>();
    const slow = rig.receiver(() => open.promise);
    const quick = rig.receiver();
    await rig.endpoint(ownerId, slow.url);
    await rig.endpoint(ownerId, quick.url);
    const worker = rig.worker();
    await ledger.outbox.publish(many(12), rig.clock.at);
    worker.wake();
    await quick.came(12);
    await slow.came(MOST_AT_ONCE);
    expect(slow.received).toHaveLength(MOST_AT_ONCE);
    open.resolve(200);
    await worker.idle();
    expect(slow.received).toHaveLength(12);
    expect(new Set(slow.ids()).size).toBe(12);
  });

  test("64 endpoints that never answer keep nobody waiting, though they could fill every place", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger, { attempts: { take: () => 0, clear: () => {} } });
    const open = Promise.withResolvers<number>();
    const hanging = rig.receiver(() => open.promise);
    const quick = rig.receiver();
    let hangingOwner = "";
    for (let nth = 0; nth < 64; nth++) {
      if (nth % 25 === 0) hangingOwner = (await personWith(ledger, `h${nth}`, "pro")).ownerId;
      await rig.endpoint(hangingOwner, hanging.url);
    }
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const worker = rig.worker();
    // Two of each are under way before there is anybody else.
    await ledger.outbox.publish(many(3), rig.clock.at);
    worker.tick();
    await hanging.came(64 * MOST_AT_ONCE);
    await rig.endpoint(ownerId, quick.url);
    await ledger.outbox.publish([news("later")], rig.clock.at);
    worker.tick();
    await quick.came(1);
    expect(hanging.received).toHaveLength(64 * MOST_AT_ONCE);
    open.resolve(200);
    await worker.idle();
  });

  test("a worker that was stopped for 6 s and goes on notes nothing of what others have taken over, and claims under a new name", async () => {
    const clock = testClock();
    const ledger = await bench.another({ leaseClock: clock });
    const rig = await openRig(ledger, {}, clock);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const open = Promise.withResolvers<number>();
    const receiver = rig.receiver((nth) => (nth <= 2 ? open.promise : 200));
    const { id } = await rig.endpoint(ownerId, receiver.url);
    const names: string[] = [];
    const newWorker = () => {
      names.push(`wrk_paused_${names.length}`);
      return names.at(-1) ?? "";
    };
    const paused = rig.worker({ newWorker });
    const other = rig.worker();
    await ledger.outbox.publish([news("2026-11-19"), news("2026-11-20")], clock.at);
    paused.tick();
    await receiver.came(2);
    await other.turn();
    for (let half = 0; half < 12; half++) {
      clock.at += SECOND / 2;
      await other.turn();
    }
    expect(receiver.received).toHaveLength(4);
    // It goes on: first the answers that had come meanwhile, then its heartbeat.
    open.resolve(500);
    await paused.turn();
    const { deliveries } = await listDeliveries(rig.deps, ownerId, id, 10);
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
    ]);
    await ledger.outbox.publish([news("2026-11-21")], clock.at);
    await paused.turn();
    expect(new Set(receiver.ids()).size).toBe(3);
    expect(rig.told).toEqual([]);
  });

  test("one that was paused between its claim and its post asks first whether it may, and leaves it to others", async () => {
    const clock = testClock();
    const ledger = await bench.another({ leaseClock: clock });
    const rig = await openRig(ledger, {}, clock);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver();
    await rig.endpoint(ownerId, receiver.url);
    const [opening, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { vault } = rig;
    const slow = {
      open: async (...what: Parameters<typeof vault.open>) => {
        opening.resolve();
        await opened.promise;
        return await vault.open(...what);
      },
    };
    const paused = rig.worker({ vault: slow });
    const other = rig.worker();
    await ledger.outbox.publish([news("2026-11-20")], clock.at);
    paused.tick();
    await opening.promise;
    await other.turn();
    for (let half = 0; half < 8; half++) {
      clock.at += SECOND / 2;
      await other.turn();
    }
    expect(receiver.received).toHaveLength(1);
    opened.resolve();
    await paused.turn();
    expect(receiver.received).toHaveLength(1);
  });

  test("a clock that jumps an hour either way delays nothing and sends nothing twice", async () => {
    const clock = testClock();
    const ledger = await bench.another({ leaseClock: clock });
    const rig = await openRig(ledger, {}, clock);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    let open = Promise.withResolvers<number>();
    const receiver = rig.receiver(() => open.promise);
    await rig.endpoint(ownerId, receiver.url);
    const { outbox, settled } = settling(ledger.outbox);
    const [busy, other] = [rig.worker({ outbox }), rig.worker()];
    for (const [nth, jump] of [60 * MINUTE, -120 * MINUTE].entries()) {
      open = Promise.withResolvers<number>();
      await ledger.outbox.publish([news(`n${nth}`)], Math.min(NOON, clock.at) - 120 * MINUTE);
      busy.tick();
      await receiver.came(nth + 1);
      await other.turn();
      clock.at += jump;
      for (let half = 0; half < 20; half++) {
        // Who has nothing in hand looks first.
        await other.turn();
        busy.tick();
        await settled();
        clock.at += SECOND / 2;
      }
      open.resolve(200);
      await busy.idle();
    }
    expect(receiver.received).toHaveLength(2);
  });

  test("a test event wakes the worker: it comes at once, to its endpoint alone", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const [receiver, other] = [rig.receiver(), rig.receiver()];
    const { id, secret } = await rig.endpoint(ownerId, receiver.url);
    await rig.endpoint(ownerId, other.url);
    const worker = rig.worker();
    await worker.idle();
    await sendTest(rig.deps, ownerId, id);
    await receiver.came(1);
    await worker.idle();
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]];
    expect(JSON.parse(body)).toEqual({
      id: `evt_test_${rig.clock.at}`,
      type: "webhook.test",
      created_at: "2026-11-20T12:00:00Z",
      data: { endpoint: id },
    });
    expect(checkSignature(headers.get("webhook-signature") ?? "", body, secret, rig.clock.at)).toBe(
      "genuine",
    );
    expect(other.received).toEqual([]);
  });

  test("what this process publishes it sends at once, and is not woken by what was published before", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver();
    await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker();
    await worker.idle();
    let woken = 0;
    const outbox = waking(ledger.outbox, () => {
      woken += 1;
      worker.wake();
    });
    for (let again = 0; again < 3; again++) await outbox.publish([news("2026-11-20")], rig.clock.at);
    await receiver.came(1);
    await worker.idle();
    expect([woken, receiver.received.length]).toEqual([1, 1]);
  });

  test("after a rotation retries are signed with the new secret, and with the old one never", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver((nth) => (nth === 1 ? 500 : 200));
    const { id, secret: old } = await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker();
    await ledger.outbox.publish([news("2026-11-20")], rig.clock.at);
    await worker.turn();
    const { secret } = await rotateSecret(rig.deps, ownerId, id, by(rig.clock.at));
    rig.clock.at += MINUTE;
    await worker.turn();
    const verdicts = receiver.received.map(({ headers, body }, nth) => {
      const header = headers.get("webhook-signature") ?? "";
      const now = rig.clock.at - (1 - nth) * MINUTE;
      return [old, secret].map((one) => checkSignature(header, body, one, now));
    });
    expect(verdicts).toEqual([
      ["genuine", "mismatch"],
      ["mismatch", "genuine"],
    ]);
  });

  test("a deleted endpoint gets nothing more, and a changed one at its new address", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const [first, second] = [rig.receiver(() => 500), rig.receiver()];
    const deleted = await rig.endpoint(ownerId, `${first.url}/deleted`);
    const moved = await rig.endpoint(ownerId, `${first.url}/moved`);
    const worker = rig.worker();
    await ledger.outbox.publish([news("2026-11-20")], rig.clock.at);
    await worker.turn();
    await deleteEndpoint(rig.deps, ownerId, deleted.id, by(rig.clock.at));
    await changeEndpoint(rig.deps, ownerId, moved.id, { url: second.url }, by(rig.clock.at));
    rig.clock.at += MINUTE;
    await worker.turn();
    await ledger.outbox.publish([news("2026-11-21")], rig.clock.at);
    await worker.turn();
    expect(first.received.map(({ path }) => path).sort()).toEqual(["/deleted", "/moved"]);
    expect(second.received).toHaveLength(2);
    const { deliveries } = await listDeliveries(rig.deps, ownerId, deleted.id, 10);
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([["dropped", 1]]);
  });

  test("what was deleted under way is let go without a trace of the attempt, and no fault is told", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const open = Promise.withResolvers<number>();
    const receiver = rig.receiver(() => open.promise);
    const { id } = await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker();
    await ledger.outbox.publish([news("2026-11-20")], rig.clock.at);
    worker.wake();
    await receiver.came(1);
    await deleteEndpoint(rig.deps, ownerId, id, by(rig.clock.at));
    open.resolve(500);
    await worker.idle();
    const { deliveries } = await listDeliveries(rig.deps, ownerId, id, 10);
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([["dropped", 0]]);
    expect(rig.told).toEqual([]);
  });

  test("nothing is sent for a suspended organization, and what waits goes out when it may again; on a plan without endpoints it ends", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId, organizationId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver();
    const { id } = await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker();
    await worker.idle();
    /** With an event queued, and one published meanwhile, which is not queued for it at all. */
    const under = async (
      name: string,
      patch: { readonly tier: "basic" } | { readonly status: "suspended" },
    ) => {
      await ledger.outbox.publish([news(name)], rig.clock.at);
      await ledger.organizations.change(organizationId, patch, by());
      await ledger.outbox.publish([news(`meanwhile ${name}`)], rig.clock.at);
      rig.clock.at += MINUTE;
      const before = receiver.received.length;
      await worker.turn();
      expect(receiver.received).toHaveLength(before);
    };
    const back = async () => {
      await ledger.organizations.change(organizationId, { tier: "plus", status: "active" }, by());
      await worker.turn();
      return receiver.ids();
    };
    await under("first", { status: "suspended" });
    expect(await back()).toEqual(["evt_mex_fix_first_v1"]);
    await under("second", { tier: "basic" });
    expect(await back()).toEqual(["evt_mex_fix_first_v1"]);
    const { deliveries } = await listDeliveries(rig.deps, ownerId, id, 10);
    expect(deliveries.map(({ event_id, state, reason }) => [event_id, state, reason])).toEqual([
      ["evt_mex_fix_second_v1", "dropped", "over_plan"],
      ["evt_mex_fix_first_v1", "delivered", null],
    ]);
    await ledger.outbox.publish([news("third")], rig.clock.at);
    await worker.turn();
    expect(receiver.ids()).toEqual(["evt_mex_fix_first_v1", "evt_mex_fix_third_v1"]);
  });

  test("waits are spread by up to a tenth, and only later", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver(() => 500);
    await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker({ random: (bytes) => new Uint8Array(bytes).fill(255) });
    await ledger.outbox.publish([news("2026-11-20")], rig.clock.at);
    await worker.turn();
    rig.clock.at += stretched(MINUTE) - SECOND;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
    rig.clock.at += SECOND;
    await worker.turn();
    expect(receiver.received).toHaveLength(2);
  });
});
