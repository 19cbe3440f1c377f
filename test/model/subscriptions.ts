/** The model's billing: what a customer's subscriptions mean by docs/billing.md, read from the simulated provider's own objects. */

import { type Account, openInvoices, type Subscription } from "#test/support/stripe/account.ts";

export type Tier = "free" | "basic" | "plus" | "pro";
export const TIERS: readonly Tier[] = ["free", "basic", "plus", "pro"];
const DAY = 86_400_000;
export const GRACE = 7 * DAY;

/** What was read of the provider; what it means still depends on the clock. */
export interface Bought {
  readonly subscription: string;
  readonly plan: Tier;
  readonly status: string;
  /** When the oldest unpaid bill fell due. */
  readonly unpaidSince: number | null;
  /** The end of the last paid period, of one that was cancelled to that time: a notice states it. */
  readonly endsAt: number | null;
}

export const RELEVANT =
  /^(checkout\.session\.(completed|async_payment_succeeded)|customer\.deleted|customer\.subscription\..*|invoice\.(paid|payment_failed|payment_action_required|voided|marked_uncollectible))$/;

const ENDED = ["canceled", "incomplete_expired"];
const STATUS_RANK = ["active", "past_due", "unpaid", "canceled"];

export function runningOf(account: Account, customer: string | null): readonly Subscription[] {
  return [...account.subscriptions.values()].filter(
    (one) => one.customer === customer && !ENDED.includes(one.status),
  );
}

/** Best accountStatus, then the higher plan, then the newest; null where nothing was ever bought. */
export function boughtBy(account: Account, customer: string): Bought | null {
  const own = [...account.subscriptions.values()].filter((one) => one.customer === customer);
  const [best] = own.toSorted(
    (a, b) =>
      STATUS_RANK.indexOf(a.status) - STATUS_RANK.indexOf(b.status) ||
      TIERS.indexOf(planOf(b)) - TIERS.indexOf(planOf(a)) ||
      b.created - a.created,
  );
  if (best === undefined) return null;
  const unpaid = openInvoices(account, best);
  return {
    subscription: best.id,
    plan: planOf(best),
    status: best.status,
    unpaidSince: unpaid.length === 0 ? null : Math.min(...unpaid.map(({ created }) => created * 1000)),
    endsAt: best.cancel_at_period_end ? (best.items.data[0]?.current_period_end ?? 0) * 1000 : null,
  };
}

/** Its payment has been missing for the whole of the grace. */
export function isOverdue({ status, unpaidSince }: Bought, now: number): boolean {
  return ["past_due", "unpaid"].includes(status) && now >= (unpaidSince ?? now) + GRACE;
}

/** What it means now: the table of docs/billing.md. */
export function meaning(bought: Bought, now: number): { readonly tier: Tier; readonly status: string } {
  const { plan, status } = bought;
  if (status === "canceled") return { tier: "free", status: "canceled" };
  if (status === "unpaid") return { tier: "free", status: "past_due" };
  if (status === "past_due") return { tier: isOverdue(bought, now) ? "free" : plan, status: "past_due" };
  return { tier: plan, status: "active" };
}

function planOf({ items }: Subscription): Tier {
  const price = items.data[0]?.price.id ?? "";
  return TIERS.find((tier) => price.startsWith(`price_${tier}_`)) ?? "free";
}
