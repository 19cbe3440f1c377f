/** openapi-typescript's types with openapi-fetch. Prints what it was answered. */

import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

const client = createClient<paths, "application/json">({ baseUrl: process.argv[2] ?? "" });
const pair = { from_ccy: "USD", to_ccy: "EUR" };

const latest = await client.GET("/v1/latest", { params: { query: { base: "USD", symbols: "EUR, GBP" } } });
const converted = await client.GET("/v1/convert/{from_ccy}/{to_ccy}", {
  params: { path: pair, query: { amount: "100.50", date: "2026-04-10" } },
});
const batch = await client.POST("/v1/convert", {
  body: {
    from: "USD",
    pairs: [
      ["EUR", 100],
      ["GBP", "49.90"],
    ],
  },
});
const range = await client.GET("/v1/range", {
  params: { query: { symbols: "EUR,GBP", start_date: "2026-04-01", end_date: "2026-04-10" } },
});
const refused = await client.GET("/v1/convert/{from_ccy}/{to_ccy}", {
  params: { path: { ...pair, to_ccy: "XYZ" } },
});
// With estimate=1 the answer is another, and a part of a file has no JSON.
if (range.data === undefined || !("data" in range.data)) throw new Error("no page");
const [first] = range.data.data;

console.log(
  JSON.stringify({
    base: latest.data?.base,
    eur: latest.data?.rates["EUR"],
    updated: latest.data?.data_updated_at.slice(0, 10),
    converted: converted.data?.converted,
    batch: batch.data?.conversions.map((item) => item.converted),
    rows: range.data.data.length,
    first: first?.date,
    firstEur: first?.rates?.["EUR"],
    refused: refused.error?.code,
  }),
);
