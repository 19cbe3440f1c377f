/** GET /pricing: the plans that this server offers, for people who have no account yet; their table, which the dashboard has with buttons. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import { TIERS, type Tier } from "#domain/account/organization.ts";
import { offersOf, type Plan, type Plans, toCents } from "#domain/billing/plan.ts";
import type { PageParts } from "#web/page-data.ts";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { grouped, TIER_NAMES } from "#web/shared/words.ts";

interface PricingDeps {
  readonly account: { readonly plans: Plans; readonly billing: { readonly kind: string } };
}

export const pricing = ({ account: { plans, billing }, frame, house }: PricingDeps & PageParts) =>
  new Elysia({ name: "pricing" })
    .use(house)
    .get("/pricing", async ({ request }) =>
      frame.page(request, pricingPage(await frame.site(request), plans, billing.kind !== "none")),
    );

export function pricingPage(site: Site, plans: Plans, isSold: boolean): string {
  const { minute, hour } = plans.anonymous;
  return renderPage({
    site,
    title: "Pricing · Crossrate",
    description: "Plans and limits of this server.",
    path: "/pricing",
    section: "pricing",
    children: (
      <>
        <h1>Pricing</h1>
        <p class="lead">
          Without a key: {grouped(minute)} calls a minute and {grouped(hour)} an hour from an address. A free
          key takes a minute and no card.
        </p>
        <PlansTable
          plans={plans}
          tiers={offeredTiers(plans, isSold)}
          choose={(tier) => choice(tier, isSold, site.person !== null)}
        />
        <p class="dim small">
          {isSold
            ? "Prices in US dollars, without taxes. Payment and invoices are on the payment provider's pages; a plan can be cancelled there at any time."
            : "This server sells no plans: its operator gives the larger ones."}{" "}
          <a href="/docs/limits">What counts as a call</a>
        </p>
      </>
    ),
  });
}

function choice(tier: Tier, isSold: boolean, isSignedIn: boolean) {
  if (tier === "free")
    return isSignedIn ? (
      <a href="/dashboard/plan">See your plan</a>
    ) : (
      <a class="button" href="/dashboard/sign-up">
        Get a key
      </a>
    );
  return (
    isSold && (
      <a class="button" href="/dashboard/plan">
        Choose
      </a>
    )
  );
}

interface PlansTableProps {
  readonly plans: Pick<Plans, Tier>;
  readonly tiers: readonly Tier[];
  readonly selected?: Tier;
  readonly choose: (tier: Tier) => ComponentChildren;
}

export function PlansTable({ plans, tiers, selected, choose }: PlansTableProps) {
  return (
    <Table
      label="Limits and prices"
      class="stacks plans"
      columns={[
        "Plan",
        numbers("Calls a month"),
        numbers("a minute", "Calls a minute"),
        "History",
        numbers("Webhooks"),
        "Price",
        { head: <span class="visually-hidden">Choose</span> },
      ]}
      {...(selected !== undefined && { selected: tiers.indexOf(selected) })}
      rows={tiers.map((name) => [
        TIER_NAMES[name],
        grouped(plans[name].month),
        grouped(plans[name].minute),
        historyText(plans[name].history_days),
        plans[name].webhooks === 0 ? "–" : plans[name].webhooks,
        priceText(name, plans[name]),
        choose(name),
      ])}
    />
  );
}

/** The plans to show: those for sale, the free one and the reader's own; all of them when the operator assigns plans. */
export function offeredTiers(plans: Pick<Plans, Tier>, isSold: boolean, own: Tier = "free"): readonly Tier[] {
  return TIERS.filter((tier) => tier === "free" || tier === own || !isSold || plans[tier].sold_by_checkout);
}

function priceText(tier: Tier, plan: Plan): string {
  const offers = offersOf(plan);
  const monthly = offers.find(({ interval }) => interval === "monthly");
  if (offers.length === 0) return tier === "free" ? "free" : "from the operator";
  return offers
    .map(({ interval, price_usd }) => {
      const price = `${dollars(toCents(price_usd))} a ${interval === "monthly" ? "month" : "year"}`;
      if (interval === "monthly" || monthly === undefined) return price;
      return `${price} (saves ${dollars(12 * toCents(monthly.price_usd) - toCents(price_usd))})`;
    })
    .join(", ");
}

function dollars(cents: number): string {
  const rest = cents % 100;
  return `$${grouped(Math.floor(cents / 100))}${rest === 0 ? "" : `.${String(rest).padStart(2, "0")}`}`;
}

function historyText(days: Plan["history_days"]): string {
  if (days === "year") return "one year";
  return days === null ? "since 1999" : `${grouped(days)} days`;
}
