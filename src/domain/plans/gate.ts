/** How far back a plan reaches, and which plans reach further: the facts of a plan_gated refusal. */

import { TIERS, type Tier } from "#domain/account/organization.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import type { Plans, Terms } from "./plan.ts";

/** First day that the plan shows on `today`, which is one of its days itself. */
export function earliestAllowed({ history_days }: Terms, today: Day): Day {
  return history_days === null ? COVERAGE_START : Math.max(COVERAGE_START, today - history_days + 1);
}

/** Plans above `tier` (or above none, without a key) that show `date`, from the smallest to the largest. */
export function plansReaching(
  plans: Plans,
  tier: Tier | "anonymous",
  date: Day,
  today: Day,
): readonly Tier[] {
  const above = tier === "anonymous" ? TIERS : TIERS.slice(TIERS.indexOf(tier) + 1);
  return above.filter((one) => date >= earliestAllowed(plans[one], today));
}
