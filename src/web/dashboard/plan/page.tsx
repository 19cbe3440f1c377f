/** /dashboard/plan: the plan in force, all plans with their prices, and what a smaller plan stops. */
/* @jsxImportSource preact */

import { TIERS, type Tier } from "#domain/account/organization.ts";
import type { OwnPlan, Plan } from "#domain/billing/plan.ts";
import type { Instant } from "#domain/time/day.ts";
import { dashboardPage, type Personal } from "#web/dashboard/frame.tsx";
import { MissingPayment } from "#web/dashboard/missing-payment.tsx";
import { FirstKey } from "#web/dashboard/overview.tsx";
import { counted } from "#web/dashboard/words.ts";
import { historyText, offersOf, PlansTable } from "#web/shared/plans.tsx";
import { grouped, TIER_NAMES } from "#web/shared/words.ts";
import type { CheckoutEnd } from "./provider.tsx";

export interface PlanProps extends Personal {
  /** Null before the first key. */
  readonly plan: OwnPlan | null;
  /** How many webhook endpoints there are. */
  readonly endpoints: number;
  /** How a checkout ended from which the browser has just come back. */
  readonly checkout: CheckoutEnd | null;
  readonly now: Instant;
}

export function planPage({ plan, endpoints, checkout, now, ...personal }: PlanProps): string {
  return dashboardPage(personal, {
    path: "/dashboard/plan",
    title: "Plan",
    children: (
      <div id="plan-page">
        <h1>Plan</h1>
        {checkout !== null && <CheckoutEnded checkout={checkout} tier={plan?.tier ?? "free"} />}
        {plan === null ? (
          <FirstKey />
        ) : (
          <PlanInForce plan={plan} endpoints={endpoints} now={now} isSimulated={personal.site.isSimulated} />
        )}
      </div>
    ),
  });
}

/** The provider reports a payment to the server, and only then does the plan change. */
function CheckoutEnded({ checkout, tier }: { readonly checkout: CheckoutEnd; readonly tier: Tier }) {
  if (checkout === "cancelled") {
    return (
      <p class="message" role="status">
        You bought nothing. Your plan and your key are unchanged.
      </p>
    );
  }
  return (
    <p class="message" role="status" id="checkout-ended" data-tier={tier}>
      Thank you. Your new plan starts when the payment provider confirms the payment, usually within seconds.
      Your key stays the same. Current plan: {TIER_NAMES[tier]}.
    </p>
  );
}

function PlanInForce({
  plan,
  endpoints,
  now,
  isSimulated,
}: {
  readonly plan: OwnPlan;
  readonly endpoints: number;
  readonly now: Instant;
  readonly isSimulated: boolean;
}) {
  const { tier, bought, missing, hasSubscription, isSold, plans } = plan;
  const smaller = TIERS.slice(0, TIERS.indexOf(tier)).toReversed();
  return (
    <>
      {missing !== null && <MissingPayment {...missing} now={now} />}
      <p class="lead">
        Your plan: {TIER_NAMES[tier]}
        {tier !== bought && <span class="dim"> until {TIER_NAMES[bought]} is paid</span>}
      </p>
      {hasSubscription && (
        <form method="post" action="/dashboard/plan/portal">
          <button class="button" type="submit">
            Change, pay or cancel the subscription
          </button>
          <p class="hint">Opens the payment provider. This server never receives card data.</p>
        </form>
      )}
      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <PlansTable
          plans={plans}
          tiers={TIERS}
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
        {!isSold && (isSimulated ? <HowToSell /> : <p class="hint">{NOTHING_SOLD}</p>)}
      </section>
      {smaller.length > 0 && (
        <section aria-labelledby="smaller">
          <h2 id="smaller">If you choose a smaller plan</h2>
          <dl class="lines losses">
            {smaller.map((to) => (
              <div key={to}>
                <dt>{TIER_NAMES[to]}</dt>
                <dd>
                  <ul class="plain-list">
                    {lossesOf(plans[tier], plans[to], endpoints).map((loss) => (
                      <li key={loss}>{loss}</li>
                    ))}
                  </ul>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

const NOTHING_SOLD = "This server does not sell plans. Its operator assigns them.";

/** In the demo the reader may become an operator. */
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
    <form class="buy" method="post" action="/dashboard/plan/checkout">
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

/** In sentences; `endpoints` is how many webhook endpoints there are. */
function lossesOf(from: Plan, to: Plan, endpoints: number): readonly string[] {
  const losses = [`Calls beyond ${grouped(to.month)} a month or ${grouped(to.minute)} a minute are refused.`];
  if (to.history_days !== from.history_days)
    losses.push(`Rates older than ${historyText(to.history_days)} are refused.`);
  if (to.live_delay_minutes > from.live_delay_minutes)
    losses.push(`Live rates are delayed by ${counted(to.live_delay_minutes, "minute")}.`);
  if (to.webhooks < from.webhooks) {
    const stopped = Math.max(0, endpoints - to.webhooks);
    const room =
      to.webhooks === 0 ? "No webhook endpoints" : `Only ${counted(to.webhooks, "webhook endpoint")}`;
    const which = stopped === endpoints ? "yours" : `${stopped} of your ${endpoints}`;
    losses.push(stopped === 0 ? `${room}.` : `${room}: ${which} no longer receive events.`);
  }
  return losses;
}

/** How far back a plan shows rates. */
