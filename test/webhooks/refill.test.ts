/** A worker that was full claims the rest by itself, as soon as there is room: no timer of the test runs here. */

import { expect, test } from "bun:test";
import { MOST_AT_ONCE } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { endsWithEachTest, openFixture, personWith } from "./fixture.ts";

endsWithEachTest();
/** More deliveries than one claim takes. */
const MORE_THAN_A_CLAIM = 20;
const MOST_IN_FLIGHT = 512;

/** Endpoints that answer when the test lets them, and two events for each. */
async function openQueue(ledger: Ledger, endpoints: number) {
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
  await ledger.outbox.publish([news("2026-10-01"), news("2026-10-02")], fixture.clock.at);
  worker.wake();
  return { receiver, worker, answer };
}

onSqlite("a worker that was woken once", (bench) => {
  test("claims again when a claim was full, although no attempt has ended", async () => {
    const { receiver, worker, answer } = await openQueue(bench.ledger(), MORE_THAN_A_CLAIM);
    await receiver.came(MORE_THAN_A_CLAIM * MOST_AT_ONCE);
    answer.resolve(200);
    await worker.idle();
    expect(receiver.received).toHaveLength(MORE_THAN_A_CLAIM * MOST_AT_ONCE);
  });

  test("claims again when an attempt has ended, and has never more than its bound at once", async () => {
    const endpoints = MOST_IN_FLIGHT / MOST_AT_ONCE + 1;
    const { receiver, worker, answer } = await openQueue(bench.ledger(), endpoints);
    await receiver.came(MOST_IN_FLIGHT);
    expect(receiver.received).toHaveLength(MOST_IN_FLIGHT);
    answer.resolve(200);
    await receiver.came(endpoints * MOST_AT_ONCE);
    await worker.idle();
  });
});
