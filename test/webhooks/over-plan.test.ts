/** After a downgrade the oldest endpoints continue, the others get nothing and report it, and they resume when there is room; with real workers and receivers. */

import { expect, setDefaultTimeout, test } from "bun:test";
import type { Ledger } from "#ports/ledger.ts";
import { by, onSqlite } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import {
  deleteEndpoint,
  listDeliveries,
  listEndpoints,
  replayDelivery,
  sendTest,
} from "#webhooks/endpoints.ts";
import { endsWithEachTest, type Fixture, MINUTE, openFixture, personWith, SECOND } from "./fixture.ts";
import type { Receiver } from "./receiver.ts";

endsWithEachTest();
setDefaultTimeout(30_000);

/** One more than the plan plus has room for. */
const MOST = 6;

onSqlite("a smaller plan", (bench) => {
  /** Endpoints of one organization on the plan pro, the oldest first, each with a receiver of its own. */
  const opened = async (ledger: Ledger, fixture: Fixture, answers?: Parameters<Fixture["receiver"]>[0]) => {
    const owner = await personWith(ledger, "ada", "pro");
    const all: { readonly id: string; readonly receiver: Receiver }[] = [];
    for (let nth = 0; nth < MOST; nth++) {
      const receiver = fixture.receiver(answers);
      const { id } = await fixture.endpoint(owner.ownerId, `${receiver.url}/hook`);
      all.push({ id, receiver });
      fixture.clock.at += SECOND;
    }
    const came = () => all.map(({ receiver }) => receiver.received.length);
    const [newest] = all.slice(-1);
    if (newest === undefined) throw new Error("there is one");
    const ends = async () =>
      (await listDeliveries(fixture.deps, owner.ownerId, newest.id, 50)).map(
        ({ state, reason }) => `${state} ${reason}`,
      );
    return { ...owner, all, newest, came, ends };
  };

  test("the newest of six gets nothing more on the plan plus; deleting an older one, or a larger plan, brings it back", async () => {
    const ledger = bench.ledger();
    const fixture = await openFixture(ledger);
    const { deps, clock } = fixture;
    const { ownerId, organizationId, all, newest, came, ends } = await opened(ledger, fixture);
    const worker = fixture.worker();
    await ledger.outbox.publish([news("x")], clock.at);
    await ledger.organizations.change(organizationId, { tier: "plus" }, by(clock.at));
    await worker.turn();
    expect(came()).toEqual([1, 1, 1, 1, 1, 0]);
    expect(await ends()).toEqual(["dropped over_plan"]);
    const { endpoints, delivering } = await listEndpoints(deps, ownerId);
    expect(endpoints.map(({ state }) => state)).toEqual([...Array(5).fill("active"), "over_plan"]);
    expect(delivering).toBe(true);
    await expect(sendTest(deps, ownerId, newest.id)).rejects.toMatchObject({
      code: "endpoint_limit_reached",
      message:
        "the plus plan has 5 webhook endpoints, and older ones take them; delete one first, or change to pro",
    });

    await ledger.outbox.publish([news("y")], clock.at);
    await worker.turn();
    expect(came()).toEqual([2, 2, 2, 2, 2, 0]);
    expect(await ends()).toEqual(["dropped over_plan"]);

    await deleteEndpoint(deps, ownerId, all[0]?.id ?? "", by(clock.at));
    await ledger.outbox.publish([news("z")], clock.at);
    await worker.turn();
    expect(came()).toEqual([2, 3, 3, 3, 3, 1]);
    expect(await ends()).toEqual(["delivered null", "dropped over_plan"]);

    const [, dropped] = await listDeliveries(deps, ownerId, newest.id, 50);
    await replayDelivery(deps, ownerId, dropped?.id ?? "", by(clock.at));
    await worker.turn();
    expect(came()).toEqual([2, 3, 3, 3, 3, 2]);
    expect(newest.receiver.ids()).toEqual(["evt_mex_fix_z_v1", "evt_mex_fix_x_v1"]);
  });

  test("a worker that dies with the deliveries in hand: the next one ends what is over the plan, and sends the rest again", async () => {
    const ledger = bench.ledger();
    const fixture = await openFixture(ledger);
    const { clock } = fixture;
    const { organizationId, came, ends } = await opened(ledger, fixture);
    await ledger.outbox.publish([news("x")], clock.at);
    const wish = { at: clock.at, worker: "wrk_dead", limit: 100, perEndpoint: 2, takesOver: false };
    expect(await ledger.outbox.claim(wish)).toHaveLength(MOST);
    await ledger.organizations.change(organizationId, { tier: "plus" }, by(clock.at));
    const worker = fixture.worker();
    await worker.turn();
    expect(await ends()).toEqual(["pending null"]);
    await ledger.outbox.retire("wrk_dead");
    await worker.turn();
    expect(came()).toEqual([1, 1, 1, 1, 1, 0]);
    expect(await ends()).toEqual(["dropped over_plan"]);
  });

  test("an attempt under way at the downgrade finishes: what it delivered is delivered, what failed is not tried again", async () => {
    const ledger = bench.ledger();
    const fixture = await openFixture(ledger);
    const { clock } = fixture;
    const open = Promise.withResolvers<number>();
    const { organizationId, newest, came, ends } = await opened(ledger, fixture, () => open.promise);
    const worker = fixture.worker();
    await ledger.outbox.publish([news("x")], clock.at);
    worker.tick();
    await newest.receiver.came(1);
    await ledger.organizations.change(organizationId, { tier: "plus" }, by(clock.at));
    open.resolve(500);
    await worker.turn();
    await worker.turn();
    expect(await ends()).toEqual(["dropped over_plan"]);
    clock.at += 2 * MINUTE;
    await worker.turn();
    expect(came()).toEqual([2, 2, 2, 2, 2, 1]);
  });
});
