/** /dashboard/plan and /account: the plan, all plans with their prices, the way to the payment provider and back. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { type OwnPlan, ownPlan } from "#accounts/account/own-account.ts";
import { checkout, type Purchase } from "#accounts/billing/checkout.ts";
import { CheckoutRequest } from "#api/billing/billing.ts";
import { shaped } from "#api/request/body.ts";
import type { Tier } from "#domain/account/organization.ts";
import { offersOf, type Plan } from "#domain/billing/plan.ts";
import type { Instant } from "#domain/time/day.ts";
import { offeredTiers, PlansTable } from "#web/pricing/pricing.tsx";
import { Action } from "#web/shared/forms.tsx";
import { narrowPage, type Site } from "#web/shared/page.tsx";
import { TIER_NAMES } from "#web/shared/words.ts";
import { dashboardPage } from "./frame.tsx";
import { FirstKey } from "./keys.tsx";
import { MissingPayment } from "./overview.tsx";
import type { Dashboard, DashboardDeps, Done, PersonalVisit } from "./router.ts";

const PLAN = "/dashboard/plan";

export const planPages = (deps: DashboardDeps, { view, ownView, ownForm, isSignedIn }: Dashboard) => {
  const { account, billing, clock } = deps;
  const shown = async (visit: PersonalVisit) => {
    const plan = await ownPlan(account, visit.caller.identity.id);
    return planPage(visit, { plan, checkout: endOf(visit.request), now: clock.now() });
  };
  const page = { page: () => PLAN, view: shown };
  const leave = async (order: Purchase | null, { caller, request, site }: PersonalVisit): Promise<Done> => {
    const buyer = { caller, address: deps.callerOf(request) };
    const { url, action } = await checkout(billing, buyer, order);
    // The content security policy forbids that a form leads to another site; a page may.
    return {
      html: leavingPage(site, url, action === "manage_subscription"),
      headers: { Refresh: `0; url=${new URL(url).href}` },
    };
  };
  const buy = ownForm(page, (form, visit) => {
    const fields = { plan: form.get("plan"), interval: form.get("interval") ?? "monthly" };
    const { plan, interval = "monthly" } = shaped(CheckoutRequest, fields);
    return leave({ plan, interval }, visit);
  });
  const back = view(async ({ request, site }) => {
    const ended = endOf(request);
    if (await isSignedIn(request)) return { to: ended === null ? PLAN : `${PLAN}?checkout=${ended}` };
    return backPage(site, ended);
  });
  return new Elysia({ name: "plan pages" })
    .get(PLAN, ownView(shown))
    .post(`${PLAN}/checkout`, buy)
    .post(
      `${PLAN}/portal`,
      ownForm(page, (_, visit) => leave(null, visit)),
    )
    .get("/account", back);
};

function endOf(request: Request): CheckoutEnd | null {
  const ended = new URL(request.url).searchParams.get("checkout");
  return ended === "success" || ended === "cancelled" ? ended : null;
}

export interface PlanProps {
  /** Null before the first key. */
  readonly plan: OwnPlan | null;
  /** How the checkout ended that the browser has just left; null without one. */
  readonly checkout: CheckoutEnd | null;
  readonly now: Instant;
}

export function planPage(
  visit: Parameters<typeof dashboardPage>[0],
  { plan, checkout, now }: PlanProps,
): string {
  // The provider reports a payment to the server, and only then does the plan change.
  const isPending = checkout === "success" && plan?.hasSubscription === false;
  const isPaid = checkout === "success" && plan?.hasSubscription === true && plan.tier !== "free";
  return dashboardPage(
    visit,
    PLAN,
    "Plan",
    <div id="plan-page" data-pending={isPending ? "yes" : "no"}>
      {checkout !== null && (
        <p class="message" role="status">
          {ENDED[isPaid ? "paid" : checkout]}
        </p>
      )}
      {plan === null ? (
        <FirstKey />
      ) : (
        <PlanInForce {...plan} now={now} isSimulated={visit.site.isSimulated} />
      )}
    </div>,
  );
}

