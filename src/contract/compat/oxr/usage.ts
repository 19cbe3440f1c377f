/** The body of usage.json. */

import { Type } from "@sinclair/typebox";

const count = (description: string) => Type.Integer({ minimum: -1, description, examples: [-1] });
const yes = (description: string) => Type.Boolean({ description, examples: [true] });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const OxrUsage = Type.Object(
  {
    status: Type.Integer({ description: "HTTP status.", examples: [200] }),
    data: Type.Object(
      {
        app_id: text("As sent; empty without one.", "any"),
        status: text("Always `active`.", "active"),
        plan: Type.Object(
          {
            name: text("Name of the plan.", "Self-hosted"),
            quota: text("Its quota, as text.", "unlimited"),
            update_frequency: text("How often rates change.", "daily"),
            features: Type.Object(
              {
                base: yes("Any base."),
                symbols: yes("Some currencies only."),
                experimental: yes("Experimental features: none."),
                "time-series": yes("time-series.json"),
                convert: yes("convert"),
                "bid-ask": yes("Bid and ask prices: none."),
                ohlc: yes("ohlc.json: where there are intraday quotes."),
              },
              { additionalProperties: false, description: "What can be requested." },
            ),
          },
          { additionalProperties: false, description: "The plan." },
        ),
        usage: Type.Object(
          {
            requests: count("Requests of the month: not counted, -1."),
            requests_quota: count("Requests allowed: no limit, -1."),
            requests_remaining: count("Requests left: no limit, -1."),
            days_elapsed: Type.Integer({
              minimum: 0,
              description: "Days since the month began.",
              examples: [12],
            }),
            days_remaining: Type.Integer({ minimum: 0, description: "Days until the next.", examples: [18] }),
            daily_average: count("Requests a day: not counted, -1."),
          },
          { additionalProperties: false, description: "The month so far." },
        ),
      },
      { additionalProperties: false, description: "Plan and usage." },
    ),
  },
  { $id: "OxrUsage", additionalProperties: false, description: "Plan and usage." },
);

export const USAGE_EXAMPLE = {
  status: 200,
  data: {
    app_id: "any",
    status: "active",
    plan: {
      name: "Self-hosted",
      quota: "unlimited",
      update_frequency: "daily",
      features: {
        base: true,
        symbols: true,
        experimental: false,
        "time-series": true,
        convert: true,
        "bid-ask": false,
        ohlc: true,
      },
    },
    usage: {
      requests: -1,
      requests_quota: -1,
      requests_remaining: -1,
      days_elapsed: 12,
      days_remaining: 18,
      daily_average: -1,
    },
  },
};
