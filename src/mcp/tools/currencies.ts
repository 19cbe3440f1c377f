/** list_currencies: GET /v1/currencies */

import { CurrenciesResponse } from "#contract/rates/currencies.ts";
import { restTool } from "#mcp/tool.ts";
import { inputOf } from "./arguments.ts";

export const listCurrencies = restTool({
  name: "list_currencies",
  title: "List currencies",
  description:
    "The catalog: every currency with its code, name, minor units, published decimals, sources, whether it is live now, and the first day of its history. Use it to find a code or to see what is covered. It holds no rates: for those use get_rate or get_latest.",
  input: inputOf({}),
  output: CurrenciesResponse,
  request: () => ({ method: "GET", path: "/v1/currencies" }),
  summary: ({ currencies, count, pairs }) => {
    const live = currencies.filter((one) => one.live).map(({ code }) => code);
    const codes = currencies.map(({ code }) => code).join(", ");
    return `${count.rawJSON} currencies, ${pairs.rawJSON} pairs: ${codes}. Live now: ${live.join(", ") || "none, all are daily reference rates"}.`;
  },
});
