/** Which days are requested, also around midnight. */

import { expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { windowAt } from "#ingest/coverage.ts";

const at = (now: string, source: "ecb_daily" | "fred_daily", reach: "history" | "recent" | "latest") => {
  const { from, to } = windowAt(Date.parse(now), source, reach);
  return `${formatDay(from)} ${formatDay(to)}`;
};

test("each reach begins where it should and ends today", () => {
  expect(at("2026-04-14T15:00:00Z", "ecb_daily", "history")).toBe("1999-01-04 2026-04-14");
  expect(at("2026-04-14T15:00:00Z", "ecb_daily", "recent")).toBe("2026-01-14 2026-04-14");
  expect(at("2026-04-14T15:00:00Z", "ecb_daily", "latest")).toBe("2026-04-07 2026-04-14");
  expect(at("2026-04-14T15:00:00Z", "fred_daily", "latest")).toBe("2026-03-24 2026-04-14");
});

test("near midnight today is the latest day that any authority has", () => {
  expect(at("2026-04-14T22:30:00Z", "ecb_daily", "latest")).toBe("2026-04-08 2026-04-15");
  expect(at("2026-01-14T22:30:00Z", "ecb_daily", "latest")).toBe("2026-01-07 2026-01-14");
  expect(at("2026-04-15T00:30:00Z", "fred_daily", "latest")).toBe("2026-03-25 2026-04-15");
});

test("nothing is requested before the coverage begins", () => {
  expect(at("1999-01-08T15:00:00Z", "ecb_daily", "recent")).toBe("1999-01-04 1999-01-08");
});
