/** /dashboard/plan and /account: the plan, the redirect to the payment provider, and the return from it. */

import { Elysia } from "elysia";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { checkout } from "#accounts/billing/checkout.ts";
import { CheckoutRequest } from "#api/billing/checkout.ts";
import { shaped } from "#api/issues.ts";
import type { Dashboard } from "#web/dashboard/router.ts";
import { type DashboardDeps, type Done, type PersonalVisit, personal } from "#web/dashboard/visit.ts";
import { NO_REFERRER } from "#web/frame.ts";
import { listEndpoints } from "#webhooks/endpoints.ts";
import { planPage } from "./page.tsx";
import { backPage, type CheckoutEnd, leavingPage } from "./provider.tsx";

const PLAN = "/dashboard/plan";

export const planPages = (deps: DashboardDeps, { view, ownView, ownForm, isSignedIn }: Dashboard) => {
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
  const order = ownForm(page, (form, visit) =>
    leave(visit, { plan: form.get("plan"), interval: form.get("interval") }),
  );
  // With a running subscription every order leads to the portal.
  const manage = ownForm(page, (_, visit) => leave(visit, { plan: "basic", interval: "monthly" }));
  const back = view(async ({ request, site }) => {
    const ended = endOf(request);
    if (await isSignedIn(request)) return { to: ended === null ? PLAN : `${PLAN}?checkout=${ended}` };
    return backPage(site, ended);
  }, NO_REFERRER);
  return new Elysia({ name: "plan pages" })
    .get(PLAN, ownView(shown))
    .post(`${PLAN}/checkout`, order)
    .post(`${PLAN}/portal`, manage)
    .get("/account", back);
};

function endOf(request: Request): CheckoutEnd | null {
  const ended = new URL(request.url).searchParams.get("checkout");
  return ended === "success" || ended === "cancelled" ? ended : null;
}
