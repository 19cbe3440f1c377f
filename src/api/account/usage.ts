/** GET /v1/account/usage/daily: requests of the last days. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DEFAULT_USAGE_DAYS, MOST_USAGE_DAYS, usageDaily } from "#accounts/account/own-account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { query, wholeNumber } from "#api/parameters.ts";
import { words } from "#api/words.ts";
import type { UsageDay } from "#domain/account/usage-day.ts";
import { formatDay } from "#domain/time/day.ts";
import { ACCOUNT_ERRORS, type AccountRoutesDeps, ownerOf, PERSONAL } from "./model.ts";

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

export function dailyUsageBody(days: readonly UsageDay[]): Static<typeof DailyUsageResponse> {
  const rows = days.map(({ day, served, rateLimited }) => ({
    date: formatDay(day),
    served,
    rate_limited: rateLimited,
  }));
  return { result: "success", days: days.length, rows };
}

const span = Type.Integer({ minimum: 1, maximum: MOST_USAGE_DAYS, default: DEFAULT_USAGE_DAYS });
const days = wholeNumber("days", span, {
  description: "How many days, today included.",
  example: 3,
});

export const usage = ({ house, account }: AccountRoutesDeps) =>
  new Elysia({ name: "usage" })
    .use(ownerOf(house, account))
    .get(
      "/v1/account/usage/daily",
      async ({ accounts, ownerId, query: { days } }) =>
        dailyUsageBody(await usageDaily(accounts, ownerId, days)),
      {
        session: true,
        query: query({ days }),
        detail: words({
          ...PERSONAL,
          id: "getDailyUsage",
          summary: "Usage a day",
          description: "Requests served and requests refused by a limit, for each of the last days in UTC.",
          ok: {
            description: "The days.",
            schema: DailyUsageResponse,
            example: { result: "success", days: 3, rows: ROWS },
          },
          errors: ["validation_error", ...ACCOUNT_ERRORS],
        }),
      },
    );
