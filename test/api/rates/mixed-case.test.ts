/** A currency code in mixed case is refused on every surface, with what to write: GBp are pence, not pounds. */

import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { MCP_HEADERS } from "#test/mcp/damage.ts";

const app = openTestApp();
const HINT = "GBp is not a currency code here: pence are not served; write GBP or gbp for pounds";
const window = "start_date=2026-04-01&end_date=2026-04-10";

describe("refused with the hint", () => {
  test.each<[string, ErrorCode]>([
    ["/v1/latest?base=GBp", "unsupported_base"],
    ["/v1/latest/GBp", "unsupported_base"],
    ["/v1/latest?symbols=EUR,GBp", "invalid_request"],
    ["/v1/2026-04-10/GBp", "unsupported_base"],
    ["/v1/convert/GBp/USD", "invalid_pair"],
    ["/v1/convert/USD/GBp/5", "invalid_pair"],
    ["/v1/rate/GBp-usd", "invalid_pair"],
    [`/v1/range?base=GBp&symbols=EUR&${window}`, "unsupported_base"],
    [`/v1/range?symbols=GBp&${window}`, "invalid_request"],
    ["/v1/stream?base=GBp", "unsupported_base"],
    ["/v1/explain/GBp/USD", "invalid_pair"],
    ["/v1/lake/proof/GBp/USD?date=2026-04-10", "invalid_pair"],
  ])("%s → %s", async (path, code) => {
    expect(await app.reason(path, code)).toBe(HINT);
  });
  test.each([
    { from: "GBp", pairs: [["USD", 1]] },
    { from: "USD", pairs: Object.entries({ EUR: 1, GBp: 1 }) },
  ])("a batch %j", async (batch) => {
    expect(await app.reason("/v1/convert", "invalid_pair", post(batch))).toBe(HINT);
  });
  test.each<[string, number]>([
    ["/compat/frankfurter/v1/latest?base=GBp", 422],
    ["/compat/frankfurter/v1/latest?symbols=EUR,GBp", 422],
    ["/compat/frankfurter/v2/rates?quotes=GBp", 422],
    ["/v2/rates.csv?quotes=EUR,GBp&from=2026-04-01", 422],
    ["/v2/rate/USD/GBp", 422],
    ["/v2/currency/GBp", 422],
    ["/compat/oxr/latest.json?symbols=EUR,GBp", 400],
    ["/compat/oxr/historical/2026-04-10.json?symbols=GBp", 400],
    ["/compat/oxr/time-series.json?start=2026-04-01&end=2026-04-10&symbols=GBp", 400],
    ["/compat/oxr/ohlc.json?start_time=2026-04-10T10:00:00Z&period=1h&symbols=GBp", 400],
    ["/compat/oxr/convert.json?value=1&from=USD&to=GBp", 400],
  ])("%s → %i", async (path, status) => {
    const refusal = await app.ask(path);
    expect(refusal.status).toBe(status);
    expect(await refusal.text()).toContain(HINT);
  });
  test.each([
    ["get_rate", { base: "USD", quote: "GBp" }],
    ["get_latest", { symbols: ["GBp"] }],
    ["convert", { from: "GBp", to: "USD", amount: 1 }],
    ["convert_batch", { from: "USD", pairs: [{ to: "GBp", amount: 1 }] }],
  ])("the tool %s with %j", async (name, given) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
    const answer = await app.visit("/v1/mcp/", post(message, MCP_HEADERS));
    const { result } = await answer.json();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain("pence are not served");
  });
  test.each(["/GBp-usd", "/usd-GBp", "/?base=GBp", "/?to=GBp", "/site/series/GBp/USD"])(
    "the page %s",
    async (path) => {
      const refusal = await app.visit(path);
      expect(refusal.status).toBe(400);
      expect(await refusal.text()).toContain("pence are not served");
    },
  );
});

test.each([
  ["/v1/latest?base=gbp&symbols=usd", "/v1/latest?base=GBP&symbols=USD"],
  ["/v1/convert/gbp/USD/5", "/v1/convert/GBP/usd/5"],
  ["/v1/rate/gbp-USD", "/v1/rate/GBP-usd"],
  ["/v1/rate/Gbp-uSD", "/v1/rate/gbp-usd"],
  ["/compat/oxr/latest.json?base=usd&symbols=gbp", "/compat/oxr/latest.json?base=USD&symbols=GBP"],
  [
    "/compat/frankfurter/v1/latest?base=usd&symbols=gbp",
    "/compat/frankfurter/v1/latest?base=USD&symbols=GBP",
  ],
  ["/v2/rates?base=usd&quotes=gbp", "/v2/rates?base=USD&quotes=GBP"],
])("%s is %s", async (lower, upper) => {
  expect(await (await app.ask(lower)).text()).toBe(await (await app.ask(upper)).text());
});

test.each(["/v1/latest/xyz", "/v1/latest?base=XyZ", "/v1/2026-04-10/Xyz"])(
  "the message for %s is the contract's, with the code in upper case",
  async (path) => {
    expect(await app.reason(path, "unsupported_base")).toBe("unsupported base: XYZ");
  },
);
