/** What is sent, when, and how often: the schedule to the second, outcomes, identical bytes under fresh signatures. */

import { expect, test } from "bun:test";
import { deliveriesBody } from "#api/webhooks/deliveries.ts";
import { checkSignature, RETRY_SECONDS } from "#domain/webhook/endpoint.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { newCount } from "#test/support/counted.ts";
import { listDeliveries, replayDelivery } from "#webhooks/endpoints.ts";
import { endsWithEachTest, MINUTE, openFor, openSending, SECOND } from "./fixture.ts";

endsWithEachTest();

onSqlite("delivering", (bench) => {
  test("six attempts over 8.5 hours, each at its second and never before, and then no more", async () => {
    const { fixture, receiver, publish, deliveries: listed } = await openSending(bench, () => 500);
    const worker = fixture.worker();
    await publish("2026-11-20");
    const start = fixture.clock.at;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
    for (const [nth, seconds] of RETRY_SECONDS.entries()) {
      fixture.clock.at += seconds * SECOND - 1;
      await worker.turn();
      expect(receiver.received).toHaveLength(nth + 1);
      fixture.clock.at += 1;
      await worker.turn();
      expect(receiver.received).toHaveLength(nth + 2);
    }
    expect((fixture.clock.at - start) / MINUTE).toBe(1 + 5 + 30 + 120 + 360);
    fixture.clock.at += 24 * 60 * MINUTE;
    await worker.turn();
    expect(receiver.received).toHaveLength(6);
    const { deliveries } = deliveriesBody(await listed());
    expect(deliveries).toMatchObject([
      { state: "failed", next_attempt_at: null, event_type: "official.published" },
    ]);
    expect(deliveries[0]?.attempts.map(({ status, succeeded }) => [status, succeeded])).toEqual(
      Array.from({ length: 6 }, () => [500, false]),
    );
  });

  test("what failed under a clock that was a year ahead is tried again once that is right, and so is what a clock behind finds", async () => {
    const sending = await openSending(bench, (nth) => (nth < 4 ? 503 : 204));
    const { fixture, receiver, publish, deliveries } = sending;
    const worker = fixture.worker();
    await publish("2026-11-20");
    for (const jump of [365, -365, -30]) {
      fixture.clock.at += jump * 24 * 60 * MINUTE;
      await worker.turn();
    }
    expect(receiver.received).toHaveLength(3);
    fixture.clock.at += MINUTE * 30;
    await worker.turn();
    expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 4 }]);
  });

  test("what was queued, and what failed, under a clock that was three hours ahead does not wait three hours", async () => {
    const { fixture, receiver, publish } = await openSending(bench, (nth) => (nth === 1 ? 503 : 204));
    const worker = fixture.worker();
    for (const later of [2, 0]) {
      fixture.clock.at += 180 * MINUTE;
      await publish(`2026-11-2${later}`);
      if (later > 0) await worker.turn();
      fixture.clock.at -= 180 * MINUTE;
      await worker.turn();
    }
    expect(receiver.received).toHaveLength(3);
  });

  // What a request is to the byte: test/gateways/webhook/post.test.ts. Stripe's own verifier: test/domain/webhook/signature.test.ts.
  test("every attempt carries the same bytes, and a signature of its own time", async () => {
    const { ledger, fixture, ownerId } = await openFor(bench, "plus");
    const receiver = fixture.receiver((nth) => (nth < 3 ? 503 : 204));
    const { secret } = await fixture.endpoint(ownerId, `${receiver.url}/hook?a=b`);
    const worker = fixture.worker();
    const { version, event } = news("2026-11-20");
    await ledger.outbox.publish([{ version, event }], fixture.clock.at);
    const times: number[] = [];
    for (const wait of [0, 60, 300]) {
      fixture.clock.at += wait * SECOND;
      times.push(fixture.clock.at / SECOND);
      await worker.turn();
    }
    expect(receiver.received).toHaveLength(3);
    for (const [nth, { body, headers, path }] of receiver.received.entries()) {
      expect([path, body]).toEqual(["/hook", event.body]);
      const signature = headers.get("webhook-signature") ?? "";
      expect(signature).toStartWith(`t=${times[nth]},v1=`);
      expect(checkSignature(signature, body, secret, (times[nth] as number) * SECOND)).toBe("genuine");
    }
    fixture.clock.at += 60 * MINUTE;
    await worker.turn();
    expect(receiver.received).toHaveLength(3);
  });

  test("any 2xx delivers; 3xx, 4xx, 5xx, silence, a closed door and a name of none are failures with their names", async () => {
    const { ledger, fixture, ownerId } = await openFor(bench, "pro");
    const elsewhere = fixture.receiver();
    const silent = Promise.withResolvers<Response>();
    const receiver = fixture.receiver((_, path) => {
      if (path === "/silent") return silent.promise;
      if (path === "/302") return Response.redirect(elsewhere.url, 302);
      return Number(path.slice(1));
    });
    const gone = fixture.receiver();
    await gone.stop();
    const outcomes = {
      [`${receiver.url}/200`]: ["delivered", 200, null],
      [`${receiver.url}/204`]: ["delivered", 204, null],
      [`${receiver.url}/299`]: ["delivered", 299, null],
      [`${receiver.url}/302`]: ["pending", 302, null],
      [`${receiver.url}/410`]: ["pending", 410, null],
      [`${receiver.url}/503`]: ["pending", 503, null],
      [`${receiver.url}/silent`]: ["pending", null, "timeout"],
      [`${gone.url}/`]: ["pending", null, "connect"],
      "http://nobody.invalid/": ["pending", null, "dns"],
    };
    const ids = new Map<string, string>();
    for (const url of Object.keys(outcomes)) ids.set(url, (await fixture.endpoint(ownerId, url)).id);
    const { count, counted } = newCount();
    const worker = fixture.worker({ count }, { deadlineMilliseconds: 1500 });
    await ledger.outbox.publish([news("2026-11-20")], fixture.clock.at);
    await worker.turn();
    silent.resolve(new Response());
    for (const [url, id] of ids) {
      const [found] = await listDeliveries(fixture.deps, ownerId, id, 10);
      const [tried] = found?.tries ?? [];
      expect([url, found?.state, tried?.status, tried?.fault]).toEqual([
        url,
        ...(outcomes[url] ?? []),
      ] as never);
    }
    expect(elsewhere.received).toEqual([]);
    const ends = ["2xx", "2xx", "2xx", "3xx", "4xx", "5xx", "timeout", "connect", "dns"];
    expect(counted.toSorted()).toEqual(
      [
        ...ends.map((outcome) => `attempts ${outcome} 1`),
        ...ends.map((outcome) => `deliveries ${outcome === "2xx" ? "delivered" : "retried"} 1`),
      ].toSorted(),
    );
  });

  test("a replay sends the same event once more; failing, it is not retried beyond the schedule", async () => {
    const sending = await openSending(bench, (nth) => (nth === 1 ? 200 : 500));
    const { fixture, ownerId, receiver, publish, deliveries } = sending;
    const worker = fixture.worker();
    await publish("2026-11-20");
    await worker.turn();
    const [done] = await deliveries();
    const by = { at: fixture.clock.at, actor: "system" } as const;
    await replayDelivery(fixture.deps, ownerId, done?.id as string, by);
    await worker.turn();
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body as string);
    const [again] = deliveriesBody(await deliveries()).deliveries;
    // The second attempt failed: the schedule continues after the second failure.
    expect(again?.next_attempt_at).toBe(
      new Date(fixture.clock.at + 5 * MINUTE).toISOString().replace(".000", ""),
    );
  });
});
