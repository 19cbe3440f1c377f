/** get_latest: GET /v1/latest */

import { Type } from "@sinclair/typebox";
import { LatestResponse } from "#contract/rates/latest.ts";
import type { ExactNumber } from "#mcp/exact-json.ts";
import { marked, provenance } from "#mcp/provenance.ts";
import { restTool } from "#mcp/tool.ts";
import { base, decimals, inputOf, queryOf, symbols } from "./arguments.ts";

export const getLatest = restTool({
  name: "get_latest",
  title: "Latest rates",
  description:
    "The newest rates of several currencies, or of all, on one base: live where a currency is served live, else the daily reference. Each has its own source and observation time (`sources`, `effective_at`). Use it for two currencies or more; for one pair get_rate is shorter, for a past day use get_historical.",
  input: inputOf({ base, symbols: Type.Optional(symbols), decimals }),
  output: LatestResponse,
  request: ({ base, symbols, decimals }) => ({
    method: "GET",
    path: `/v1/latest${queryOf({ base, symbols, dp: decimals })}`,
  }),
  summary: (latest) =>
    `Latest rates per 1 ${latest.base}: ${ratesText(latest.rates)}. ${provenance(latest, marked(latest.stale))} Source and time of each are in sources and effective_at; these are the least fresh.`,
});

/** `EUR 0.85585, JPY 157.698` */
export function ratesText(rates: Readonly<Record<string, ExactNumber>>): string {
  const texts = Object.entries(rates).map(([code, rate]) => `${code} ${rate.rawJSON}`);
  return texts.length === 0 ? "none" : texts.join(", ");
}
