/** The rules of accounts that need no database: key states and rotation, tier in force, sums of usage, addresses. */

import { expect, test } from "bun:test";
import { normalizeEmail } from "#domain/account/identity.ts";
import { type ApiKey, currentKey, keyState, rotation } from "#domain/account/key.ts";
import {
  givenTier,
  monthOf,
  type Organization,
  sumIncrements,
  tierInForce,
} from "#domain/account/organization.ts";
import { type Day, parseDay } from "#domain/time/day.ts";

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

test("however often keys are rotated, at most two work at any moment", () => {
  let keys: ApiKey[] = [key("0")];
  for (let nth = 1; nth < 50; nth++) {
    const now = NOON + Math.floor((nth * DAY * 0.7) / (1 + (nth % 3)));
    const { replaced, revoked } = rotation(keys, now);
    keys = keys.map((one) => {
      if (one.id === replaced?.id) return { ...one, revokeAt: replaced.revokeAt };
      return revoked.includes(one.id) ? { ...one, revokedAt: now } : one;
    });
    keys.push(key(String(nth)));
    expect(keys.filter((one) => keyState(one, now) !== "revoked").length).toBeLessThanOrEqual(2);
    expect(currentKey(keys)?.id).toBe(String(nth));
  }
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

test("a missing payment leaves the tier for exactly seven days", () => {
  const overdue = organization({ status: "past_due", pastDueSince: NOON });
  expect(tierInForce(overdue, NOON + 7 * DAY - 1)).toBe("pro");
  expect(tierInForce(overdue, NOON + 7 * DAY)).toBe("free");
  expect(tierInForce(organization({ status: "canceled" }), NOON)).toBe("free");
  expect(tierInForce(organization({}), NOON)).toBe("pro");
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

test("increments with the same organization and day are added up, in one order", () => {
  const on = (text: string) => parseDay(text) as Day;
  const row = (organizationId: string, text: string, count: number) => ({
    organizationId,
    ownerId: `owner of ${organizationId}`,
    day: on(text),
    served: count,
    rateLimited: count * 2,
    quotaExceeded: count,
    calls: count * 3,
  });
  const sums = sumIncrements([
    row("b", "2026-11-01", 1),
    row("a", "2026-11-02", 2),
    row("b", "2026-11-01", 4),
    row("a", "2026-10-31", 8),
  ]);
  expect(sums).toEqual([row("a", "2026-10-31", 8), row("a", "2026-11-02", 2), row("b", "2026-11-01", 5)]);
  expect(monthOf(on("2026-10-31"))).toBe("2026-10");
});

test("addresses that differ in case, blanks or composition are one", () => {
  expect(normalizeEmail(" E\u0301lodie@Example.ORG\n")).toBe("\u00e9lodie@example.org");
});
