/** The plan table: as documented by default, changed figure by figure, and refused with every fault at once. */

import { describe, expect, test } from "bun:test";
import {
  allowanceOf,
  DEFAULT_PLANS,
  earliestAllowed,
  PlansFault,
  plansReaching,
  readPlans,
} from "#domain/billing/plan.ts";
import { COVERAGE_START, formatDay, parseDay } from "#domain/time/day.ts";
import { words } from "#test/support/words.ts";

function faultsOf(json: unknown): readonly string[] {
  try {
    readPlans(typeof json === "string" ? json : JSON.stringify(json));
  } catch (fault) {
    if (fault instanceof PlansFault) return fault.faults;
  }
  return [];
}

describe("the plan table", () => {
  test("by default is the contract's", () => {
    expect(readPlans("{}")).toEqual(DEFAULT_PLANS);
    expect(allowanceOf(DEFAULT_PLANS, "anonymous")).toEqual({ minute: 12, hour: 100, month: null });
    expect(allowanceOf(DEFAULT_PLANS, "free")).toEqual({ minute: 12, hour: null, month: 10_000 });
    expect(allowanceOf(DEFAULT_PLANS, "basic")).toEqual({ minute: 120, hour: null, month: 100_000 });
    expect(allowanceOf(DEFAULT_PLANS, "plus")).toEqual({ minute: 250, hour: null, month: 300_000 });
    expect(allowanceOf(DEFAULT_PLANS, "pro")).toEqual({ minute: 500, hour: null, month: 1_000_000 });
  });

  test("takes single figures, the others stay", () => {
    const plans = readPlans(
      '{"anonymous": {"minute": 10}, "free": {"month": 5000, "live_delay_minutes": 15}}',
    );
    expect(plans.anonymous).toEqual({ ...DEFAULT_PLANS.anonymous, minute: 10 });
    expect(plans.free).toEqual({ ...DEFAULT_PLANS.free, month: 5000, live_delay_minutes: 15 });
    expect(plans.pro).toEqual(DEFAULT_PLANS.pro);
  });

  test("names every fault at once", () => {
    const faults = faultsOf({
      gold: {},
      free: { minute: 0, month: "10000", limit: 5, history_days: -1 },
      basic: { webhooks: 1.5, offers: [{ interval: "weekly", price_usd: 1 }], sold_by_checkout: "yes" },
      plus: [],
      anonymous: { month: 5, live_delay_minutes: 61 },
    });
    expect(faults.map((fault) => fault.split(/[=:]/)[0])).toEqual(
      words(`gold anonymous.month anonymous.live_delay_minutes free.minute free.month free.limit
        free.history_days basic.webhooks basic.offers basic.sold_by_checkout plus`),
    );
  });

  const monthly = (price_usd: number) => ({ interval: "monthly", price_usd });
  test.each([
    [{ anonymous: { minute: 12, hour: 5 } }, "anonymous.hour=5"],
    [{ free: { month: 3 } }, "free.month=3"],
    [{ plus: { sold_by_checkout: true, offers: [monthly(20)] } }, "plus.sold_by_checkout"],
    [{ pro: { offers: [] } }, "pro.offers"],
    [{ pro: { offers: [monthly(9.999)] } }, "pro.offers"],
    [{ pro: { offers: [monthly(9), monthly(8)] } }, "pro.offers"],
    ["[]", "an object"],
    ["{", "not JSON"],
    [{ free: { minute: 2_000_000_000 } }, "free.minute"],
    [{ free: { __proto__x: 1 } }, "free.__proto__x"],
    ['{"free": {"constructor": 1}}', "free.constructor"],
  ])("refuses %j", (json, start) => {
    const faults = faultsOf(json);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith(start);
  });

  test("accepts prices in cents, and history without end", () => {
    const plans = readPlans(
      '{"pro": {"offers": [{"interval": "yearly", "price_usd": 299.99}]}, "basic": {"history_days": null}}',
    );
    expect(plans.pro.offers).toEqual([{ interval: "yearly", price_usd: 299.99 }]);
    expect(earliestAllowed(plans.basic, 20_000)).toBe(COVERAGE_START);
  });
});

describe("the history of a plan", () => {
  const today = 20_600;
  test("is so many days with today as one of them", () => {
    expect(earliestAllowed(DEFAULT_PLANS.free, today)).toBe(today - 29);
    expect(earliestAllowed(DEFAULT_PLANS.pro, today)).toBe(COVERAGE_START);
  });
  test.each([
    ["2026-04-14", "2025-04-14"],
    ["2024-02-28", "2023-02-28"],
    ["2024-02-29", "2023-02-28"],
    ["2024-03-01", "2023-03-01"],
    ["2025-02-28", "2024-02-28"],
    ["2025-03-01", "2024-03-01"],
    ["2024-12-31", "2023-12-31"],
    ["1999-06-01", "1999-01-04"],
  ])("of a year reaches on %s back to %s", (now, first) => {
    const day = (text: string) => parseDay(text) as number;
    expect(formatDay(earliestAllowed(DEFAULT_PLANS.basic, day(now)))).toBe(first);
    expect(plansReaching(DEFAULT_PLANS, "free", day(first), day(now))[0]).toBe("basic");
    if (first !== "1999-01-04")
      expect(plansReaching(DEFAULT_PLANS, "free", day(first) - 1, day(now))[0]).toBe("plus");
  });

  test("beyond it the larger plans that reach are named", () => {
    const larger = ["free", "basic", "plus", "pro"] as const;
    expect(plansReaching(DEFAULT_PLANS, "anonymous", today - 10, today)).toEqual([...larger]);
    expect(plansReaching(DEFAULT_PLANS, "free", today - 100, today)).toEqual(["basic", "plus", "pro"]);
    expect(plansReaching(DEFAULT_PLANS, "basic", COVERAGE_START, today)).toEqual(["plus", "pro"]);
    expect(plansReaching(DEFAULT_PLANS, "pro", COVERAGE_START, today)).toEqual([]);
  });
});
