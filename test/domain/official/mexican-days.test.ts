/** Mexico's bank days against every determination of the FIX, and which FIX and which issue are due at an instant. */

import { describe, expect, test } from "bun:test";
import {
  dofEffectiveAt,
  fixObservedAt,
  isMexicanBankDay,
  newestDueDof,
  newestDueFix,
} from "#domain/official/mexican-days.ts";
import { type Day, dayAt, formatDay, formatInstant, weekdayOf } from "#domain/time/day.ts";
import { day } from "#test/sources/documents.ts";
import { realText, testOn } from "#test/support/shared-data.ts";
import { words } from "#test/support/words.ts";

describe("a bank day", () => {
  test.each(
    words(`
    2026-01-01 2026-02-02 2026-03-16 2026-04-02 2026-04-03 2026-05-01 2026-09-16 2026-11-02 2026-11-16
    2026-12-25 2024-10-01 2030-10-01 2026-04-11 2026-04-12
  `),
  )("%s is none", (text) => expect(isMexicanBankDay(day(text))).toBe(false));

  test.each(
    words(`
    2026-01-02 2026-02-09 2026-03-09 2026-03-23 2026-04-06 2026-05-05 2026-10-01 2026-11-20 2026-12-24
    2026-12-31
  `),
  )("%s is one", (text) => expect(isMexicanBankDay(day(text))).toBe(true));

  testOn("banxico/SF43718-fix-1991-11-12_2025-11-25.csv")(
    "agrees with every real determination from 2008 to November 2025, but for the one day that could not be foreseen",
    () => {
      const determined = new Set(
        realText("banxico/SF43718-fix-1991-11-12_2025-11-25.csv")
          .trim()
          .split("\n")
          .slice(1)
          .map((line) => day(line.slice(0, 10))),
      );
      const differing: string[] = [];
      for (let date = day("2008-01-01"); date <= day("2025-11-25"); date++) {
        if (isMexicanBankDay(date) !== determined.has(date)) differing.push(formatDay(date));
      }
      expect(differing).toEqual(["2010-09-17"]);
    },
  );
});

describe("what is due", () => {
  const at = (text: string, due: (now: number) => Day) => formatDay(due(Date.parse(text)));

  test.each([
    // 14:00 in Mexico City is 20:00 UTC.
    ["2026-04-13T19:59:59Z", "2026-04-10"],
    ["2026-04-13T20:00:00Z", "2026-04-13"],
    ["2026-04-06T19:00:00Z", "2026-04-01"],
    ["2026-04-12T12:00:00Z", "2026-04-10"],
    // Summer time until 2022: 14:00 was 19:00 UTC.
    ["2022-07-01T19:00:00Z", "2022-07-01"],
  ])("of the FIX at %s is that of %s", (now, due) => expect(at(now, newestDueFix)).toBe(due));

  test.each([
    ["2026-04-13T17:59:59Z", "2026-04-10"],
    ["2026-04-13T18:00:00Z", "2026-04-13"],
    // There may be no issue on 5 May.
    ["2026-05-05T23:00:00Z", "2026-05-04"],
    ["2026-05-06T18:00:00Z", "2026-05-06"],
  ])("of the Diario at %s is that of %s", (now, due) => expect(at(now, newestDueDof)).toBe(due));
});

test("the FIX is of noon, the Diario's dollar of the beginning of its day, both in Mexico City", () => {
  const texts = (date: string) => [fixObservedAt(day(date)), dofEffectiveAt(day(date))].map(formatInstant);
  expect(texts("2026-07-01")).toEqual(["2026-07-01T18:00:00Z", "2026-07-01T06:00:00Z"]);
  expect(texts("2021-07-01")).toEqual(["2021-07-01T17:00:00Z", "2021-07-01T05:00:00Z"]);
  expect(weekdayOf(dayAt(fixObservedAt(day("2026-04-13"))))).toBe(1);
});
