/** What a subscription entitles to, status by status and day by day. */

import { describe, expect, test } from "bun:test";
import { tierInForce } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/notice.ts";
import {
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
    priceIds: ["price_1"],
    createdAt: NOW - 40 * DAY,
    cancelAt: null,
    endedAt: null,
    pastDueSince: null,
    ...change,
  };
}

/** What the ledger stores, and the tier that it means at an instant. */
const entitled = (state: SubscriptionState | null, now = NOW, known: number | null = null) => {
  const patch = patchOf(state, now, known);
  return { ...patch, inForce: tierInForce(patch, now) };
};

test.each<[SubscriptionStatus, string, string]>([
  ["active", "pro", "active"],
  ["trialing", "pro", "active"],
  ["past_due", "pro", "past_due"],
  ["unpaid", "free", "past_due"],
  ["paused", "free", "active"],
  ["incomplete", "free", "active"],
  ["incomplete_expired", "free", "active"],
  ["canceled", "free", "canceled"],
])("%s: tier %s, status %s", (status, tier, meaning) => {
  expect(entitled(subscription({ status }))).toMatchObject({ tier, inForce: tier, status: meaning });
});
test("without a subscription the tier is free", () => {
  const free = { tier: "free", status: "active", pastDueSince: null, billingSubscriptionId: null } as const;
  expect(patchOf(null, NOW)).toEqual(free);
});

describe("past due", () => {
  const since = NOW - 7 * DAY;
  const late = (pastDueSince: number | null) => subscription({ status: "past_due", pastDueSince });

  test("the plan is kept for seven days to the millisecond, then the tier is free and the plan still bought", () => {
    expect(entitled(late(since + 1)).inForce).toBe("pro");
    expect(entitled(late(since))).toEqual({
      tier: "pro",
      inForce: "free",
      status: "past_due",
      pastDueSince: since,
      billingSubscriptionId: "sub_1",
    });
  });
  test("of two unpaid invoices the older one begins the grace", () => {
    expect(entitled(late(NOW - DAY), NOW, since)).toMatchObject({ inForce: "free", pastDueSince: since });
    expect(entitled(late(since), NOW, NOW - DAY)).toMatchObject({ inForce: "free", pastDueSince: since });
  });
  test("without any time the grace begins now", () => {
    expect(entitled(late(null))).toMatchObject({ inForce: "pro", pastDueSince: NOW });
  });
  test("payment restores the plan at once and clears the time", () => {
    expect(entitled(subscription(), NOW, since)).toMatchObject({ inForce: "pro", pastDueSince: null });
  });
});

test("a cancellation leaves the plan until its instant, and ends a grace too", () => {
  const leaving = subscription({ cancelAt: NOW + 1 });
  expect(entitled(leaving).tier).toBe("pro");
  expect(entitled(leaving, NOW + 1)).toMatchObject({ tier: "free", status: "canceled" });
  const late = subscription({ status: "past_due", pastDueSince: NOW - DAY, cancelAt: NOW });
  expect(entitled(late)).toMatchObject({ tier: "free", status: "canceled", pastDueSince: null });
});

test("a price that no plan has is a fault where a plan was paid for: nothing is guessed", () => {
  for (const status of ["active", "trialing", "past_due"] as const)
    expect(() => patchOf(subscription({ status, plan: null }), NOW)).toThrow(BillingFault);
  expect(entitled(subscription({ status: "canceled", plan: null })).tier).toBe("free");
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
