/** What an owner reads of the account: profile, usage of the month, usage a day, consent. */

import { expect, test } from "bun:test";
import type { OrganizationPatch, Tier } from "#domain/account/organization.ts";
import { dayAt } from "#domain/time/day.ts";
import { profile, provision, usageDaily } from "#test/accounts/account/bodies.ts";
import { by, HOUR, NOON, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { accountFixture, byPerson, NO_FACTS, unreachable } from "./fixture.ts";

const DAY = 24 * HOUR;
/** 2026-11-20. */
const TODAY = dayAt(NOON);

onSqlite("what an owner reads", (bench) => {
  let ownerId = "";
  const start = async () => {
    const fixture = await accountFixture(bench.ledger(), NOON);
    const ada = await person(bench.ledger(), "ada@example.org");
    const { org_id: id, key } = await provision(fixture, ada.id, NO_FACTS, byPerson(fixture, ada));
    ownerId = ada.id;
    return { fixture, ada, id, key };
  };
  const count = (organizationId: string, day: number, served: number, rateLimited = 0, calls = served) => ({
    organizationId,
    ownerId: organizationId === "org_other" ? "idn_other" : ownerId,
    day,
    served,
    rateLimited,
    quotaExceeded: 0,
    calls,
  });

  test("afterwards the organization, the key with its text, and the calls of this month with what is not yet written", async () => {
    const { fixture, ada, id, key } = await start();
    const { usage, keys } = bench.ledger();
    await usage.apply(
      "a",
      [count(id, TODAY, 40, 3, 400), count(id, TODAY - 19, 5), count(id, TODAY - 20, 7)],
      NOON,
    );
    fixture.pending.push(count(id, TODAY, 2, 0, 20), count("org_other", TODAY, 9), count(id, TODAY - 20, 8));
    const [issued] = await keys.list(id);
    await keys.markUsed([{ id: issued?.id ?? "", at: NOON + 1_500 }]);
    expect(await profile(fixture, ada)).toEqual({
      result: "success",
      email: "ada@example.org",
      org: { id, tier: "free", status: "active" },
      key: { ...key, last_used_at: "2026-11-20T12:00:01.500Z" },
      usage: { calls_this_month: 425, limit: 10_000, resets_on: "2026-12-01" },
    });
  });

  test.each([
    ["2026-11-30T23:59:59.999Z", 11, "2026-12-01"],
    ["2026-12-01T00:00:00Z", 0, "2027-01-01"],
    ["2028-02-29T12:00:00Z", 0, "2028-03-01"],
  ])("at %s the month has %i calls and resets on %s", async (now, calls, resets) => {
    const { fixture, ada, id } = await start();
    await bench.ledger().usage.apply("a", [count(id, TODAY, 11)], NOON);
    fixture.clock.at = Date.parse(now);
    expect((await profile(fixture, ada)).usage).toMatchObject({ calls_this_month: calls, resets_on: resets });
  });

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
    expect(answer.org).toEqual({ id, tier, status: patch.status ?? "active" });
    expect(answer.usage?.limit).toBe(limit);
  });

  test("usage a day is zero-filled, oldest first, today last, with what is not yet written", async () => {
    const { fixture, ada, id } = await start();
    const { usage } = bench.ledger();
    await usage.apply("a", [count(id, TODAY - 3, 9, 1), count(id, TODAY - 1, 4, 2)], NOON);
    fixture.pending.push(count(id, TODAY - 1, 1, 1), count(id, TODAY, 6), count("org_other", TODAY, 50));
    expect(await usageDaily(fixture, ada.id, 3)).toEqual({
      result: "success",
      days: 3,
      rows: [
        { date: "2026-11-18", served: 0, rate_limited: 0 },
        { date: "2026-11-19", served: 5, rate_limited: 3 },
        { date: "2026-11-20", served: 6, rate_limited: 0 },
      ],
    });
    const { rows } = await usageDaily(fixture, ada.id, 90);
    expect(rows).toHaveLength(90);
    expect(rows[0]?.date).toBe("2026-08-23");
    expect(rows.reduce((sum, { served }) => sum + Number(served), 0)).toBe(20);
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
