/** The refusal of a date before a plan's history, with everything that a caller needs to choose another plan. */

import { type TProperties, Type } from "@sinclair/typebox";

export const PLAN_GATED_MEMBERS = {
  tier: Type.String({ description: "The caller's plan; `anonymous` without a key.", examples: ["free"] }),
  interval: Type.String({ description: "Width of the rows that were requested.", examples: ["1d"] }),
  history_days: Type.Integer({
    minimum: 1,
    description: "Days of history that the plan includes, today among them.",
    examples: [30],
  }),
  earliest_allowed: Type.String({
    format: "date",
    description: "First day that the plan includes.",
    examples: ["2026-03-15"],
  }),
  upgrade_plans: Type.Array(Type.String(), {
    description: "Plans that include the date, from the smallest to the largest.",
    examples: [["plus", "pro"]],
  }),
  upgrade_offers: Type.Array(
    Type.Object(
      {
        plan: Type.String({ description: "The plan.", examples: ["pro"] }),
        loses: Type.Array(Type.String(), {
          description: "What it has less than the caller's plan.",
          examples: [[]],
        }),
      },
      {
        $id: "UpgradeOffer",
        additionalProperties: false,
        description: "A plan that includes the date, and what it lacks.",
      },
    ),
    { description: "The same plans, each with what it lacks.", examples: [[{ plan: "pro", loses: [] }]] },
  ),
  upgrade_url: Type.String({
    format: "uri",
    description: "Where to read about plans.",
    examples: ["https://rates.example/docs"],
  }),
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
