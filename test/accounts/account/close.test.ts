/** Closing an account: the subscription first, then everything in one transaction, or nothing at all. */

import { expect, test } from "bun:test";
import { closeAccount } from "#accounts/account/close.ts";
import { profile } from "#accounts/account/profile.ts";
import { provision } from "#accounts/account/provision.ts";
import { acceptPolicy } from "#accounts/identity/consent.ts";
import { rotateKey } from "#accounts/keys/rotate-key.ts";
import { dayAt } from "#domain/time/day.ts";
import { openRig as openBillingRig } from "#test/gateways/billing/rig.ts";
import { audited, by, NOON, onBothLedgers, person } from "#test/store/ledger/ledgers.ts";
import { accountRig, byPerson, NO_FACTS, unreachable } from "./rig.ts";

const NOTHING_THERE = { result: "success", deleted: false, org_id: null, subscription_cancelled: false };

onBothLedgers("closing an account", (bench) => {
  const start = async () => {
    const ledger = bench.ledger();
    const rig = await accountRig(ledger, NOON);
    const ada = await person(ledger, "ada@example.org");
    const { org_id: id } = await provision(rig, ada.id, NO_FACTS, byPerson(rig, ada));
    const used = {
      organizationId: id,
      ownerId: ada.id,
      day: dayAt(NOON),
      served: 3,
      rateLimited: 1,
      calls: 3,
    };
    await ledger.usage.apply("a", [used], NOON);
    await ledger.sessions.start(
      {
        id: "ses_1",
        identityId: ada.id,
        secretHash: "0".repeat(64),
        expiresAt: NOON * 2,
        userAgent: null,
        address: null,
      },
      by(),
    );
    return { rig, ada, id, close: (deps = rig) => closeAccount(deps, ada.id, byPerson(rig, ada)) };
  };
  const rowsOf = async () => {
    const tables = ["usage_daily", "usage_monthly", "api_keys", "organizations"];
    const rows = await Promise.all(tables.map((table) => bench.sql(`SELECT * FROM ${table}`)));
    return rows.map(({ length }) => length);
  };

  test("everything of the organization is gone, the identity, its consents and the audit log stay", async () => {
    const { rig, ada, id, close } = await start();
    await acceptPolicy(rig, ada.id, "2026-01", byPerson(rig, ada));
    await rotateKey(rig, ada.id, byPerson(rig, ada));
    const keys = (await bench.ledger().keys.list(id)).map((key) => key.id);
    rig.ended.length = 0;
    expect(await rowsOf()).toEqual([1, 1, 2, 1]);
    expect(await close()).toEqual({ ...NOTHING_THERE, deleted: true, org_id: id });
    expect(await rowsOf()).toEqual([0, 0, 0, 0]);
    expect(await bench.ledger().identities.byId(ada.id)).toMatchObject({ email: "ada@example.org" });
    expect(await bench.ledger().consents.list(ada.id)).toHaveLength(1);
    expect(await bench.ledger().sessions.list(ada.id, NOON)).toEqual([]);
    expect(await audited(bench.ledger(), `organization:${id}`)).toContain("organization.deleted");
    expect(rig.ended.sort()).toEqual(keys.sort());
  });

  test("a second time there is nothing to delete, and the person can begin anew with what is left of the month", async () => {
    const { rig, ada, id, close } = await start();
    await close();
    expect(await close()).toEqual(NOTHING_THERE);
    const anew = await provision(rig, ada.id, NO_FACTS, byPerson(rig, ada));
    expect(anew.created).toBe(true);
    expect(anew.org_id).not.toBe(id);
    expect((await profile(rig, ada)).usage?.calls_this_month).toBe(3);
  });

  test("of many calls at once through two replicas one deletes, the others find nothing", async () => {
    const { rig, close } = await start();
    const replica = await accountRig(await bench.another(), NOON);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => close(nth % 2 === 0 ? rig : replica)),
    );
    expect(answers.filter(({ deleted }) => deleted)).toHaveLength(1);
    expect(answers.filter(({ deleted }) => !deleted).every(({ org_id }) => org_id === null)).toBe(true);
    expect(await rowsOf()).toEqual([0, 0, 0, 0]);
  });

  test("closing raced with provisioning and rotating leaves a whole account or none", async () => {
    const { rig, ada, close } = await start();
    const replica = await accountRig(await bench.another(), NOON);
    await Promise.allSettled(
      Array.from({ length: 12 }, (_, nth) => {
        const deps = nth % 2 === 0 ? rig : replica;
        if (nth % 3 === 0) return close(deps);
        if (nth % 3 === 1) return provision(deps, ada.id, NO_FACTS, byPerson(rig, ada));
        return rotateKey(deps, ada.id, byPerson(rig, ada));
      }),
    );
    const { org, key } = await profile(rig, ada);
    expect(org === null).toBe(key === null);
    expect((await rowsOf())[3]).toBe(org === null ? 0 : 1);
  });

  test("the subscription ends before anything is deleted", async () => {
    await using stripe = await openBillingRig();
    const { rig, id, close } = await start();
    const { customerId, subscriptionId } = await stripe.buy({ orgId: id });
    const bought = { billingCustomerId: customerId, billingSubscriptionId: subscriptionId };
    await bench.ledger().organizations.change(id, bought, by());
    const answer = await close({ ...rig, billing: stripe.billing });
    expect(answer).toEqual({ ...NOTHING_THERE, deleted: true, org_id: id, subscription_cancelled: true });
    expect(await stripe.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  });

  test("a subscription of which no notice has arrived yet ends too", async () => {
    await using stripe = await openBillingRig();
    const { rig, id, close } = await start();
    const { customerId, subscriptionId } = await stripe.buy({ orgId: id });
    await bench.ledger().organizations.change(id, { billingCustomerId: customerId }, by());
    const answer = await close({ ...rig, billing: stripe.billing });
    expect(answer).toMatchObject({ deleted: true, subscription_cancelled: true });
    expect(await stripe.billing.subscription(subscriptionId)).toMatchObject({ status: "canceled" });
  });

  test("a page on which a plan could still be bought can no longer be paid", async () => {
    await using stripe = await openBillingRig();
    const { rig, id, close } = await start();
    const { url, customerId } = await stripe.billing.checkout(stripe.order({ orgId: id }));
    await bench.ledger().organizations.change(id, { billingCustomerId: customerId }, by());
    const answer = await close({ ...rig, billing: stripe.billing });
    expect(answer).toMatchObject({ deleted: true, subscription_cancelled: false });
    expect((await fetch(url)).status).toBe(410);
    await stripe.press(url, "pay");
    expect(await stripe.billing.subscriptionsOf(customerId)).toEqual([]);
  });

  test("a subscription that is gone already counts as cancelled", async () => {
    await using stripe = await openBillingRig();
    const { rig, id, close } = await start();
    const { customerId, subscriptionId } = await stripe.buy({ orgId: id });
    await stripe.billing.cancel(subscriptionId);
    const bought = { billingCustomerId: customerId, billingSubscriptionId: subscriptionId };
    await bench.ledger().organizations.change(id, bought, by());
    const answer = await close({ ...rig, billing: stripe.billing });
    expect(answer).toMatchObject({ deleted: true, subscription_cancelled: true });
  });

  test.each(["error", "rate_limit", "reset", "garbage"] as const)(
    "the provider out of order (%s): billing_cancellation_failed and nothing is deleted; afterwards it works",
    async (kind) => {
      await using stripe = await openBillingRig();
      const { rig, ada, id, close } = await start();
      const { subscriptionId } = await stripe.buy({ orgId: id });
      await bench.ledger().organizations.change(id, { billingSubscriptionId: subscriptionId }, by());
      stripe.stripe.outage({ kind });
      const before = await rowsOf();
      const deps = { ...rig, billing: stripe.open({ timeoutMilliseconds: 200 }) };
      await expect(close(deps)).rejects.toMatchObject({ code: "billing_cancellation_failed", status: 502 });
      expect(await rowsOf()).toEqual(before);
      expect(await bench.ledger().sessions.list(ada.id, NOON)).toHaveLength(1);
      expect(rig.told.join()).toContain(id);
      stripe.stripe.recover();
      expect(await close({ ...rig, billing: stripe.billing })).toMatchObject({
        deleted: true,
        subscription_cancelled: true,
      });
    },
  );

  test("without a provider a subscription bought earlier is an obstacle, and a customer alone is none", async () => {
    const { rig, id, close } = await start();
    await bench.ledger().organizations.change(id, { billingSubscriptionId: "sub_old" }, by());
    await expect(close()).rejects.toMatchObject({ code: "billing_cancellation_failed" });
    const settled = { billingSubscriptionId: null, billingCustomerId: "cus_old" };
    await bench.ledger().organizations.change(id, settled, by());
    expect(await close(rig)).toMatchObject({ deleted: true, subscription_cancelled: false });
  });

  test("the ledger lost after the cancellation: service_unavailable, and repeating it deletes", async () => {
    await using stripe = await openBillingRig();
    const { rig, id, close } = await start();
    const { subscriptionId } = await stripe.buy({ orgId: id });
    await bench.ledger().organizations.change(id, { billingSubscriptionId: subscriptionId }, by());
    const deps = { ...rig, billing: stripe.billing };
    const { remove } = unreachable(rig.ledger.organizations);
    const organizations = { ...rig.ledger.organizations, remove };
    const lost = { ...deps, ledger: { ...rig.ledger, organizations } };
    await expect(close(lost)).rejects.toMatchObject({ code: "service_unavailable" });
    expect((await rowsOf())[3]).toBe(1);
    expect(await close(deps)).toMatchObject({ deleted: true, subscription_cancelled: true });
  });

  test("a suspended account cannot be shaken off by deleting it", async () => {
    const { id, close } = await start();
    await bench.ledger().organizations.change(id, { status: "suspended" }, by());
    await expect(close()).rejects.toMatchObject({ code: "forbidden" });
    expect((await rowsOf())[3]).toBe(1);
  });

  test("nor when it is suspended while the subscription is being cancelled", async () => {
    const { rig, id, close } = await start();
    await bench.ledger().organizations.change(id, { billingSubscriptionId: "sub_running" }, by());
    const cancel = async (): Promise<"cancelled"> => {
      await bench.ledger().organizations.change(id, { status: "suspended" }, by());
      return "cancelled";
    };
    const deps = { ...rig, billing: { ...rig.billing, cancel } };
    await expect(close(deps)).rejects.toMatchObject({ code: "forbidden" });
    expect((await rowsOf())[3]).toBe(1);
  });
});
