/** get_rate: GET /v1/rate/{slug} */

import { Type } from "@sinclair/typebox";
import { RateResponse } from "#contract/rates/rate.ts";
import { provenance } from "#mcp/provenance.ts";
import { restTool } from "#mcp/tool.ts";
import { currency, decimals, inputOf, queryOf } from "./arguments.ts";

export const getRate = restTool({
  name: "get_rate",
  title: "Latest rate of a pair",
  description:
    "The newest rate of one pair of currencies. Use it for one pair now; for several currencies use get_latest, for a past day get_historical, for an amount of money convert (it multiplies exactly). With `fixing` it gives the official value of USD/MXN as the authority published it.",
  input: inputOf({
    base: currency("Currency that the rate is for 1 unit of.", "USD"),
    quote: currency("Currency that the rate is in units of.", "JPY"),
    fixing: Type.Optional(
      Type.Union([Type.Literal("banxico"), Type.Literal("dof")], {
        description:
          "Only with base USD and quote MXN: `banxico` for the FIX of Banco de México, `dof` for the value in the Diario Oficial. Absent for the ordinary rate.",
      }),
    ),
    decimals,
  }),
  output: RateResponse,
  request: ({ base, quote, fixing, decimals }) => {
    const slug = [base, quote, ...(fixing === undefined ? [] : [fixing])].join("-").toLowerCase();
    return { method: "GET", path: `/v1/rate/${slug}${queryOf({ dp: decimals })}` };
  },
  summary: (rate) =>
    `1 ${rate.base} = ${rate.rate.rawJSON} ${rate.quote}${rate.derived ? ", triangulated through a third currency" : ""}. ${provenance(rate, rate.stale)}`,
});
