/** A currency is suspended when its figures have ended and its source goes on, and not while the source itself is silent. */

import { expect, test } from "bun:test";
import { currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { lastDateOf, suspendedCurrencies } from "#domain/history/schedule.ts";
import { formatDay } from "#domain/time/day.ts";
import { day, ecb, fred, historyOf, type PlainObservation } from "./columns.ts";

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
  expect(suspended(history([ecb("2008-12-09", "BRL", "3.2"), later]), "2009-01-12")).toEqual([
    "ISK 2008-12-09",
  ]);
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