function PlanInForce(props: OwnPlan & Pick<PlanProps, "now"> & Pick<Site, "isSimulated">) {
  const { tier, bought, status, missing, hasSubscription, isSold, plans, now, isSimulated } = props;
  return (
    <>
      {missing !== null && <MissingPayment {...missing} tier={tier} now={now} />}
      <p class="lead">
        Your plan: {TIER_NAMES[tier]}
        {tier !== bought && <span class="dim"> until {TIER_NAMES[bought]} is paid</span>}
      </p>
      {status === "canceled" && <p>Your last subscription has ended: the limits of the free plan apply.</p>}
      {hasSubscription && bought === "free" && missing === null && (
        <p>
          Your subscription is paused: the limits of the free plan apply until the operator of this server
          resumes it.
        </p>
      )}
      {hasSubscription && (
        <>
          <Action path={`${PLAN}/portal`} name="Change, pay or cancel the subscription" />
          <p class="hint">
            Opens the payment provider, which says when a cancelled subscription ends. What you change or pay
            there is shown here once the provider reports it, usually within seconds: reload the page. This
            server never receives card data.
          </p>
        </>
      )}
      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <PlansTable
          plans={plans}
          tiers={offeredTiers(plans, isSold, tier)}
          selected={tier}
          choose={(name) =>
            name === tier ? (
              <span class="dim">your plan</span>
            ) : (
              isSold &&
              !hasSubscription &&
              plans[name].sold_by_checkout && <Buy name={name} plan={plans[name]} />
            )
          }
        />
        {!isSold &&
          (isSimulated ? (
            <HowToSell />
          ) : (
            <p class="hint">This server does not sell plans. Its operator assigns them.</p>
          ))}
      </section>
    </>
  );
}

/** Only in the demo, where readers may become operators. */
function HowToSell() {
  return (
    <p class="hint">
      The demo does not sell plans. Your own server sells them through Stripe once{" "}
      <code>STRIPE_SECRET_KEY</code>, <code>STRIPE_WEBHOOK_SECRETS</code> and <code>STRIPE_PRICES</code> are
      set: <a href="/docs/billing">how to set up billing</a>.
    </p>
  );
}

function Buy({ name, plan }: { readonly name: Tier; readonly plan: Plan }) {
  return (
    <form class="row" method="post" action="/dashboard/plan/checkout">
      <input type="hidden" name="plan" value={name} />
      {offersOf(plan).map(({ interval }) => (
        <button key={interval} class="button" type="submit" name="interval" value={interval}>
          {interval === "monthly" ? "Monthly" : "Yearly"}
          <span class="visually-hidden">, {TIER_NAMES[name]}</span>
        </button>
      ))}
    </form>
  );
}

/** How a checkout ended, as the provider put it into the address; it proves nothing. */
export type CheckoutEnd = "success" | "cancelled";

function backPage(site: Site, ended: CheckoutEnd | null): string {
  return narrowPage({
    site,
    title: "Your account",
    description: "Back from the payment provider.",
    path: "/account",
    children: (
      <>
        <p class="lead" role="status">
          {ENDED[ended ?? "unknown"]}
        </p>
        <p>
          <a class="button primary" href="/dashboard/plan">
            Sign in and see the plan
          </a>
        </p>
        <p>
          With the API: <a href="/docs/accounts">the calls of an account</a>.
        </p>
      </>
    ),
  });
}

const ENDED = {
  success:
    "Thank you. Your new plan starts when the payment provider confirms the payment, usually within seconds. Your API key stays the same.",
  paid: "Thank you. Your new plan is in force. Your API key stays the same.",
  cancelled: "You bought nothing. Your plan and your API key are unchanged.",
  unknown: "The payment provider sends you back to this page. Opening it changes nothing.",
};

/** A page that leads to the payment provider: a form must not lead to another site. */
function leavingPage(site: Site, url: string, isPortal: boolean): string {
  return narrowPage({
    site,
    title: "Continue to the payment provider",
    description: "The way to the payment provider.",
    path: PLAN,
    children: (
      <>
        <p class="lead">
          {isPortal
            ? "You have a subscription. Change, pay or cancel it at the payment provider."
            : "You buy the plan at the payment provider. You buy nothing before you pay there."}
        </p>
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            Continue
          </a>{" "}
          <a class="button" href="/dashboard/plan">
            Back
          </a>
        </p>
      </>
    ),
  });
}
