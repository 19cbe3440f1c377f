/** get_historical: GET /v1/{date} */

import { Type } from "@sinclair/typebox";
import { HistoricalResponse } from "#contract/rates/historical.ts";
import { provenance } from "#mcp/provenance.ts";
import { restTool } from "#mcp/tool.ts";
import { asOf, base, day, decimals, inputOf, queryOf, symbols } from "./arguments.ts";
import { ratesText } from "./latest.ts";

export const getHistorical = restTool({
  name: "get_historical",
  title: "Rates of a past day",
  description:
    "The daily reference rates of one past day (UTC), since 1999-01-04. On a weekend or holiday those published before it, with `is_forward_filled` true. Use it for one day; for several days use get_range (one call instead of many), for now get_latest, for an amount on that day convert with `date`. A plan shows only so many days back: `plan_gated` says which plans reach further.",
  input: inputOf({
    date: day("The day wanted.", "2026-04-10"),
    base,
    symbols: Type.Optional(symbols),
    as_of: asOf,
    decimals,
  }),
  output: HistoricalResponse,
  request: ({ date, base, symbols, as_of, decimals }) => ({
    method: "GET",
    path: `/v1/${date}${queryOf({ base, symbols, as_of, dp: decimals })}`,
  }),
  summary: (rates) => {
    const filled = rates.is_forward_filled ? " (carried forward from an earlier publication)" : "";
    return `Rates of ${rates.date}${filled} per 1 ${rates.base}: ${ratesText(rates.rates)}. ${provenance(rates)}`;
  },
});
