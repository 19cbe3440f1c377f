import { expect, test } from "bun:test";
import { isStale, newestDueDay, nextPublication } from "#domain/history/schedule.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { day } from "./columns.ts";

const at = (text: string) => Date.parse(text);

test.each([
  // Monday 13 April 2026, summer time: due at 16:00 Berlin plus two hours, 16:00Z.
  ["2026-04-13T15:59:59Z", "2026-04-10"],
  ["2026-04-13T16:00:00Z", "2026-04-13"],
  // Over Easter the Thursday before stays the newest one due.
  ["2026-04-06T20:00:00Z", "2026-04-02"],
  ["2026-04-07T16:00:00Z", "2026-04-07"],
  ["2026-01-01T23:00:00Z", "2025-12-31"],
])("at %s the ECB's figures of %s are due", (now, due) => {
  expect(formatDay(newestDueDay("ecb_daily", at(now)))).toBe(due);
});

test.each([
  // Released Monday 16:15 New York through the Friday before, three hours of grace.
  ["2026-04-13T23:14:59Z", "2026-04-03"],
  ["2026-04-13T23:15:00Z", "2026-04-10"],
  // 25 May 2026 is Memorial Day: the release comes on Tuesday.
  ["2026-05-25T23:30:00Z", "2026-05-15"],
  ["2026-05-26T23:15:00Z", "2026-05-22"],
  // Friday 3 July 2026 is a holiday: Thursday is the newest figure of that week.
  ["2026-07-06T23:15:00Z", "2026-07-02"],
])("at %s the H.10 figures of %s are due", (now, due) => {
  expect(formatDay(newestDueDay("fred_daily", at(now)))).toBe(due);
});

test("a closed day that H.10 marks with a dot is an answer, not a delay", () => {
  const now = at("2026-04-13T23:30:00Z");
  expect(isStale("fred_daily", day("2026-04-09"), day("2026-04-09"), now)).toBe(true);
  expect(isStale("fred_daily", day("2026-04-09"), day("2026-04-10"), now)).toBe(false);
  // But a series that stopped long ago is stale however far the document reaches.
  expect(isStale("fred_daily", day("2026-03-20"), day("2026-04-10"), now)).toBe(true);
});

test("the next publications come at the authorities' hours", () => {
  expect(formatInstant(nextPublication("ecb_daily", at("2026-04-10T14:00:00Z")))).toBe(
    "2026-04-13T14:00:00Z",
  );
  expect(formatInstant(nextPublication("fred_daily", at("2026-05-23T14:00:00Z")))).toBe(
    "2026-05-26T20:15:00Z",
  );
});
