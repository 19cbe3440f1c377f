/** The refusal of a date before a plan's history, with everything that a caller needs to choose another plan. */

import { type TProperties, Type } from "@sinclair/typebox";
import * as form from "./forms.ts";

export const PLAN_GATED_MEMBERS = {
  tier: form.text("The caller's plan; `anonymous` without a key.", "free"),
  interval: form.text("Width of the rows that were requested.", "1d"),
  history_days: form.count("Days of history that the plan includes, today among them.", 30, 1),
  earliest_allowed: form.text("First day that the plan includes.", "2026-03-15", { format: "date" }),
  upgrade_plans: form.list(Type.String(), "Plans that include the date, from the smallest to the largest.", [
    "plus",
    "pro",
  ]),
  upgrade_offers: Type.Array(
    form.named("UpgradeOffer", "A plan that includes the date, and what it lacks.", {
      plan: form.text("The plan.", "pro"),
      loses: form.list(Type.String(), "What it has less than the caller's plan.", []),
    }),
    { description: "The same plans, each with what it lacks.", examples: [[{ plan: "pro", loses: [] }]] },
  ),
  upgrade_url: form.text("Where to read about plans.", "https://rates.example/docs", { format: "uri" }),
} as const satisfies TProperties;

export const PLAN_GATED_EXAMPLE = {
  reason:
    "on the plan free the last 30 days are shown, from 2026-03-15 on, and what was asked for begins on 2015-01-15: plus or pro reaches it; see https://rates.example/docs",
  members: {
    tier: "free",
    interval: "1d",
    history_days: 30,
    earliest_allowed: "2026-03-15",
    upgrade_plans: ["plus", "pro"],
    upgrade_offers: [
      { plan: "plus", loses: [] },
      { plan: "pro", loses: [] },
    ],
    upgrade_url: "https://rates.example/docs",
  },
};
