/** The rules of accounts that need no database: key states and rotation, tier in force. */

import { expect, test } from "bun:test";
import { type ApiKey, currentKey, keyState, rotation } from "#domain/account/key.ts";
import { givenTier, type Organization, tierInForce } from "#domain/account/organization.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

const key = (id: string, revokeAt: number | null = null, revokedAt: number | null = null): ApiKey => ({
  id,
  organizationId: "org_1",
  prefix: `fxk_${id}`,
  createdAt: NOON - DAY,
  lastUsedAt: null,
  revokeAt,
  revokedAt,
});

test.each([
  ["active", key("a"), NOON],
  ["grace", key("a", NOON + 1), NOON],
  ["revoked", key("a", NOON), NOON],
  ["revoked", key("a", null, NOON + 1), NOON],
  ["revoked", key("a", NOON + 1, NOON), NOON],
] as const)("a key is %s", (state, of, now) => {
  expect(keyState(of, now)).toBe(state);
});

test("a rotation gives the current key 24 hours and ends those in grace; the rest stays as it is", () => {
  const keys = [key("new"), key("grace", NOON + 1), key("over", NOON), key("gone", NOON + 1, NOON - 5)];
  expect(rotation(keys, NOON)).toEqual({ replaced: { id: "new", revokeAt: NOON + DAY }, revoked: ["grace"] });
  expect(rotation([key("over", NOON)], NOON)).toEqual({ replaced: null, revoked: [] });
  expect(currentKey(keys)?.id).toBe("new");
  expect(currentKey(keys.slice(1))).toBeNull();
});

const organization = (patch: Partial<Organization>): Organization => ({
  id: "org_1",
  ownerId: "idn_1",
  tier: "pro",
  status: "active",
  billingCustomerId: null,
  billingSubscriptionId: null,
  pastDueSince: null,
  attribution: null,
  marketingConsent: false,
  createdAt: NOON,
  ...patch,
});

test("a suspension does not hide that a payment is overdue", () => {
  const suspended = organization({ status: "suspended", pastDueSince: NOON });
  expect(tierInForce(suspended, NOON + 7 * DAY - 1)).toBe("pro");
  expect(tierInForce(suspended, NOON + 7 * DAY)).toBe("free");
});

test("a tier that is given counts at once, also after a paid plan has ended; a suspension and a missing payment still apply", () => {
  for (const status of ["active", "canceled"] as const) {
    const given = { ...organization({ tier: "free", status }), ...givenTier({ status }, "plus") };
    expect([given.status, tierInForce(given, NOON)]).toEqual(["active", "plus"]);
  }
  for (const status of ["suspended", "past_due"] as const)
    expect(givenTier({ status }, "plus")).toEqual({ tier: "plus" });
});
