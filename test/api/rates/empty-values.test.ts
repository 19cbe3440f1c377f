/** A parameter that is sent without a value is refused where its absence means something: it was lost, and there is no default for that. */

import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { openTestApp } from "#test/api/harness.ts";
import { sampleOfficial } from "#test/api/sample-official.ts";

const app = openTestApp({ official: sampleOfficial() });
const range = "/v1/range?base=EUR&symbols=USD&start_date=2026-04-01&end_date=2026-04-10";

describe("refused", () => {
  test.each<[string, ErrorCode]>([
    ["/v1/latest?base=", "unsupported_base"],
    ["/v1/latest?dp=", "invalid_request"],
    ["/v1/latest?format=", "invalid_request"],
    ["/v1/2026-04-10?as_of=", "invalid_request"],
    ["/v1/2026-04-10?as_of_basis=", "invalid_request"],
    ["/v1/2026-04-10?as_of=2026-04-12T00:00:00Z&as_of_basis=", "invalid_request"],
    ["/v1/convert/USD/EUR?amount=", "invalid_request"],
    ["/v1/convert/USD/EUR?date=", "bad_date"],
    ["/v1/explain/USD/EUR?date=", "bad_date"],
    ["/v1/lake/proof/USD/EUR?date=", "missing_parameter"],
    ["/v1/lake/proof/USD/EUR?date=2026-04-10&version=", "invalid_request"],
    ["/v1/lake/chain?from=", "invalid_request"],
    ["/v1/range?symbols=&start_date=2026-04-01&end_date=2026-04-10", "missing_parameter"],
    ["/v1/range?symbols=USD&start_date=&end_date=2026-04-10", "missing_parameter"],
    ["/v1/range?symbols=USD&start_date=2026-04-01&end_date=", "missing_parameter"],
    ...[
      "format",
      "fill",
      "interval",
      "aggregate",
      "order",
      "layout",
      "limit",
      "dp",
      "cursor",
      "as_of",
      "as_of_basis",
      "updated_after",
      "estimate",
    ].map((name): [string, ErrorCode] => [`${range}&${name}=`, "invalid_request"]),
    [`${range}&interval=1w&aggregate=`, "invalid_request"],
    [`${range}&base=`.replace("base=EUR&", ""), "unsupported_base"],
    ["/status?strict=", "invalid_request"],
    ["/v1/official/changes?since=", "invalid_request"],
    ["/v1/official/changes?limit=", "invalid_request"],
    ["/v1/official/changes?cursor=", "invalid_request"],
    ["/v1/official/mex/fix/publications?from=", "bad_date"],
    ["/v1/official/mex/fix/publications?cursor=", "invalid_request"],
    ["/v1/official/mex/fix/publications/latest?valid_on=", "bad_date"],
    ["/v1/official/mex/fix/publications/2026-04-13?version=", "invalid_request"],
  ])("%s → %s", (path, code) => app.refused(path, code));
  test.each<[string, number]>([
    ["/compat/frankfurter/v1/latest?amount=", 422],
    ["/compat/frankfurter/v1/latest?base=", 404],
    ["/v2/rates?base=", 422],
    ["/v2/rates?from=", 422],
    ["/v2/rates?from=2026-04-01&to=", 422],
    ["/v2/rates?from=2026-04-01&group=", 422],
    ["/v2/rates?providers=", 422],
    ["/compat/oxr/latest.json?base=", 400],
    ["/compat/oxr/convert.json?value=&from=USD&to=EUR", 400],
    ["/compat/oxr/time-series.json?start=2026-04-01&end=", 400],
    ["/compat/oxr/ohlc.json?start_time=&period=1h", 400],
    ["/compat/oxr/ohlc.json?start_time=2026-04-10T10:00:00Z&period=", 400],
  ])("%s → %i", async (path, status) => {
    expect((await app.ask(path)).status).toBe(status);
  });
});

test.each([
  ["/v1/latest?symbols=", "/v1/latest"],
  ["/v1/2026-04-10?symbols=", "/v1/2026-04-10"],
  ["/compat/frankfurter/v1/latest?symbols=", "/compat/frankfurter/v1/latest"],
  ["/compat/frankfurter/v1/latest?to=", "/compat/frankfurter/v1/latest"],
  ["/v2/rates?quotes=", "/v2/rates"],
  ["/compat/oxr/latest.json?symbols=", "/compat/oxr/latest.json"],
  ["/compat/oxr/latest.json?app_id=", "/compat/oxr/latest.json"],
])("empty symbols mean all, where symbols are optional: %s is %s", async (empty, absent) => {
  const answers = await Promise.all([app.ask(empty), app.ask(absent)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await answers[0]?.text()).toBe((await answers[1]?.text()) as string);
});

test("a page takes the fields that a form leaves empty for absent", async () => {
  const page = await app.visit("/?base=EUR&amount=&search=&to=", { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
});

test.each([
  "2026-04-12T12:00:00Z",
  "2026-04-12T12:00:00%2B00:00",
  "2026-04-12%2012:00:00z",
  "2026-04-12T08:00:00-04:00",
])("an instant: %s is printed back in UTC", async (text) => {
  const utc = "2026-04-12T12:00:00Z";
  expect((await app.get(`/v1/2026-04-10?as_of=${text}`)).as_of).toBe(utc);
  expect((await app.get(`${range}&as_of=${text}`)).as_of).toBe(utc);
  expect((await app.get(`${range}&updated_after=${text}`)).updated_after).toBe(utc);
  const file = await app.ask(`${range}&format=csv&as_of=${text}`);
  expect(file.headers.get("x-as-of")).toBe(`${utc}; basis=published`);
  expect((await app.ask(`/v1/official/changes?since=${text}`)).status).toBe(200);
});
