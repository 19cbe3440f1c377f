/** What an owner reads of the account: the plan in force, and nothing guessed. Calls of the month and of each day: test/model. */

import { expect, test } from "bun:test";
import { provision } from "#accounts/account/organization.ts";
import { ownKeys, ownPlan, profile, usageDaily } from "#accounts/account/own-account.ts";
import { rotateKey } from "#accounts/keys/keys.ts";
import type { OrganizationPatch, Tier } from "#domain/account/organization.ts";
import { dayAt } from "#domain/time/day.ts";
import { by, HOUR, NOON, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS, unreachable } from "./fixture.ts";

const DAY = 24 * HOUR;

onSqlite("what an owner reads", (bench) => {
  const start = async () => {
    const fixture = await accountFixture(bench.ledger(), NOON);
    const ada = await person(bench.ledger(), "ada@example.org");
    const { organizationId: id } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    return { fixture, ada, id };
  };

  test.each<[string, OrganizationPatch, Tier, number]>([
    ["bought", { tier: "basic" }, "basic", 100_000],
    ["given", { tier: "plus" }, "plus", 300_000],
    [
      "overdue for 7 days less a moment",
      { tier: "pro", status: "past_due", pastDueSince: NOON - 7 * DAY + 1 },
      "pro",
      1_000_000,
    ],
    ["overdue for 7 days", { tier: "pro", status: "past_due", pastDueSince: NOON - 7 * DAY }, "free", 10_000],
    ["over", { tier: "pro", status: "canceled" }, "free", 10_000],
    ["suspended", { tier: "basic", status: "suspended" }, "basic", 100_000],
  ])("a plan that is %s shows the tier in force and its limit", async (_, patch, tier, limit) => {
    const { fixture, ada, id } = await start();
    await bench.ledger().organizations.change(id, patch, by());
    const answer = await profile(fixture, ada);
    expect(answer.organization).toEqual({ id, tier, status: patch.status ?? "active" });
    expect(answer.usage?.limit).toBe(limit);
  });

  test("a missing payment has the end of its grace, and a subscription that is over is none", async () => {
    const { fixture, ada, id } = await start();
    const bought = { tier: "pro", billingSubscriptionId: "sub_1" } as const;
    const late = { ...bought, status: "past_due", pastDueSince: NOON } as const;
    await bench.ledger().organizations.change(id, late, by());
    const missing = { since: NOON, graceEndsAt: NOON + 7 * DAY };
    const inForce = { tier: "pro", bought: "pro", missing, hasSubscription: true, isSold: false };
    expect(await ownPlan(fixture, ada.id)).toMatchObject(inForce);
    await bench.ledger().organizations.change(id, { status: "canceled", pastDueSince: null }, by());
    const over = { tier: "free", bought: "pro", missing: null, hasSubscription: false };
    expect(await ownPlan(fixture, ada.id)).toMatchObject(over);
  });

  test("a key in grace has its end, and of those that ended the newest five are listed with theirs", async () => {
    const { fixture, ada } = await start();
    for (let nth = 1; nth <= 7; nth++) {
      fixture.clock.at = NOON + nth * HOUR;
      await rotateKey(fixture, ada.id, byPerson(fixture, ada));
    }
    const keys = await ownKeys(fixture, ada.id);
    expect(keys?.inGrace.map(({ endsAt }) => endsAt)).toEqual([NOON + 7 * HOUR + DAY]);
    const ends = [7, 6, 5, 4, 3].map((nth) => NOON + nth * HOUR);
    expect(keys?.ended.map(({ endedAt }) => endedAt)).toEqual(ends);
  });

  test("a day has what is written and what is not yet, a day without calls zeros", async () => {
    const { fixture, ada, id } = await start();
    const one = { day: dayAt(NOON), served: 4, rateLimited: 2, quotaExceeded: 1 };
    const usageDays = async (of: string) => (of === id ? [one, one] : []);
    expect(await usageDaily({ ...fixture, usageDays }, ada.id, 2)).toEqual([
      { day: one.day - 1, served: 0, rateLimited: 0, quotaExceeded: 0 },
      { day: one.day, served: 8, rateLimited: 4, quotaExceeded: 2 },
    ]);
  });

  test("with the counts out of reach neither profile nor usage is guessed", async () => {
    const { fixture, ada } = await start();
    const usage = unreachable(bench.ledger().usage);
    const monthUsed = () => usage.monthCalls("2026-11", ada.id);
    const lost = { ...fixture, monthUsed, usageDays: usage.days };
    const refused = { code: "service_unavailable" };
    await expect(profile(lost, ada)).rejects.toMatchObject(refused);
    await expect(usageDaily(lost, ada.id, 30)).rejects.toMatchObject(refused);
  });
});
