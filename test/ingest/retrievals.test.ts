/** A retrieval that a clock ahead has dated does not count as the newest one for as long as it was ahead. */

import { expect, test } from "bun:test";
import { advanceRetrievals } from "#ingest/coverage.ts";

const TUESDAY = Date.parse("2026-04-14T15:00:00Z");
const YEAR = 365 * 86_400_000;

test("after a clock a year ahead the next look counts, and its days stay covered", () => {
  const wrong = advanceRetrievals([], "ecb_daily", {
    route: "sdmx",
    from: 20_000,
    at: TUESDAY + YEAR,
    newest: null,
    modifiedAt: null,
  });
  const right = advanceRetrievals(wrong, "ecb_daily", {
    route: "sdmx",
    from: null,
    at: TUESDAY,
    newest: null,
    modifiedAt: null,
  });
  expect(right).toEqual([
    { source: "ecb_daily", route: "sdmx", from: 20_000, at: TUESDAY, newest: null, modifiedAt: null },
  ]);
});

test("of looks side by side the later one counts", () => {
  const later = advanceRetrievals([], "ecb_daily", {
    route: "sdmx",
    from: 20_000,
    at: TUESDAY,
    newest: null,
    modifiedAt: null,
  });
  const earlier = { route: "sdmx", from: 20_000, at: TUESDAY - 60_000, newest: null, modifiedAt: null };
  expect(advanceRetrievals(later, "ecb_daily", earlier)).toBe(later);
});
