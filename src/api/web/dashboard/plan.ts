/** /dashboard/plan and /account: the plan, the redirect to the payment provider, and the return from it. */

import { ownPlan } from "#accounts/account/own-plan.ts";
import { checkout } from "#accounts/billing/checkout.ts";
import { CheckoutRequest } from "#api/billing/checkout.ts";
import type { Route } from "#api/request/route.ts";
import { shaped } from "#contract/issues.ts";
import { planPage } from "#web/dashboard/plan/page.tsx";
import { backPage, type CheckoutEnd, leavingPage } from "#web/dashboard/plan/provider.tsx";
import { listEndpoints } from "#webhooks/endpoints.ts";
import { type Dashboard, NO_REFERRER } from "./router.ts";
import { type DashboardDeps, type Done, type PersonalVisit, personal } from "./visit.ts";

const PLAN = "/dashboard/plan";

export function planRoutes(deps: DashboardDeps, { view, ownView, ownForm, isSignedIn }: Dashboard): Route[] {
  const { account, billing, webhooks, clock } = deps;
  const shown = async (visit: PersonalVisit) => {
    const ownerId = visit.caller.identity.id;
    const plan = await ownPlan(account, ownerId);
    const endpoints = plan === null ? 0 : (await listEndpoints(webhooks, ownerId)).endpoints.length;
    const ended = endOf(visit.request);
    return planPage({ ...personal(visit), plan, endpoints, checkout: ended, now: clock.now() });
  };
  const page = { page: () => PLAN, view: shown };
  const leave = async (
    { caller, request, site }: PersonalVisit,
    wanted: { readonly plan: string | null; readonly interval: string | null },
  ): Promise<Done> => {
    const { plan, interval = "monthly" } = shaped(CheckoutRequest, {
      plan: wanted.plan,
      interval: wanted.interval ?? "monthly",
    });
    const buyer = { caller, address: deps.callerOf(request) };
    const { url, action } = await checkout(billing, buyer, { plan, interval });
    // The policy lets no form lead to another site, so that a page does.
    return {
      html: leavingPage(site, url, action === "manage_subscription"),
      headers: { Refresh: `0; url=${new URL(url).href}` },
    };
  };
  return [
    ownView(PLAN, shown),
    ownForm(`${PLAN}/checkout`, page, (form, visit) =>
      leave(visit, { plan: form.get("plan"), interval: form.get("interval") }),
    ),
    // With a running subscription every order leads to the portal.
    ownForm(`${PLAN}/portal`, page, (_, visit) => leave(visit, { plan: "basic", interval: "monthly" })),
    view(
      "/account",
      async ({ request, site }) => {
        const ended = endOf(request);
        if (await isSignedIn(request)) return { to: ended === null ? PLAN : `${PLAN}?checkout=${ended}` };
        return backPage(site, ended);
      },
      NO_REFERRER,
    ),
  ];
}

function endOf(request: Request): CheckoutEnd | null {
  const ended = new URL(request.url).searchParams.get("checkout");
  return ended === "success" || ended === "cancelled" ? ended : null;
}
