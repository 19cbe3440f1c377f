/** One conversion and one quote state the observation time of each currency, as the answers of several rates do. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleOfficial } from "#test/api/sample-official.ts";

const app = openTestApp({ official: sampleOfficial() });

test.each([
  ["USD", "EUR"],
  ["EUR", "GBP"],
  ["TWD", "GBP"],
  ["USD", "TWD"],
  ["EUR", "EUR"],
])("%s to %s: the same as in latest rates", async (base, quote) => {
  const { effective_at } = await app.get(`/v1/latest/${base}?symbols=${quote}`);
  expect((await app.get(`/v1/convert/${base}/${quote}`)).effective_at).toEqual(effective_at);
  if (base !== quote) expect((await app.get(`/v1/rate/${base}-${quote}`)).effective_at).toEqual(effective_at);
});

test("at the rate of a past day: the same as in the rates of that day", async () => {
  const { effective_at } = await app.get("/v1/2026-04-12/TWD?symbols=GBP");
  expect((await app.get("/v1/convert/TWD/GBP?date=2026-04-12")).effective_at).toEqual(effective_at);
});

test("of an official value it is the instant that the value is of", async () => {
  const body = await app.get("/v1/rate/usd-mxn-banxico");
  expect(body.effective_at).toEqual({ MXN: body.data_updated_at });
});
