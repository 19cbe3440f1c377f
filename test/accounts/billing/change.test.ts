/** What subscriptions change of an organization, as a table. */

import { expect, test } from "bun:test";
import { changeOf } from "#accounts/billing/apply.ts";
import type { Organization } from "#domain/account/organization.ts";
import type { SubscriptionState, SubscriptionStatus } from "#domain/billing/subscription.ts";

const NOW = Date.UTC(2026, 3, 13);
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
  priceIds: ["price_pro_monthly"],
  createdAt: 0,
  cancelAt: null,
  endedAt: null,
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

test("the grace counts from what is known of the same subscription, and of no other", () => {
  const late = sub("past_due", { pastDueSince: NOW });
  expect(changeOf({ ...PRO, pastDueSince: NOW - 5 }, [late], NOW)?.pastDueSince).toBe(NOW - 5);
  const other = { ...PRO, billingSubscriptionId: "sub_0", pastDueSince: NOW - 5 };
  expect(changeOf(other, [late], NOW)?.pastDueSince).toBe(NOW);
});
