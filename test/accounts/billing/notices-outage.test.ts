/** Notices while the provider, the ledger or a replica is out of order: nothing is half done, and sent again they are applied. */

import { expect, test } from "bun:test";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import type { Ledger } from "#ports/ledger.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { by, onSqlite } from "#test/store/ledger/ledgers.ts";
import { END, openWorld, signed } from "./fixture.ts";

onSqlite("notices with something out of order", (bench) => {
  const broken: [string, (ledger: Ledger) => Partial<Ledger>][] = [
    ["events", ({ billingEvents }) => ({ billingEvents: unreachable(billingEvents) })],
    ["leases", ({ leases }) => ({ leases: unreachable(leases) })],
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

  test("a turn that was lost while the provider took its time writes nothing", async () => {
    let leaseNow = 0;
    const own = await bench.another({ leaseClock: { now: () => leaseNow } });
    const turns: string[] = [];
    const acquire: typeof own.leases.acquire = async (name, ...how) => {
      turns.push(name);
      return await own.leases.acquire(name, ...how);
    };
    const ledger = { ...own, leases: { ...own.leases, acquire } };
    await using world = await openWorld([ledger], {
      billing: ({ billing }) => ({
        ...billing,
        subscriptionsOf: async (id) => {
          leaseNow += 31_000;
          // Another replica has its turn meanwhile.
          for (const name of turns) await own.leases.acquire(name, "another", 1_000);
          return await billing.subscriptionsOf(id);
        },
      }),
    });
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    const received = world.first.notices.receive(...signed(world));
    await expect(received).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await world.accountStatus(buyer)).toEqual({ tier: "free", status: "active" });
    expect(await world.outcomes()).toEqual(["open"]);
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

  test("the turn of a replica that died is waited for seconds, then the notice is sent again", async () => {
    let leaseNow = 0;
    let waited = 0;
    const ledger = await bench.another({ leaseClock: { now: () => leaseNow } });
    await using world = await openWorld([ledger], {
      deps: {
        pause: async (milliseconds) => {
          waited += milliseconds;
        },
      },
    });
    const buyer = await world.newBuyer();
    await world.buy(buyer, { plan: "pro" });
    for (let lane = 0; lane < 64; lane++) await ledger.leases.acquire(`billing-${lane}`, "dead", 30_000);
    const received = world.first.notices.receive(...signed(world));
    await expect(received).rejects.toMatchObject({ code: "service_unavailable" });
    expect(waited).toBeGreaterThan(7_000);
    expect(waited).toBeLessThan(9_000);
    leaseNow += 30_000;
    expect(await world.first.notices.receive(...signed(world))).toBe("applied");
    expect(await world.accountStatus(buyer)).toEqual(END.pro);
  });
});
