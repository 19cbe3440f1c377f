/** The table of plans: on the page of prices, and in the dashboard with buttons. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { TIERS, type Tier } from "#domain/account/organization.ts";
import { offersOf, type Plan, type Plans, toCents } from "#domain/billing/plan.ts";
import { numbers, Table } from "./table.tsx";
import { grouped, TIER_NAMES } from "./words.ts";

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
