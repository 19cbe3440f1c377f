/** Closing an account: the subscription first, then everything in one transaction, or nothing at all. */

import { expect, test } from "bun:test";
import { closeAccount, provision } from "#accounts/account/organization.ts";
import { acceptPolicy, profile } from "#accounts/account/own-account.ts";
import { rotateKey } from "#accounts/keys/keys.ts";
import { openFixture as openBillingFixture } from "#test/gateways/billing/fixture.ts";
import {
  account,
  audited,
  type Bench,
  by,
  counted,
  NOON,
  newSession,
  onBothLedgers,
  onSqlite,
  person,
} from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS, unreachable } from "./fixture.ts";

/** An account with usage and a session, the call that closes it, and how many rows each of its tables has. */
function openAccounts(bench: Bench) {
  const start = async () => {
    const ledger = bench.ledger();
    const fixture = await accountFixture(ledger, NOON);
    const ada = await person(ledger, "ada@example.org");
    const { organizationId: id } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    await ledger.usage.apply("a", [counted({ owner: ada, organizationId: id })], NOON);
    await ledger.sessions.start(newSession("ses_1", ada.id), by());
    return {
      fixture,
      ada,
      id,
      close: (deps = fixture) => closeAccount(deps, ada.id, byPerson(fixture, ada)),
    };
  };
  const rowsOf = async () => {
    const tables = ["usage_daily", "api_keys", "organizations"];
    const rows = await Promise.all(tables.map((table) => bench.sql(`SELECT * FROM ${table}`)));
    return rows.map(({ length }) => length);
  };
  return { start, rowsOf };
}

onBothLedgers("closing an account", (bench) => {
  const { start, rowsOf } = openAccounts(bench);

  test("everything of the organization is gone and of no other; the identity, its consents, the notices and the audit log stay", async () => {
    const { fixture, ada, id, close } = await start();
    await acceptPolicy(fixture, ada.id, "2026-01", byPerson(fixture, ada));
    await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    const bob = await account(bench.ledger(), "bob");
    await bench.ledger().usage.apply("b", [counted(bob)], NOON);
    const notice = { id: "evt_1", type: "customer.subscription.deleted", objectId: "sub_1" };
    await bench.ledger().billingEvents.receive(notice, NOON);
    fixture.forgotten.length = 0;
    expect(await rowsOf()).toEqual([2, 3, 2]);
    expect(await close()).toEqual({ organizationId: id, subscriptionCancelled: false });
    expect(await rowsOf()).toEqual([1, 1, 1]);
    expect(await bench.ledger().organizations.byId(bob.organizationId)).not.toBeNull();
    expect(await bench.ledger().billingEvents.byId("evt_1")).not.toBeNull();
    expect(await bench.ledger().identities.byId(ada.id)).toMatchObject({ email: "ada@example.org" });
    expect(await bench.ledger().consents.list(ada.id)).toHaveLength(1);
    expect(await bench.ledger().sessions.list(ada.id, NOON)).toEqual([]);
    expect((await audited(bench.ledger(), `organization:${id}`)).at(-1)).toBe("organization.deleted");
    expect((await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada))).created).toBe(true);
    expect(fixture.forgotten).toEqual([id]);
  });

  test("of many calls at once through two replicas one deletes, the others find nothing", async () => {
    const { fixture, close } = await start();
    const replica = await accountFixture(await bench.another(), NOON);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => close(nth % 2 === 0 ? fixture : replica)),
    );
    expect(answers.filter(({ organizationId }) => organizationId !== null)).toHaveLength(1);
    expect(await rowsOf()).toEqual([0, 0, 0]);
  });

  test("closing raced with provisioning and rotating leaves a whole account or none", async () => {
    const { fixture, ada, close } = await start();
    const replica = await accountFixture(await bench.another(), NOON);
    await Promise.allSettled(
      Array.from({ length: 12 }, (_, nth) => {
        const deps = nth % 2 === 0 ? fixture : replica;
        if (nth % 3 === 0) return close(deps);
        if (nth % 3 === 1) return provision(deps, ada.id, NO_FACTS, byPerson(fixture, ada));
        return rotateKey(deps, ada.id, byPerson(fixture, ada));
      }),
    );
    const { organization: org, key } = await profile(fixture, ada);
    expect(org === null).toBe(key === null);
    expect((await rowsOf())[2]).toBe(org === null ? 0 : 1);
  });
});

