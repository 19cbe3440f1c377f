/** GET /pricing: the plans that this server offers, for people who have no account yet. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { Tier } from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import type { PageParts } from "#web/page-data.ts";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { offeredTiers, PlansTable } from "#web/shared/plans.tsx";
import { grouped } from "#web/shared/words.ts";

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
