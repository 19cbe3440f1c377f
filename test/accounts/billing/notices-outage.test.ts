/** Notices while the provider or the ledger is out of order: nothing is half done, and sent again they are applied. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import type { Ledger } from "#ports/ledger.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { by, onSqlite } from "#test/store/ledger/ledgers.ts";
import { END, openWorld, signed } from "./fixture.ts";

onSqlite("notices with something out of order", (bench) => {
  const broken: [string, (ledger: Ledger) => Partial<Ledger>][] = [
    ["events", ({ billingEvents }) => ({ billingEvents: unreachable(billingEvents) })],
    ["organizations", ({ organizations }) => ({ organizations: unreachable(organizations) })],
    [
      "settling",
      ({ billingEvents }) => ({
        billingEvents: { ...billingEvents, settle: unreachable(billingEvents).settle },
      }),
    ],
  ];
  test.each(broken)(
    "the ledger's %s: service_unavailable, and afterwards it is applied",
    async (_, breaking) => {
      await using world = await openWorld([bench.ledger()]);
      const buyer = await world.newBuyer();
      await world.buy(buyer, { plan: "pro" });
      const ledger = { ...bench.ledger(), ...breaking(bench.ledger()) };
      const lost = openBillingNotices({ ...world.first.deps, ledger });
      await expect(lost.receive(...signed(world))).rejects.toMatchObject({ code: "service_unavailable" });
      expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "active" });
      expect(await world.first.notices.receive(...signed(world))).toBe("applied");
      expect(await world.accountStatus(buyer)).toEqual(END.pro);
    },
  );

  test("the lookup of keys to notify: the plan is in force all the same", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const ledger = { ...bench.ledger(), keys: unreachable(bench.ledger().keys) };
    expect(await openBillingNotices({ ...world.first.deps, ledger }).receive(...signed(world))).toBe(
      "applied",
    );
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });

  test("a suspension during a slow call of the provider stays in force", async () => {
    const ledger = bench.ledger();
    let orgId = "";
    await using world = await openWorld([ledger], {
      billing: ({ billing }) => ({
        ...billing,
        subscriptionsOf: async (id) => {
          const read = await billing.subscriptionsOf(id);
          if (orgId !== "") await ledger.organizations.change(orgId, { status: "suspended" }, by());
          return read;
        },
      }),
    });
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    orgId = buyer.orgId;
    expect(await world.first.notices.receive(...signed(world))).toBe("applied");
    expect(await world.accountStatus(buyer)).toEqual({ tier: "pro", status: "suspended" });
  });
});
