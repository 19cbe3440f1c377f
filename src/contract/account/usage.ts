/** GET /v1/account/usage/daily */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { ACCOUNT_ERRORS } from "./fields.ts";

const ROWS = [
  { date: "2026-04-11", served: 0, rate_limited: 0 },
  { date: "2026-04-12", served: 310, rate_limited: 2 },
  { date: "2026-04-13", served: 924, rate_limited: 0 },
];

const UsageDayModel = Type.Object(
  {
    date: field.day("The day, UTC.", "2026-04-13"),
    served: Type.Integer({
      minimum: 0,
      description: "Requests that were answered. A batch is one.",
      examples: [924],
    }),
    rate_limited: Type.Integer({
      minimum: 0,
      description: "Requests that a limit of the plan refused with 429.",
      examples: [0],
    }),
  },
  { $id: "UsageDay", additionalProperties: false, description: "What one day saw." },
);

export const DailyUsageResponse = Type.Object(
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
  {
    $id: "DailyUsageResponse",
    additionalProperties: false,
    description: "Requests of the last days with the organization's keys.",
  },
);

export const ACCOUNT_USAGE: readonly Operation[] = [
  {
    id: "getDailyUsage",
    method: "get",
    path: "/v1/account/usage/daily",
    tag: "Account",
    summary: "Usage a day",
    description: "Requests served and requests refused by a limit, for each of the last days in UTC.",
    parameters: [
      {
        name: "days",
        in: "query",
        required: false,
        schema: Type.Integer({ minimum: 1, maximum: 90, default: 30 }),
        description: "How many days, today included.",
        example: 3,
      },
    ],
    security: BY_SESSION,
    ok: {
      description: "The days.",
      schema: DailyUsageResponse,
      example: { result: "success", days: 3, rows: ROWS },
      conditional: false,
    },
    errors: ["validation_error", ...ACCOUNT_ERRORS],
  },
];
