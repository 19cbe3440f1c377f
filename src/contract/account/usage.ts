/** GET /v1/account/usage/daily */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { inQuery } from "#contract/parameters.ts";
import { ACCOUNT_ERRORS, PERSONAL } from "./fields.ts";

const ROWS = [
  { date: "2026-04-11", served: 0, rate_limited: 0 },
  { date: "2026-04-12", served: 310, rate_limited: 2 },
  { date: "2026-04-13", served: 924, rate_limited: 0 },
];

const UsageDayModel = form.named("UsageDay", "What one day saw.", {
  date: form.day("The day, UTC.", "2026-04-13"),
  served: form.count("Requests that were answered. A batch is one.", 924),
  rate_limited: form.count("Requests that a limit of the plan refused with 429.", 0),
});

export const DailyUsageResponse = form.named(
  "DailyUsageResponse",
  "Requests of the last days with the organization's keys.",
  {
    result: field.result,
    days: Type.Integer({ minimum: 1, maximum: 90, description: "How many days are shown.", examples: [3] }),
    rows: Type.Array(UsageDayModel, {
      minItems: 1,
      maxItems: 90,
      description: "One row a day, oldest first, today last; days without a request are there with zeros.",
      examples: [ROWS],
    }),
  },
);

export const ACCOUNT_USAGE: readonly Operation[] = [
  {
    ...PERSONAL,
    id: "getDailyUsage",
    method: "get",
    path: "/v1/account/usage/daily",
    summary: "Usage a day",
    description: "Requests served and requests refused by a limit, for each of the last days in UTC.",
    parameters: [
      inQuery("days", {
        schema: Type.Integer({ minimum: 1, maximum: 90, default: 30 }),
        description: "How many days, today included.",
        example: 3,
      }),
    ],
    ok: {
      description: "The days.",
      schema: DailyUsageResponse,
      example: { result: "success", days: 3, rows: ROWS },
    },
    errors: ["validation_error", ...ACCOUNT_ERRORS],
  },
];
