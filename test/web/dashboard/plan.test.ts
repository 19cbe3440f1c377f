/** The page of plans where nothing is sold: the demo says how that is switched on, a server does not. */

import { expect, test } from "bun:test";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { planPage } from "#web/dashboard/plan.tsx";
import { SITE, textOf } from "./dashboard-server.ts";

const page = (isSimulated: boolean) =>
  planPage(
    {
      site: { ...SITE, isSimulated },
      caller: { identity: { email: "demo@example.org" } } as never,
      said: { notice: null, refusal: null, typed: () => "" },
    },
    {
      plan: {
        ...{ tier: "pro", bought: "pro", status: "active", missing: null },
        ...{ hasSubscription: false, isSold: false, plans: DEFAULT_PLANS },
      },
      checkout: null,
      now: 0,
    },
  );

test("the demo has no button to buy, and names the settings and the guide that switch billing on", () => {
  const html = page(true);
  expect(html).not.toContain("/dashboard/plan/checkout");
  expect(textOf(html)).toContain("STRIPE_SECRET_KEY , STRIPE_WEBHOOK_SECRETS and STRIPE_PRICES are set");
  expect(html).toContain('href="/docs/billing"');
});

test("a server without Stripe says who gives plans", () => {
  expect(textOf(page(false))).toContain("This server does not sell plans. Its operator assigns them.");
  expect(page(false)).not.toContain("STRIPE");
});
