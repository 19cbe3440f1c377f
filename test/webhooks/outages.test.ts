/** Nothing is lost while the ledger or the vault is out of order, and a stop lets go of nothing half done. */

import { expect, test } from "bun:test";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { random } from "#test/accounts/account/fixture.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import { by, NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { rotateSecret } from "#webhooks/endpoints.ts";
import { endsWithEachTest, MINUTE, openSending, SECOND, settling } from "./fixture.ts";

endsWithEachTest();
/** What could not be attempted is not tried again for so long. */
const KEPT = 30 * SECOND;

/** The same outbox, of which some methods are out of reach while `away` says so. */
function awayAt(outbox: Outbox, ...methods: readonly ("claim" | "complete" | "beat")[]) {
  const away = { is: true, calls: 0 };
  const cut =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      away.calls += 1;
      if (away.is) throw new LedgerUnavailable("ECONNREFUSED");
      return await work(...args);
    };
  const cutOff = Object.fromEntries(methods.map((name) => [name, cut(outbox[name] as never)]));
  return { away, outbox: { ...outbox, ...cutOff } as Outbox };
}

onBothLedgers("outages", (bench) => {
  test("a ledger that is unavailable to a look: what is due goes out once it is back, and no receiver is notified twice", async () => {
    const { ledger, fixture, receiver, publish } = await openSending(bench);
    const { away, outbox } = awayAt(ledger.outbox, "claim");
    const worker = fixture.worker({ outbox });
    await publish("2026-11-20");
    for (let second = 0; second < 5; second++) await worker.turn();
    expect([receiver.received.length, away.calls]).toEqual([0, 6]);
    away.is = false;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
    // The ledger itself reports that it is unavailable.
    expect(fixture.emitted).toEqual([]);
  });

  test("away for an hour after the post: noted when it is back, and sent once", async () => {
    const { clock, ledger, fixture, receiver, publish } = await openSending(bench);
    const { away, outbox } = awayAt(ledger.outbox, "claim", "complete", "beat");
    away.is = false;
    const worker = fixture.worker({
      outbox,
      later: (milliseconds, run) => {
        if (milliseconds !== SECOND) return () => {};
        clock.at += MINUTE;
        if (clock.at > NOON + 60 * MINUTE) away.is = false;
        setImmediate(run);
        return () => {};
      },
      post: async () => {
        away.is = true;
        await fetch(receiver.url, { method: "POST", body: "{}" });
        return { status: 200, fault: null, milliseconds: 1, address: null, head: null };
      },
    });
    await worker.idle();
    await publish("2026-11-20");
    await worker.turn();
    expect(away.calls).toBeGreaterThan(60);
    await fixture.worker().turn();
    expect(receiver.received).toHaveLength(1);
    expect(fixture.emitted).toEqual([]);
  });

  test("a ledger that was away for all takes nothing from a worker that says it lives as soon as it is back", async () => {
    const open = Promise.withResolvers<number>();
    const { clock, ledger, fixture, receiver, publish } = await openSending(bench, () => open.promise);
    const { away, outbox: cutOff } = awayAt(ledger.outbox, "claim", "beat", "complete");
    away.is = false;
    const { outbox, settled } = settling(cutOff);
    const [busy, idle] = [fixture.worker({ outbox }), fixture.worker({ outbox })];
    await Promise.all([busy.idle(), idle.idle()]);
    await publish("2026-11-20");
    busy.tick();
    await receiver.came(1);
    await idle.turn();
    away.is = true;
    for (let half = 0; half < 40; half++) {
      clock.at += SECOND / 2;
      busy.tick();
      await settled();
      await idle.turn();
    }
    away.is = false;
    // The one with nothing in hand looks first, at once and for as long as it waits for the others.
    for (let half = 0; half < 4; half++) {
      clock.at += SECOND / 2;
      await idle.turn();
    }
    for (let half = 0; half < 20; half++) {
      busy.tick();
      await settled();
      await idle.turn();
      clock.at += SECOND / 2;
    }
    open.resolve(200);
    await busy.idle();
    expect(receiver.received).toHaveLength(1);
  });

  test("a claim that was committed although it had failed, and only after the next look, is released, and sent once, by the only worker there is", async () => {
    const { ledger, fixture, receiver, publish } = await openSending(bench);
    let lost = 0;
    let hasFailed = true;
    const outbox: Outbox = {
      ...ledger.outbox,
      claim: async (wish) => {
        if (!hasFailed) {
          hasFailed = true;
          throw new LedgerUnavailable("no answer in time");
        }
        const claimed = await ledger.outbox.claim(wish);
        if (claimed.length === 0 || lost > 0) return claimed;
        lost += claimed.length;
        return [];
      },
    };
    const worker = fixture.worker({ outbox });
    await worker.idle();
    await publish("2026-11-20");
    hasFailed = false;
    for (let turn = 0; turn < 2; turn++) await worker.turn();
    expect([lost, receiver.received.length]).toEqual([1, 0]);
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
  });

  test("a secret that does not open is reported once; nothing is recorded or sent until it does", async () => {
    const { fixture, receiver, id, publish, deliveries } = await openSending(bench);
    const vault = await openVault(keyringOf(`another:${countingKey(9)}`), random);
    const blind = fixture.worker({ vault });
    await publish("2026-11-20");
    for (let turn = 0; turn < 4; turn++) {
      await blind.turn();
      fixture.clock.at += KEPT;
    }
    expect(receiver.received).toEqual([]);
    expect(fixture.emitted).toHaveLength(1);
    expect(fixture.emitted[0]).toContain(
      `"job":"webhook-deliveries","error":"attempt ${id}, secret: no master key`,
    );
    await blind.close();
    await fixture.worker().turn();
    expect(receiver.received).toHaveLength(1);
    const [found] = await deliveries();
    expect([found?.state, found?.tries.length]).toEqual(["delivered", 1]);
  });

  test("what was held back under a clock an hour ahead goes on once that is right", async () => {
    const { ledger, fixture, organizationId, receiver, id, publish } = await openSending(bench);
    const { secret } = (await ledger.endpoints.find(id)) ?? { secret: "" };
    await ledger.endpoints.change(id, organizationId, { secret: "damaged" }, by());
    const worker = fixture.worker();
    await publish("2026-11-20");
    fixture.clock.at += 60 * MINUTE;
    await worker.turn();
    fixture.clock.at -= 60 * MINUTE;
    await ledger.endpoints.change(id, organizationId, { secret }, by());
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
  });

  test("a rotation heals a secret that is damaged for good", async () => {
    const { ledger, fixture, ownerId, organizationId, receiver, id, publish } = await openSending(bench);
    await ledger.endpoints.change(id, organizationId, { secret: "damaged" }, by());
    const worker = fixture.worker();
    await publish("2026-11-20");
    await worker.turn();
    expect([receiver.received.length, fixture.emitted.length]).toEqual([0, 1]);
    await rotateSecret(fixture.deps, ownerId, id, by(fixture.clock.at));
    fixture.clock.at += KEPT;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
  });

  test("a claim that arrives after the stop is given back at once", async () => {
    const { ledger, fixture, receiver, publish } = await openSending(bench);
    await publish("2026-11-20");
    const held = Promise.withResolvers<void>();
    const claimed = Promise.withResolvers<void>();
    const outbox: Outbox = {
      ...ledger.outbox,
      claim: async (...args) => {
        const some = await ledger.outbox.claim(...args);
        claimed.resolve();
        await held.promise;
        return some;
      },
    };
    const worker = fixture.worker({ outbox });
    await claimed.promise;
    const closed = worker.close();
    held.resolve();
    await closed;
    expect(receiver.received).toEqual([]);
    await fixture.worker().turn();
    expect(receiver.received).toHaveLength(1);
  });
});
