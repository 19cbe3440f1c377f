/** A worker whose slots were full claims the rest by itself, as soon as there is room: no timer of the test runs here. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { MOST_AT_ONCE } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import type { DeliverDeps } from "#webhooks/deliver.ts";
import { endsWithEachTest, openFixture, personWith } from "./fixture.ts";

endsWithEachTest();
setDefaultTimeout(30_000);

/** Timers below this are pauses of the worker itself; they pass at once. */
const PAUSE_MILLISECONDS = 100;
/** From then on an attempt is slow; timers above it are deadlines. */
const SLOW_MILLISECONDS = 1_000;
/** More deliveries than one claim takes. */
const MORE_THAN_A_CLAIM = 20;
/** More deliveries than there are slots for quick attempts. */
const MORE_THAN_QUICK_SLOTS = 70;
const QUICK_SLOTS = 128;

/** Endpoints that answer when the test lets them, two events for each, and a worker whose longer timers run when the test says so. */
async function openQueue(ledger: Ledger, endpoints: number) {
  const fixture = await openFixture(ledger, { attempts: { take: () => 0, clear: () => {} } });
  const answer = Promise.withResolvers<number>();
  const receiver = fixture.receiver(() => answer.promise);
  let ownerId = "";
  for (let nth = 0; nth < endpoints; nth++) {
    if (nth % 25 === 0) ({ ownerId } = await personWith(ledger, `owner${nth}`, "pro"));
    await fixture.endpoint(ownerId, receiver.url);
  }
  const timers = new Set<() => void>();
  const later: DeliverDeps["later"] = (milliseconds, run) => {
    if (milliseconds < PAUSE_MILLISECONDS) {
      const timer = setTimeout(run, 0);
      return () => clearTimeout(timer);
    }
    if (milliseconds < SLOW_MILLISECONDS) timers.add(run);
    return () => void timers.delete(run);
  };
  const worker = fixture.worker({ later });
  await worker.idle();
  await ledger.outbox.publish([news("2026-10-01"), news("2026-10-02")], fixture.clock.at);
  worker.wake();
  return { receiver, worker, answer, makeSlow: () => [...timers].forEach((run) => void run()) };
}

onSqlite("a worker that was woken once", (bench) => {
  test("claims again when a claim was full, although no attempt has ended", async () => {
    const { receiver, worker, answer } = await openQueue(bench.ledger(), MORE_THAN_A_CLAIM);
    await receiver.came(MORE_THAN_A_CLAIM * MOST_AT_ONCE);
    answer.resolve(200);
    await worker.idle();
    expect(receiver.received).toHaveLength(MORE_THAN_A_CLAIM * MOST_AT_ONCE);
  });

  test("claims again when an attempt has ended and left its slot", async () => {
    const { receiver, worker, answer } = await openQueue(bench.ledger(), MORE_THAN_QUICK_SLOTS);
    await receiver.came(QUICK_SLOTS);
    expect(receiver.received).toHaveLength(QUICK_SLOTS);
    answer.resolve(200);
    await receiver.came(MORE_THAN_QUICK_SLOTS * MOST_AT_ONCE);
    await worker.idle();
  });

  test("claims again when attempts have proven slow and leave the slots of quick ones", async () => {
    const { receiver, worker, answer, makeSlow } = await openQueue(bench.ledger(), MORE_THAN_QUICK_SLOTS);
    await receiver.came(QUICK_SLOTS);
    expect(receiver.received).toHaveLength(QUICK_SLOTS);
    makeSlow();
    await receiver.came(MORE_THAN_QUICK_SLOTS * MOST_AT_ONCE);
    answer.resolve(200);
    await worker.idle();
  });
});
