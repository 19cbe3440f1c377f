/** Workers beside each other, beside slow receivers, and beside owners who change their minds. */

import { expect, test } from "bun:test";
import { checkSignature, MOST_AT_ONCE } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { by, NOON, onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { newCount } from "#test/support/counted.ts";
import { notifyWorker } from "#webhooks/deliver.ts";
import { rotateSecret } from "#webhooks/endpoints.ts";
import {
  endsWithEachTest,
  MINUTE,
  openFixture,
  openSending,
  personWith,
  SECOND,
  settling,
  stretched,
} from "./fixture.ts";

endsWithEachTest();
const many = (count: number) =>
  Array.from({ length: count }, (_, nth) => news(`2026-10-${String(nth + 1).padStart(2, "0")}`));

/** Endpoints that answer when the test lets them, so many events for each, and a worker that has been woken once. */
async function openQueue(ledger: Ledger, endpoints: number, events = 2) {
  const fixture = await openFixture(ledger, { attempts: { take: () => 0, clear: () => {} } });
  const answer = Promise.withResolvers<number>();
  const receiver = fixture.receiver(() => answer.promise);
  let ownerId = "";
  for (let nth = 0; nth < endpoints; nth++) {
    if (nth % 25 === 0) ({ ownerId } = await personWith(ledger, `owner${nth}`, "pro"));
    await fixture.endpoint(ownerId, receiver.url);
  }
  const worker = fixture.worker();
  await worker.idle();
  await ledger.outbox.publish(many(events), fixture.clock.at);
  worker.wake();
  return { fixture, receiver, worker, answer };
}

const MOST_IN_FLIGHT = 512;

onSqlite("a worker that was woken once, and that no timer wakes again", (bench) => {
  test("claims again when a claim was full, and when an attempt has ended, and has never more than its bound at once", async () => {
    const endpoints = MOST_IN_FLIGHT / MOST_AT_ONCE + 1;
    const { receiver, worker, answer } = await openQueue(bench.ledger(), endpoints);
    await receiver.came(MOST_IN_FLIGHT);
    expect(receiver.received).toHaveLength(MOST_IN_FLIGHT);
    answer.resolve(200);
    await receiver.came(endpoints * MOST_AT_ONCE);
    await worker.idle();
  });
});

onBothLedgers("workers", (bench) => {
  test("64 endpoints that never answer delay no other, though they could fill every slot", async () => {
    const ledger = bench.ledger();
    const { fixture, receiver: hanging, worker, answer } = await openQueue(ledger, 64, 3);
    const quick = fixture.receiver();
    // Two of each are under way before there is another endpoint.
    await hanging.came(64 * MOST_AT_ONCE);
    const { ownerId } = await personWith(ledger, "ada", "plus");
    await fixture.endpoint(ownerId, quick.url);
    await ledger.outbox.publish([news("later")], fixture.clock.at);
    worker.tick();
    await quick.came(1);
    expect(hanging.received).toHaveLength(64 * MOST_AT_ONCE);
    answer.resolve(200);
    await worker.idle();
  });

  test("a process with a clock that is half an hour ahead makes no attempt, and what it queues waits for nobody", async () => {
    const sending = await openSending(bench, (nth) => (nth === 1 ? 503 : 204));
    const { clock, ledger, fixture, organizationId, receiver, secret, deliveries } = sending;
    const ahead = { now: () => clock.at + 30 * MINUTE };
    const wrong = fixture.worker({ clock: ahead, clockAhead: () => 30 * MINUTE });
    const right = fixture.worker({ clockAhead: () => -SECOND });
    await ledger.outbox.publish([news("2026-11-20")], ahead.now());
    for (const turn of [wrong, right, wrong, right]) await turn.turn();
    expect(receiver.received).toHaveLength(1);
    clock.at += MINUTE;
    for (const turn of [wrong, right]) await turn.turn();
    const verdicts = receiver.received.map(({ headers, body }) =>
      checkSignature(headers.get("webhook-signature") ?? "", body, secret, clock.at),
    );
    expect(verdicts).toEqual(["genuine", "genuine"]);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ state: "delivered", attempts: 2 });
    // An owner who asks there for another attempt does not wait for that clock either.
    await ledger.outbox.replay(delivery?.id ?? "", organizationId, ahead.now(), by());
    await right.turn();
    expect(receiver.received).toHaveLength(3);
  });

  test("a worker that was stopped for 6 s and resumes records nothing of what others have taken over, and claims under a new name", async () => {
    const open = Promise.withResolvers<number>();
    const sending = await openSending(bench, (nth) => (nth <= 2 ? open.promise : 200));
    const { clock, fixture, receiver, publish, deliveries } = sending;
    const names: string[] = [];
    const newWorker = () => {
      names.push(`wrk_paused_${names.length}`);
      return names.at(-1) ?? "";
    };
    const { count, counted } = newCount();
    const paused = fixture.worker({ newWorker, count });
    const other = fixture.worker();
    await Promise.all([paused.idle(), other.idle()]);
    await publish("2026-11-19", "2026-11-20");
    paused.tick();
    await receiver.came(2);
    await other.turn();
    for (let half = 0; half < 12; half++) {
      clock.at += SECOND / 2;
      await other.turn();
    }
    expect(receiver.received).toHaveLength(4);
    // It resumes: first the answers that had come meanwhile, then its heartbeat.
    open.resolve(500);
    await paused.turn();
    expect((await deliveries()).map(({ state, tries }) => [state, tries.length])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
    ]);
    expect(counted).toEqual(["attempts 5xx 1", "deliveries lost 1", "attempts 5xx 1", "deliveries lost 1"]);
    await publish("2026-11-21");
    await paused.turn();
    expect(new Set(receiver.ids()).size).toBe(3);
    expect(fixture.emitted).toEqual([]);
  });

  test("one that was paused between its claim and its post asks first whether it may, and leaves it to others", async () => {
    const { clock, fixture, receiver, publish } = await openSending(bench);
    const [opening, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { vault } = fixture;
    const slow = {
      open: async (...what: Parameters<typeof vault.open>) => {
        opening.resolve();
        await opened.promise;
        return await vault.open(...what);
      },
    };
    const paused = fixture.worker({ vault: slow });
    const other = fixture.worker();
    await Promise.all([paused.idle(), other.idle()]);
    await publish("2026-11-20");
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
    let open = Promise.withResolvers<number>();
    const { clock, ledger, fixture, receiver } = await openSending(bench, () => open.promise);
    const { outbox, settled } = settling(ledger.outbox);
    const [busy, other] = [fixture.worker({ outbox }), fixture.worker()];
    await Promise.all([busy.idle(), other.idle()]);
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

  test("what this process publishes it sends at once, and is not woken by what was published before", async () => {
    const { ledger, fixture, receiver } = await openSending(bench);
    const worker = fixture.worker();
    await worker.idle();
    let woken = 0;
    const outbox = notifyWorker(ledger.outbox, () => {
      woken += 1;
      worker.wake();
    });
    for (let again = 0; again < 3; again++) await outbox.publish([news("2026-11-20")], fixture.clock.at);
    await receiver.came(1);
    await worker.idle();
    expect([woken, receiver.received.length]).toEqual([1, 1]);
  });

  test("after a rotation retries are signed with the new secret, and with the old one never", async () => {
    const sending = await openSending(bench, (nth) => (nth === 1 ? 500 : 200));
    const { fixture, ownerId, receiver, id, secret: old, publish } = sending;
    const worker = fixture.worker();
    await publish("2026-11-20");
    await worker.turn();
    const { secret } = await rotateSecret(fixture.deps, ownerId, id, by(fixture.clock.at));
    fixture.clock.at += MINUTE;
    await worker.turn();
    const verdicts = receiver.received.map(({ headers, body }, nth) => {
      const header = headers.get("webhook-signature") ?? "";
      const now = fixture.clock.at - (1 - nth) * MINUTE;
      return [old, secret].map((one) => checkSignature(header, body, one, now));
    });
    expect(verdicts).toEqual([
      ["genuine", "mismatch"],
      ["mismatch", "genuine"],
    ]);
  });

  test("waits are spread by up to a tenth, and only later", async () => {
    const { fixture, receiver, publish } = await openSending(bench, () => 500);
    const worker = fixture.worker({ random: (bytes) => new Uint8Array(bytes).fill(255) });
    await publish("2026-11-20");
    await worker.turn();
    fixture.clock.at += stretched(MINUTE) - SECOND;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
    fixture.clock.at += SECOND;
    await worker.turn();
    expect(receiver.received).toHaveLength(2);
  });
});
