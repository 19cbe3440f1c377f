/** Compiled by the tests with the package as it is built: what is wrong here must be an error, and nothing else may be. */

import {
  Crossrate,
  CrossrateError,
  type CurrencyCode,
  readWebhook,
  type StreamEvent,
} from "@crossrate/client";

const crossrate = new Crossrate({ url: new URL("http://localhost:3000"), key: "fxk_", retries: 0 });

export async function right(): Promise<readonly (number | undefined)[]> {
  const code: CurrencyCode = "EUR";
  const latest = await crossrate.latest({ base: code, symbols: ["USD", "JPY"], dp: 4 });
  const rates: (number | undefined)[] = [latest.rates["USD"]];
  const window = { symbols: "*", start_date: "2024-01-01", end_date: "2024-12-31" } as const;
  for await (const row of crossrate.rangeRows({ ...window, order: "desc", interval: "1mo" }))
    rates.push(row.rates["EUR"]);
  const { data } = await crossrate.http.GET("/v1/account");
  const used: number | undefined = data?.usage?.calls_this_month;
  return [...rates, used];
}

export function readEvent(event: StreamEvent): string {
  return event.event === "unavailable" ? event.data.code : event.data.base;
}

export function explain(error: unknown): string | undefined {
  if (!(error instanceof CrossrateError)) return undefined;
  return error.code === "plan_gated" ? error.details.earliest_allowed : `${error.status} ${error.retryAfter}`;
}

// @ts-expect-error a server is needed
new Crossrate({ key: "fxk_" });
// @ts-expect-error no such currency
crossrate.latest({ base: "XXX" });
// @ts-expect-error no such currency among the symbols
crossrate.latest({ symbols: ["EUR", "XYZ"] });
// @ts-expect-error no such parameter
crossrate.latest({ symbol: "EUR" });
// @ts-expect-error a number
crossrate.latest({ dp: "4" });
// @ts-expect-error a day is needed
crossrate.historical({ base: "EUR" });
// @ts-expect-error an amount, not a flag
crossrate.convert("USD", "EUR", true);
// @ts-expect-error pairs of a code and an amount
crossrate.convertBatch("USD", ["EUR", 100]);
// @ts-expect-error the last day is missing
crossrate.range({ symbols: "EUR", start_date: "2024-01-01" });
// @ts-expect-error no such order
crossrate.range({ symbols: "EUR", start_date: "2024-01-01", end_date: "2024-12-31", order: "up" });
// @ts-expect-error no such width
crossrate.rangeRows({ symbols: "EUR", start_date: "2024-01-01", end_date: "2024-12-31", interval: "2h" });
// @ts-expect-error no such format
crossrate.rangeFile({ symbols: "EUR", start_date: "2024-01-01", end_date: "2024-12-31", format: "ods" });
// @ts-expect-error a page has no format
crossrate.range({ symbols: "EUR", start_date: "2024-01-01", end_date: "2024-12-31", format: "csv" });
// @ts-expect-error a table has a country and a type
crossrate.official.latest("MEX");
// @ts-expect-error no such path
crossrate.http.GET("/v1/nothing");
// @ts-expect-error a secret is needed
readWebhook({ body: "", signature: "" });
// @ts-expect-error not a member of the answer
crossrate.latest().then(({ rate }) => rate);
