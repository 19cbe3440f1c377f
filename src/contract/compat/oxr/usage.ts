/** The body of usage.json. */

import { Type } from "@sinclair/typebox";
import * as form from "#contract/forms.ts";

const count = (description: string) => form.count(description, -1, -1);
const yes = (description: string) => form.flag(description, true);

export const OxrUsage = form.named("OxrUsage", "Plan and usage.", {
  status: Type.Integer({ description: "HTTP status.", examples: [200] }),
  data: form.closed("Plan and usage.", {
    app_id: form.text("As sent; empty without one.", "any"),
    status: form.text("Always `active`.", "active"),
    plan: form.closed("The plan.", {
      name: form.text("Name of the plan.", "Self-hosted"),
      quota: form.text("Its quota, as text.", "unlimited"),
      update_frequency: form.text("How often rates change.", "daily"),
      features: form.closed("What can be requested.", {
        base: yes("Any base."),
        symbols: yes("Some currencies only."),
        experimental: yes("Experimental features: none."),
        "time-series": yes("time-series.json"),
        convert: yes("convert"),
        "bid-ask": yes("Bid and ask prices: none."),
        ohlc: yes("ohlc.json: where there are intraday quotes."),
      }),
    }),
    usage: form.closed("The month so far.", {
      requests: count("Requests of the month: not counted, -1."),
      requests_quota: count("Requests allowed: no limit, -1."),
      requests_remaining: count("Requests left: no limit, -1."),
      days_elapsed: form.count("Days since the month began.", 12),
      days_remaining: form.count("Days until the next.", 18),
      daily_average: count("Requests a day: not counted, -1."),
    }),
  }),
});

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
