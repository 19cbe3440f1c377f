/** Workers beside each other, beside slow receivers, and beside owners who change their minds. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { MOST_AT_ONCE } from "#domain/webhook/rules.ts";
import { checkSignature } from "#domain/webhook/signature.ts";
import { by, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publishing.ts";
import { changeEndpoint } from "#webhooks/change-endpoint.ts";
import { deleteEndpoint } from "#webhooks/delete-endpoint.ts";
import { listDeliveries } from "#webhooks/list-deliveries.ts";
import { rotateSecret } from "#webhooks/rotate-secret.ts";
import { sendTest } from "#webhooks/send-test.ts";
import { waking } from "#webhooks/waking.ts";
import { endsWithEachTest, MINUTE, openRig, personWith, SECOND, stretched } from "./rig.ts";

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

  test("nothing is sent for an organization that may not have endpoints or is suspended; what waits goes out when it may again", async () => {
    const ledger = bench.ledger();
    const rig = await openRig(ledger);
    const { ownerId, organizationId } = await personWith(ledger, "ada", "plus");
    const receiver = rig.receiver();
    await rig.endpoint(ownerId, receiver.url);
    const worker = rig.worker();
    await worker.idle();
    await ledger.outbox.publish([news("2026-11-20")], rig.clock.at);
    for (const patch of [{ tier: "basic" }, { tier: "plus", status: "suspended" }] as const) {
      await ledger.organizations.change(organizationId, patch, by());
      // What is published meanwhile is not queued for it at all.
      await ledger.outbox.publish([news(`meanwhile ${patch.tier}`)], rig.clock.at);
      rig.clock.at += MINUTE;
      await worker.turn();
      expect(receiver.received).toEqual([]);
    }
    await ledger.organizations.change(organizationId, { status: "active" }, by());
    await worker.turn();
    expect(receiver.ids()).toEqual(["evt_mex_fix_2026-11-20_v1"]);
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