onSqlite("closing an account that is paid for, or could be", (bench) => {
  const { start, rowsOf } = openAccounts(bench);

  test("a subscription of which no notice has arrived yet ends too", async () => {
    await using stripe = await openBillingFixture();
    const { fixture, id, close } = await start();
    const { customerId, subscriptionId } = await stripe.buy({ orgId: id });
    await bench.ledger().organizations.change(id, { billingCustomerId: customerId }, by());
    const answer = await close({ ...fixture, billing: stripe.billing });
    expect(answer).toMatchObject({ organizationId: id, subscriptionCancelled: true });
    expect(await stripe.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  });

  test("a page on which a plan could still be bought can no longer be paid", async () => {
    await using stripe = await openBillingFixture();
    const { fixture, id, close } = await start();
    const { url, customerId } = await stripe.billing.checkout(stripe.order({ orgId: id }));
    await bench.ledger().organizations.change(id, { billingCustomerId: customerId }, by());
    const answer = await close({ ...fixture, billing: stripe.billing });
    expect(answer).toMatchObject({ organizationId: id, subscriptionCancelled: false });
    expect((await fetch(url)).status).toBe(410);
    await stripe.press(url, "pay");
    expect(await stripe.billing.subscriptionsOf(customerId)).toEqual([]);
  });

  test.each(["error", "reset"] as const)(
    "the provider out of order (%s): billing_cancellation_failed and nothing is deleted; afterwards it works",
    async (kind) => {
      await using stripe = await openBillingFixture();
      const { fixture, ada, id, close } = await start();
      const { subscriptionId } = await stripe.buy({ orgId: id });
      await bench.ledger().organizations.change(id, { billingSubscriptionId: subscriptionId }, by());
      stripe.stripe.outage({ kind });
      const before = await rowsOf();
      const deps = { ...fixture, billing: stripe.open({ timeoutMilliseconds: 200 }) };
      await expect(close(deps)).rejects.toMatchObject({
        ...{ code: "billing_cancellation_failed", status: 502 },
        message: expect.not.stringMatching(/error occurred|ECONNRESET/),
      });
      expect(await rowsOf()).toEqual(before);
      expect(await bench.ledger().sessions.list(ada.id, NOON)).toHaveLength(1);
      expect(fixture.emitted.join()).toContain(id);
      stripe.stripe.recover();
      expect(await close({ ...fixture, billing: stripe.billing })).toMatchObject({
        organizationId: id,
        subscriptionCancelled: true,
      });
    },
  );

  test("without a provider a subscription bought earlier is an obstacle, and a customer without one is none", async () => {
    const { fixture, id, close } = await start();
    await bench.ledger().organizations.change(id, { billingSubscriptionId: "sub_old" }, by());
    await expect(close()).rejects.toMatchObject({ code: "billing_cancellation_failed" });
    const settled = { billingSubscriptionId: null, billingCustomerId: "cus_old" };
    await bench.ledger().organizations.change(id, settled, by());
    expect(await close(fixture)).toMatchObject({ organizationId: id, subscriptionCancelled: false });
  });

  test("the ledger lost after the cancellation: service_unavailable, and repeating it deletes", async () => {
    await using stripe = await openBillingFixture();
    const { fixture, id, close } = await start();
    const { subscriptionId } = await stripe.buy({ orgId: id });
    await bench.ledger().organizations.change(id, { billingSubscriptionId: subscriptionId }, by());
    const deps = { ...fixture, billing: stripe.billing };
    const { remove } = unreachable(fixture.ledger.organizations);
    const organizations = { ...fixture.ledger.organizations, remove };
    const lost = { ...deps, ledger: { ...fixture.ledger, organizations } };
    await expect(close(lost)).rejects.toMatchObject({ code: "service_unavailable" });
    expect((await rowsOf())[2]).toBe(1);
    expect(await close(deps)).toMatchObject({ organizationId: id, subscriptionCancelled: true });
  });

  test("a suspension while the subscription is being cancelled cannot be evaded by deleting the account", async () => {
    const { fixture, id, close } = await start();
    await bench.ledger().organizations.change(id, { billingSubscriptionId: "sub_running" }, by());
    const cancel = async () => {
      await bench.ledger().organizations.change(id, { status: "suspended" }, by());
    };
    const deps = { ...fixture, billing: { ...fixture.billing, cancel } };
    await expect(close(deps)).rejects.toMatchObject({ code: "forbidden" });
    expect((await rowsOf())[2]).toBe(1);
    // From then on no subscription is cancelled either.
    await expect(close()).rejects.toMatchObject({ code: "forbidden" });
  });

  test("of a customer's subscriptions those end that were sold here and could still be charged", async () => {
    const { fixture, id, close } = await start();
    await bench.ledger().organizations.change(id, { billingCustomerId: "cus_1" }, by());
    const statuses = ["active", "incomplete", "incomplete_expired", "canceled"] as const;
    const listed = [
      ...statuses.map((status) => ({ status, orgId: id })),
      { status: statuses[0], orgId: null },
    ];
    const ended: string[] = [];
    const billing = {
      kind: "stripe" as const,
      closeCheckouts: async () => {},
      subscriptionsOf: async (customerId: string) =>
        listed.map((one, nth) => ({
          ...{ ...one, id: `sub_${nth}`, customerId, plan: null, priceIds: [] },
          ...{ createdAt: NOON, pastDueSince: null },
        })),
      cancel: async (subscription: string) => void ended.push(subscription),
    };
    await close({ ...fixture, billing });
    expect(ended).toEqual(["sub_0", "sub_1"]);
  });
});
