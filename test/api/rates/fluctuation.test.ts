/** GET /v1/fluctuation on the wire: members, CSV, refusals. The figures themselves: test/rates/fluctuation.test.ts. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

const app = openTestApp();
const WINDOW = "start_date=2026-04-07&end_date=2026-04-11";

describe("/v1/fluctuation", () => {
  test("has both ends with the days of their figures, the change, and the extremes", async () => {
    const body = await app.get(`/v1/fluctuation?base=EUR&symbols=USD&${WINDOW}`);
    expect(body).toMatchObject({ base: "EUR", start_date: "2026-04-07", end_date: "2026-04-11" });
    const { USD } = body.rates;
    const day = async (date: string) => (await app.get(`/v1/${date}?base=EUR&symbols=USD`)).rates.USD;
    expect([USD.start_rate, USD.end_rate]).toEqual([await day("2026-04-07"), await day("2026-04-11")]);
    expect(USD.end_date).toBe("2026-04-10");
    expect(USD.change).toBeCloseTo(USD.end_rate - USD.start_rate, 9);
    expect(USD.change_pct).toBeCloseTo((USD.change / USD.start_rate) * 100, 4);
    expect(USD.low).toBeLessThanOrEqual(Math.min(USD.start_rate, USD.end_rate));
    expect(USD.high).toBeGreaterThanOrEqual(Math.max(USD.start_rate, USD.end_rate));
  });

  test("as CSV has a row a currency with the digits of the JSON", async () => {
    const query = `/v1/fluctuation?base=EUR&symbols=USD,GBP&${WINDOW}`;
    const json = await (await app.ask(query)).text();
    const csv = await (await app.ask(`${query}&format=csv`)).text();
    const [, ...rows] = csv.trim().split("\r\n");
    const printed = ["USD", "GBP"].map((code) => {
      const members = new RegExp(`"${code}":\\{("start_rate"[^}]*)\\}`).exec(json)?.[1] ?? "";
      return `EUR,${code},${members.replace(/"\w+":|"/g, "")}`;
    });
    expect(rows).toEqual(printed);
  });

  for (const [query, code] of [
    ["start_date=2026-04-11&end_date=2026-04-07", "invalid_request"],
    ["start_date=2026-04-07", "missing_parameter"],
    ["start_date=2026-02-30&end_date=2026-04-07", "bad_date"],
    ["start_date=1998-01-05&end_date=2026-04-07", "no_data_for_date"],
    [`${WINDOW}&base=XXX`, "unsupported_base"],
    [`${WINDOW}&symbols=ZZZ`, "invalid_request"],
  ] as const)
    test(`refuses ${query} with ${code}`, () => app.refused(`/v1/fluctuation?${query}`, code));
});
