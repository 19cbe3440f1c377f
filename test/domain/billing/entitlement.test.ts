/** What a subscription entitles to, status by status and day by day. */

import { describe, expect, test } from "bun:test";
import { BillingFault } from "#domain/billing/notice.ts";
import {
  entitlementOf,
  isLive,
  patchOf,
  rulingSubscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
  type SubscriptionStatus,
} from "#domain/billing/subscription.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 20);

function subscription(change: Partial<SubscriptionState> = {}): SubscriptionState {
  return {
    id: "sub_1",
    customerId: "cus_1",
    orgId: "org_1",
    status: "active",
    plan: "pro",
    interval: "monthly",
    priceIds: ["price_1"],
    createdAt: NOW - 40 * DAY,
    periodEnd: NOW + 10 * DAY,
    cancelAt: null,
    endedAt: null,
    pastDueSince: null,
    ...change,
  };
}

describe("every status has one meaning", () => {
  const table: Record<SubscriptionStatus, [string, string]> = {
    active: ["pro", "active"],
    trialing: ["pro", "active"],
    past_due: ["pro", "past_due"],
    unpaid: ["free", "past_due"],
    paused: ["free", "active"],
    incomplete: ["free", "active"],
    incomplete_expired: ["free", "active"],
    canceled: ["free", "canceled"],
  };
  for (const status of SUBSCRIPTION_STATUSES) {
    test(`${status} → ${table[status].join(", ")}`, () => {
      const entitlement = entitlementOf(subscription({ status }), NOW);
      expect<string[]>([entitlement.tier, entitlement.status]).toEqual(table[status]);
    });
  }
  test("no subscription → free, active", () => {
    expect(entitlementOf(null, NOW)).toEqual({
      tier: "free",
      bought: "free",
      status: "active",
      pastDueSince: null,
    });
  });
});

describe("past due", () => {
  const since = NOW - 7 * DAY;
  const late = (pastDueSince: number | null) => subscription({ status: "past_due", pastDueSince });

  test("the plan is kept for seven days to the millisecond, then the tier is free and the plan still bought", () => {
    expect(entitlementOf(late(since + 1), NOW).tier).toBe("pro");
    expect(entitlementOf(late(since), NOW)).toEqual({
      tier: "free",
      bought: "pro",
      status: "past_due",
      pastDueSince: since,
    });
  });
  test("a younger unpaid invoice does not begin the grace again", () => {
    expect(entitlementOf(late(NOW - DAY), NOW, since)).toMatchObject({ tier: "free", pastDueSince: since });
  });
  test("an older unpaid invoice counts over a later record", () => {
    expect(entitlementOf(late(since), NOW, NOW - DAY)).toMatchObject({ tier: "free", pastDueSince: since });
  });
  test("without any time the grace begins now", () => {
    expect(entitlementOf(late(null), NOW)).toMatchObject({ tier: "pro", pastDueSince: NOW });
  });
  test("payment restores the plan at once and clears the time", () => {
    expect(entitlementOf(subscription(), NOW, since)).toMatchObject({ tier: "pro", pastDueSince: null });
  });
  test("when collecting is given up there is no grace", () => {
    expect(entitlementOf(subscription({ status: "unpaid", pastDueSince: NOW - 1 }), NOW).tier).toBe("free");
  });
  test("the ledger stores what was bought, so that the grace ends there by time alone", () => {
    expect(patchOf(late(since), NOW)).toEqual({
      tier: "pro",
      status: "past_due",
      pastDueSince: since,
      billingSubscriptionId: "sub_1",
    });
  });
});

describe("cancellation", () => {
  test("at the end of the period leaves the plan until then, and ends it then without a notice", () => {
    const leaving = subscription({ cancelAt: NOW + 1 });
    expect(entitlementOf(leaving, NOW).tier).toBe("pro");
    expect(entitlementOf(leaving, NOW + 1)).toMatchObject({ tier: "free", status: "canceled" });
  });
  test("ends the grace of a missing payment too", () => {
    const leaving = subscription({ status: "past_due", pastDueSince: NOW - DAY, cancelAt: NOW });
    expect(entitlementOf(leaving, NOW)).toMatchObject({
      tier: "free",
      status: "canceled",
      pastDueSince: null,
    });
  });
});

describe("a price that no plan has", () => {
  test("is a fault where a plan was paid for: nothing is guessed", () => {
    for (const status of ["active", "trialing", "past_due"] as const)
      expect(() => entitlementOf(subscription({ status, plan: null }), NOW)).toThrow(BillingFault);
  });
  test("does not matter once the subscription is over", () => {
    expect(entitlementOf(subscription({ status: "canceled", plan: null }), NOW).tier).toBe("free");
  });
});

describe("of several subscriptions of a customer", () => {
  const of = (...changes: Partial<SubscriptionState>[]) =>
    rulingSubscription(changes.map((change, index) => subscription({ id: `sub_${index}`, ...change })))?.id;

  test("the better subscription status decides, whatever the order and age", () => {
    expect(of({ status: "canceled" }, { status: "active", plan: "basic" })).toBe("sub_1");
    expect(of({ status: "active", plan: "basic" }, { status: "past_due" })).toBe("sub_0");
    expect(of({ status: "incomplete" }, { status: "unpaid" }, { status: "paused" })).toBe("sub_1");
  });
  test("then the higher plan, then the newest", () => {
    expect(of({ plan: "basic" }, { plan: "pro" }, { plan: "plus" })).toBe("sub_1");
    expect(of({ createdAt: 1 }, { createdAt: 3 }, { createdAt: 2 })).toBe("sub_1");
  });
  test("those that are not ours do not count", () => {
    expect(of({ plan: null, orgId: null }, { status: "canceled" })).toBe("sub_1");
    expect(of({ plan: null, orgId: null })).toBeUndefined();
  });
  test("what can be managed is live; what was never paid, or is over, is not", () => {
    const live = SUBSCRIPTION_STATUSES.filter((status) => isLive(subscription({ status })));
    expect(live).toEqual(["trialing", "active", "past_due", "unpaid", "paused"]);
  });
});
