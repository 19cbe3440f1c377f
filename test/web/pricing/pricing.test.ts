/** The pages of prices and of a plan offer what can be bought, the yearly price only where it saves something, and say how that is switched on. */

import { describe, expect, test } from "bun:test";
import type { OwnPlan } from "#accounts/account/own-account.ts";
import { DEFAULT_PLANS, type Plans } from "#domain/billing/plan.ts";
import { SITE, textOf } from "#test/web/dashboard/dashboard-server.ts";
import { planPage } from "#web/dashboard/plan.tsx";
import { pricingPage } from "#web/pricing/pricing.tsx";

describe("prices", () => {
  test("of a server that sells: free and what the checkout sells, with a way to each", () => {
    const html = pricingPage(SITE, DEFAULT_PLANS, true);
    const text = textOf(html);
    expect(text).toContain("12 calls a minute and 100 an hour");
    expect(text).toMatch(/Free 10,000 12 30 days – free Get a key/);
    expect(text).toMatch(/Pro 1,000,000 500 since 1999 25 \$30 a month Choose/);
    expect(text).not.toContain("Plus");
    expect(text).not.toContain("a year");
  });

  test.each([
    [30, 300, "$30 a month, $300 a year (saves $60)"],
    [9.5, 99.9, "$9.50 a month, $99.90 a year (saves $14.10)"],
    // As doubles twelve months of it are more than the year.
    [0.14, 1.68, "$0.14 a month"],
    [1234.5, 14_000, "$1,234.50 a month, $14,000 a year (saves $814)"],
  ])("of %d a month and %d a year are to the cent, with what the year saves", (month, year, text) => {
    const offers = [
      { interval: "monthly", price_usd: month },
      { interval: "yearly", price_usd: year },
    ] as const;
    const plans: Plans = { ...DEFAULT_PLANS, pro: { ...DEFAULT_PLANS.pro, offers } };
    expect(textOf(pricingPage(SITE, plans, true))).toContain(`25 ${text} Choose`);
  });

  test("of a server that sells nothing have no button to buy", () => {
    const html = pricingPage(SITE, DEFAULT_PLANS, false);
    expect(textOf(html)).toContain("Plus");
    expect(html).not.toContain("/dashboard/plan");
  });
});

const planOf = (isSimulated: boolean, changes: Partial<OwnPlan> = {}) =>
  planPage(
    {
      site: { ...SITE, isSimulated },
      caller: { identity: { email: "demo@example.org" } } as never,
      said: { notice: null, refusal: null, typed: () => "", ticked: () => [] },
    },
    {
      plan: {
        ...{ tier: "pro", bought: "pro", status: "active", missing: null },
        ...{ hasSubscription: false, isSold: false, plans: DEFAULT_PLANS, ...changes },
      },
      checkout: null,
      now: 0,
    },
  );

test("the demo has no button to buy, and names the settings and the guide that switch billing on", () => {
  const html = planOf(true);
  expect(html).not.toContain("/dashboard/plan/checkout");
  expect(textOf(html)).toContain("STRIPE_SECRET_KEY , STRIPE_WEBHOOK_SECRETS and STRIPE_PRICES are set");
  expect(html).toContain('href="/docs/billing"');
});

test("a plan that is not for sale is shown, as theirs, to people who have it; a history of a year is no shorter in words", () => {
  const html = planOf(false, { tier: "plus", bought: "plus", isSold: true });
  expect(/<tr class="selected">(.*?)<\/tr>/.exec(html)?.[1]).toMatch(/^<th scope="row">Plus<.*your plan/);
  expect(html.match(/<tr class="selected"/g)).toHaveLength(1);
  const plans: Plans = { ...DEFAULT_PLANS, basic: { ...DEFAULT_PLANS.basic, history_days: "year" } };
  expect(textOf(planOf(false, { plans }))).toMatch(/Basic 100,000 \d+ one year /);
});

test("a server without Stripe says who gives plans", () => {
  expect(textOf(planOf(false))).toContain("This server does not sell plans. Its operator assigns them.");
  expect(planOf(false)).not.toContain("STRIPE");
});
