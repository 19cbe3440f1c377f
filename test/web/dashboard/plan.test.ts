/** The page of plans where nothing is sold. */

import { expect, test } from "bun:test";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { planPage } from "#web/dashboard/plan.tsx";
import { SITE, textOf } from "./dashboard-server.ts";

test("a server without Stripe has no button to buy, and says who gives plans", () => {
  const html = planPage(
    {
      site: SITE,
      caller: { identity: { email: "demo@example.org" } } as never,
      said: { notice: null, refusal: null, typed: () => "" },
    },
    {
      plan: {
        ...{ tier: "pro", bought: "pro", status: "active", missing: null },
        ...{ hasSubscription: false, isSold: false, plans: DEFAULT_PLANS },
      },
      ...{ checkout: null, now: 0 },
    },
  );
  expect(textOf(html)).toContain("This server does not sell plans. Its operator assigns them");
  expect(html).not.toContain("/dashboard/plan/checkout");
});
