/** Buying by key or by session: one page an hour and plan, the portal where a plan is running, and the customer stored first. */

import { expect, test } from "bun:test";
import { checkout } from "#accounts/billing/checkout.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { noBilling } from "#gateways/billing/stripe.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { by, HOUR, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { Refusal } from "#test/support/stripe/stripe.ts";
import { ADDRESS, openWorld, SITE, type World } from "./fixture.ts";

const BASIC = { plan: "basic", interval: "monthly" } as const;
const PRO = { plan: "pro", interval: "monthly" } as const;

/** What the world's buyer gets who orders it by key. */
const order = (world: World, wanted: Parameters<typeof checkout>[2] = BASIC) =>
  checkout(world.first.deps, world.buyer, wanted);

onSqlite("buying a plan", (bench) => {
  const asPerson = async (ownerId: string) => {
    const identity = await bench.ledger().identities.byId(ownerId);
    if (identity === null) throw new Error("no such identity");
    return {
      address: ADDRESS,
      caller: {
        identity,
        session: null,
        by: (at: number) => ({ at, actor: `identity:${identity.id}` }) as const,
      },
    };
  };

  test("a page opens for a day, and the customer is known before it does", async () => {
    await using world = await openWorld([bench.ledger()]);
    const buyer = await world.newBuyer("ada");
    const page = await checkout(world.first.deps, buyer, PRO);
    const { billingCustomerId } = await world.organization(buyer);
    expect(page).toEqual({
      action: "checkout",
      url: expect.stringContaining(`${world.stripe.stripe.base}/c/pay/`),
      expiresAt: Date.parse("2026-04-01T12:00:00Z"),
      customerId: billingCustomerId ?? "",
    });
    const { customers, sessions } = world.stripe.stripe.account;
    expect(customers.get(billingCustomerId ?? "")).toMatchObject({
      email: "ada@example.org",
      metadata: { org_id: buyer.orgId },
    });
    const [session] = [...sessions.values()];
    expect(session).toMatchObject({
      client_reference_id: buyer.orgId,
      success_url: `${SITE}/account?checkout=success`,
      cancel_url: `${SITE}/account?checkout=cancelled`,
    });
    const [entry] = await bench.ledger().audit.list({ subject: `organization:${buyer.orgId}` }, 1);
    expect(entry).toMatchObject({ actor: `key:${buyer.keyId}`, action: "organization.changed" });
    // A person who signed in gets the same page.
    expect(await checkout(world.first.deps, await asPerson(buyer.ownerId), PRO)).toEqual(page);
    expect(customers.size).toBe(1);
    // The audit log names the person who brought the customer.
    const { orgId, ownerId } = world.buyer;
    await checkout(world.first.deps, await asPerson(ownerId), PRO);
    const [theirs] = await bench.ledger().audit.list({ subject: `organization:${orgId}` }, 1);
    expect(theirs?.actor).toBe(`identity:${ownerId}`);
  });

  test("within an hour the same order opens the same page, another plan, interval or hour another one", async () => {
    await using world = await openWorld([bench.ledger()]);
    const urlOf = async (wanted?: Parameters<typeof order>[1]) => (await order(world, wanted)).url;
    const first = await urlOf();
    const raced = await Promise.all(Array.from({ length: 5 }, () => urlOf()));
    expect(new Set([first, ...raced]).size).toBe(1);
    expect(await urlOf(PRO)).not.toBe(first);
    expect(await urlOf({ plan: "basic", interval: "yearly" })).not.toBe(first);
    await world.later(HOUR);
    expect(await urlOf()).not.toBe(first);
    expect(world.stripe.stripe.account.customers.size).toBe(1);
  });

  test("before provisioning: conflict; when the organization of the key is gone: invalid_api_key", async () => {
    await using world = await openWorld([bench.ledger()]);
    const stranger = await person(bench.ledger(), "nobody@example.org");
    const asStranger = checkout(world.first.deps, await asPerson(stranger.id), BASIC);
    await expect(asStranger).rejects.toMatchObject({ code: "conflict" });
    await bench.ledger().organizations.remove(world.buyer.orgId, by());
    await expect(order(world)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(world.stripe.stripe.requests()).toEqual([]);
  });

  test("an interval that is not sold is named, so is a plan that the table of plans does not sell; without a provider nothing is", async () => {
    await using world = await openWorld([bench.ledger()]);
    const monthly = world.stripe.prices.filter(({ interval }) => interval === "monthly");
    const deps = { ...world.first.deps, billing: world.stripe.open({ prices: monthly }) };
    const yearly = checkout(deps, world.buyer, { plan: "pro", interval: "yearly" });
    await expect(yearly).rejects.toMatchObject({
      code: "validation_error",
      details: { members: { errors: [{ path: "/interval" }] } },
    });
    const unlisted = { ...DEFAULT_PLANS, pro: { ...DEFAULT_PLANS.pro, sold_by_checkout: false } };
    const pro = checkout({ ...world.first.deps, plans: unlisted }, world.buyer, PRO);
    await expect(pro).rejects.toMatchObject({ code: "validation_error" });
    const none = checkout({ ...world.first.deps, billing: noBilling() }, world.buyer, BASIC);
    await expect(none).rejects.toMatchObject({ code: "billing_not_configured", status: 501 });
    expect(world.emitted).toEqual([]);
  });

  test("the answer of the provider lost: repeating it makes no second customer and no second page", async () => {
    await using world = await openWorld([bench.ledger()]);
    for (const path of ["/v1/customers", "/v1/checkout"]) {
      world.stripe.stripe.outage({ kind: "error", when: "after", times: 1, path });
      await expect(order(world)).rejects.toMatchObject({ code: "billing_unavailable" });
    }
    expect(world.emitted).toEqual(Array(2).fill(expect.stringContaining("checkout_failed")));
    await order(world);
    const { customers, sessions } = world.stripe.stripe.account;
    expect([customers.size, sessions.size]).toEqual([1, 1]);
  });

  test("a failure that the provider repeats for its key ends with the hour", async () => {
    await using world = await openWorld([bench.ledger()]);
    let failures = 0;
    world.stripe.stripe.before(async (line) => {
      if (line === "POST /v1/customers" && failures++ === 0) throw new Refusal(500, "An error occurred.");
    });
    for (let nth = 0; nth < 2; nth++)
      await expect(order(world)).rejects.toMatchObject({ code: "billing_unavailable" });
    await world.later(HOUR);
    expect((await order(world)).action).toBe("checkout");
  });

  test("no payment page is given whose customer could not be stored", async () => {
    await using world = await openWorld([bench.ledger()]);
    const { ledger } = world.first.deps;
    const away = unreachable(ledger.organizations).change;
    // The account was deleted meanwhile.
    const gone = async () => null;
    for (const [change, code] of [
      [away, "service_unavailable"],
      [gone, "invalid_api_key"],
    ] as const) {
      const broken = { ...ledger, organizations: { ...ledger.organizations, change } };
      const page = checkout({ ...world.first.deps, ledger: broken }, world.buyer, BASIC);
      await expect(page).rejects.toMatchObject({ code });
    }
    expect((await order(world)).action).toBe("checkout");
    expect(world.stripe.stripe.account.sessions.size).toBe(1);
  });
});
