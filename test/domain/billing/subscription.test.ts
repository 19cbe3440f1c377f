/** What a customer's subscriptions change of an organization: status by status, day by day, and which of several counts. */

import { describe, expect, test } from "bun:test";
import { type Organization, tierInForce } from "#domain/account/organization.ts";
import { BillingFault } from "#domain/billing/notice.ts";
import {
  changeOf,
  isLive,
  rulingSubscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
  type SubscriptionStatus,
} from "#domain/billing/subscription.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 20);
const FREE: Organization = {
  id: "org_1",
  ownerId: "idn_1",
  tier: "free",
  status: "active",
  billingCustomerId: "cus_1",
  billingSubscriptionId: null,
  pastDueSince: null,
  attribution: null,
  marketingConsent: false,
  createdAt: 0,
};
const PRO: Organization = { ...FREE, tier: "pro", billingSubscriptionId: "sub_1" };
const GRANTED: Organization = { ...FREE, tier: "plus" };

const sub = (status: SubscriptionStatus, change: Partial<SubscriptionState> = {}): SubscriptionState => ({
  id: "sub_1",
  customerId: "cus_1",
  orgId: "org_1",
  status,
  plan: "pro",
  priceIds: ["price_1"],
  createdAt: NOW - 40 * DAY,
  pastDueSince: null,
  ...change,
});

const gone = { tier: "free", status: "canceled", pastDueSince: null, billingSubscriptionId: null } as const;
const bought = { tier: "pro", status: "active", pastDueSince: null, billingSubscriptionId: "sub_1" } as const;

test.each<[string, Organization, readonly SubscriptionState[], object | null]>([
  ["free, nothing bought", FREE, [], null],
  ["free, bought", FREE, [sub("active")], bought],
  ["free, on trial", FREE, [sub("trialing")], bought],
  ["free, bought and ended before any notice was processed", FREE, [sub("canceled")], gone],
  ["free, waiting for the first payment", FREE, [sub("incomplete")], { ...gone, status: "active" }],
  ["free after an end, nothing left to see", { ...FREE, status: "canceled" }, [], null],
  ["paid, still", PRO, [sub("active")], bought],
  ["paid, over", PRO, [sub("canceled")], gone],
  ["paid, over, at a price that no plan has", PRO, [sub("canceled", { plan: null })], gone],
  [
    "paid, and every attempt to collect failed",
    PRO,
    [sub("unpaid")],
    { ...bought, tier: "free", status: "past_due", pastDueSince: NOW },
  ],
  ["paid, and paused after its trial", PRO, [sub("paused")], { ...bought, tier: "free" }],
  ["paid, and not to be found any more", PRO, [], gone],
  [
    "paid, another one running",
    PRO,
    [sub("canceled"), sub("active", { id: "sub_2" })],
    { ...bought, billingSubscriptionId: "sub_2" },
  ],
  ["given, nothing bought", GRANTED, [], null],
  ["given, one that is over", GRANTED, [sub("canceled")], null],
  ["given, one never paid", GRANTED, [sub("incomplete_expired")], null],
  ["given, and bought", GRANTED, [sub("active")], bought],
  ["only other things bought", PRO, [sub("active", { id: "sub_9", plan: null, orgId: null })], gone],
])("%s", (_, organization, subscriptions, change) => {
  expect(changeOf(organization, subscriptions, NOW)).toEqual(change as never);
});

test("a suspension is not touched", () => {
  const change = changeOf({ ...PRO, status: "suspended" }, [sub("canceled")], NOW);
  expect(change).toEqual({ tier: "free", pastDueSince: null, billingSubscriptionId: null });
});

test("a price that no plan has is a fault where a plan was paid for: nothing is guessed", () => {
  for (const status of ["active", "trialing", "past_due"] as const)
    expect(() => changeOf(PRO, [sub(status, { plan: null })], NOW)).toThrow(BillingFault);
});

describe("past due", () => {
  const since = NOW - 7 * DAY;
  const late = (pastDueSince: number | null, known: number | null = null, change = {}) => {
    const before = { ...PRO, pastDueSince: known, ...change };
    const after = { ...before, ...changeOf(before, [sub("past_due", { pastDueSince })], NOW) };
    const { tier, status } = after;
    return { tier, status, pastDueSince: after.pastDueSince, inForce: tierInForce(after, NOW) };
  };

  test("the plan is kept for seven days to the millisecond, then the tier is free and the plan still bought", () => {
    expect(late(since + 1).inForce).toBe("pro");
    expect(late(since)).toEqual({ tier: "pro", status: "past_due", pastDueSince: since, inForce: "free" });
  });
  test("of two unpaid invoices the older one begins the grace, and another subscription's begins none", () => {
    expect(late(NOW - DAY, since)).toMatchObject({ inForce: "free", pastDueSince: since });
    expect(late(since, NOW - DAY)).toMatchObject({ inForce: "free", pastDueSince: since });
    expect(late(NOW, since, { billingSubscriptionId: "sub_0" }).pastDueSince).toBe(NOW);
  });
  test("without any time the grace begins now", () => {
    expect(late(null)).toMatchObject({ inForce: "pro", pastDueSince: NOW });
  });
  test("payment restores the plan at once and clears the time", () => {
    expect(changeOf({ ...PRO, pastDueSince: since }, [sub("active")], NOW)).toEqual(bought);
  });
});

describe("of several subscriptions of a customer", () => {
  const of = (...changes: Partial<SubscriptionState>[]) =>
    rulingSubscription(changes.map((change, nth) => ({ ...sub("active"), id: `sub_${nth}`, ...change })))?.id;

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
    const live = SUBSCRIPTION_STATUSES.filter((status) => isLive(sub(status)));
    expect(live).toEqual(["trialing", "active", "past_due", "unpaid", "paused"]);
  });
});
