/** The refusal messages for a day or a window without a rate state the true reason. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

/** It is Monday 2026-04-13; the ECB was closed from Friday the 3rd to Monday the 6th. */
const app = openTestApp();

const messageOf = (path: string) => app.reason(path, "no_data_for_date");
const window = (start: string, end: string, more = "") =>
  `/v1/range?base=EUR&symbols=USD&start_date=${start}&end_date=${end}${more}`;

test.each([
  "/v1/2026-04-14",
  "/v1/convert/USD/EUR?date=2026-04-14",
  window("2026-04-14", "2026-04-20"),
  window("2026-04-14", "2026-04-20", "&format=csv"),
])("the future: %s", async (path) => {
  const message = await messageOf(path);
  expect(message).toContain("after today, 2026-04-13");
  expect(message).not.toContain("14 days");
});

test.each([
  "/v1/1999-01-03",
  "/v1/1900-01-01?as_of=2026-04-13T00:00:00Z",
  "/v1/convert/USD/EUR?date=1998-12-31",
  window("1990-01-01", "1998-12-31"),
  window("1990-01-01", "1998-12-31", "&format=csv"),
])("before coverage: %s", async (path) => {
  const message = await messageOf(path);
  expect(message).toContain("before 1999-01-04");
  expect(message).not.toContain("14 days");
});

test.each([
  "/v1/2010-01-01",
  "/v1/2026-04-10?symbols=ISK",
  "/v1/convert/USD/EUR?date=2010-01-01",
  window("2010-01-01", "2010-01-10"),
  window("2026-04-07", "2026-04-10").replace("symbols=USD", "symbols=ISK"),
])("nothing for two weeks: %s", async (path) => expect(await messageOf(path)).toContain("14 days before"));
