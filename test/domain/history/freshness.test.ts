import { expect, test } from "bun:test";
import { currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import {
  isMissingOn,
  isStale,
  lastDateOf,
  newestDueDay,
  nextPublication,
  suspendedCurrencies,
} from "#domain/history/schedule.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { day, ecb, fred, historyOf, type PlainObservation } from "./columns.ts";

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
  const next = (source: "ecb_daily" | "fred_daily", now: string) =>
    formatInstant(nextPublication(source, at(now)));
  expect(next("ecb_daily", "2026-04-10T14:00:00Z")).toBe("2026-04-13T14:00:00Z");
  expect(next("fred_daily", "2026-05-23T14:00:00Z")).toBe("2026-05-26T20:15:00Z");
});

const held = historyOf([
  ecb("2026-03-20", "ISK", "143.1"),
  ecb("2026-04-10", "NOK", "11.2"),
  ...["2026-04-10", "2026-04-13"].map((date) => ecb(date, "USD", "1.17")),
]);
test.each([
  ["its figure may be held", "NOK", "2026-04-13", null, true],
  ["the documents end before it", "NOK", "2026-04-13", "2026-04-10", true],
  ["the documents reach the day", "NOK", "2026-04-13", "2026-04-13", false],
  ["it is there", "USD", "2026-04-13", null, false],
  ["nothing is due on a Sunday", "NOK", "2026-04-12", null, false],
  ["it is suspended", "ISK", "2026-04-13", null, false],
] as const)("whether a figure is missing: %s", (_, code, on, covered, isMissing) => {
  const row = held.observations.quote.indexOf(currencyIndex(code));
  const missingAt = (now: string) => {
    const asked = { row, day: day(on), coveredThrough: covered === null ? null : day(covered), now: at(now) };
    return isMissingOn(held, asked);
  };
  expect([missingAt("2026-04-13T15:59:59Z"), missingAt("2026-04-13T16:00:00Z")]).toEqual([false, isMissing]);
});

const dates = ["2008-12-08", "2008-12-09", "2008-12-10", "2008-12-19", "2009-01-05", "2009-01-12"];
const history = (more: readonly PlainObservation[] = []) =>
  historyOf([
    ...dates.map((date) => ecb(date, "USD", "1.2961")),
    ecb("2008-12-09", "ISK", "290.00"),
    ...more,
  ]);
const suspended = (rows: ReturnType<typeof history>, today: string) =>
  suspendedCurrencies(rows, day(today)).map(
    ({ currency, lastDate }) => `${currencyCode(currency)} ${formatDay(lastDate)}`,
  );

test.each([
  ["2008-12-23", []],
  ["2008-12-24", ["ISK 2008-12-09"]],
  ["2009-01-12", ["ISK 2008-12-09"]],
  ["2009-01-26", ["ISK 2008-12-09"]],
  // The source has been silent for more than 14 days.
  ["2009-01-27", []],
])("on %s: %j", (today, codes) => expect(suspended(history(), today)).toEqual(codes));

test("a currency that another source goes on with is not suspended", () => {
  const later = fred("2009-01-09", "BRL", "2.2575");
  const rows = history([ecb("2008-12-09", "BRL", "3.2"), later]);
  expect(suspended(rows, "2009-01-12")).toEqual(["ISK 2008-12-09"]);
});

test("a silent source suspends nothing, although another one publishes", () => {
  expect(suspended(history([fred("2008-12-09", "TWD", "33.4")]), "2009-01-12")).toEqual(["ISK 2008-12-09"]);
});

test("what was never published is not suspended, and a pivot is published with its source", () => {
  expect(suspended(history(), "2009-01-12")).not.toContain("NOK");
  expect(lastDateOf(history(), currencyIndex("NOK"))).toBeNull();
  expect(formatDay(lastDateOf(history(), currencyIndex("EUR")) ?? 0)).toBe("2009-01-12");
  expect(formatDay(lastDateOf(history(), currencyIndex("ISK")) ?? 0)).toBe("2008-12-09");
});

test("while a clock is set back before the documents that there are, what is newest is unknown, and its figures are stale", () => {
  const covered = day("2026-04-14");
  for (const now of ["2026-04-12T12:00:00Z", "2025-03-10T12:00:00Z"].map(at)) {
    expect(isStale("ecb_daily", newestDueDay("ecb_daily", now), covered, now)).toBe(true);
  }
  const right = Date.parse("2026-04-14T22:00:00Z");
  expect(isStale("ecb_daily", covered, covered, right)).toBe(false);
});
