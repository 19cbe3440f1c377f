import { describe, expect, test } from "bun:test";
import { PERIODS, periodEnd, periodStart } from "#domain/history/periods.ts";
import { type Day, formatDay, weekdayOf } from "#domain/time/day.ts";
import { fractionOf, rounded } from "#test/live/exact.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { day } from "./columns.ts";
import { meanText } from "./printed-columns.ts";

describe("a period", () => {
  test.each([
    ["1w", "2026-04-13", "2026-04-13", "2026-04-19"],
    ["1w", "2026-04-12", "2026-04-06", "2026-04-12"],
    ["1w", "1999-01-04", "1999-01-04", "1999-01-10"],
    ["1w", "2026-01-01", "2025-12-29", "2026-01-04"],
    ["1mo", "2026-02-28", "2026-02-01", "2026-02-28"],
    ["1mo", "2024-02-29", "2024-02-01", "2024-02-29"],
    ["1mo", "2025-12-31", "2025-12-01", "2025-12-31"],
    ["1q", "2026-03-31", "2026-01-01", "2026-03-31"],
    ["1q", "2026-04-01", "2026-04-01", "2026-06-30"],
    ["1q", "2025-12-31", "2025-10-01", "2025-12-31"],
    ["1y", "2024-02-29", "2024-01-01", "2024-12-31"],
    ["1d", "2026-04-13", "2026-04-13", "2026-04-13"],
  ] as const)("%s of %s reaches from %s to %s", (interval, date, first, last) => {
    expect(formatDay(periodStart(interval, day(date)))).toBe(first);
    expect(formatDay(periodEnd(interval, day(date)))).toBe(last);
  });
  test("follows the one before without a gap, for 30 years", () => {
    for (const interval of PERIODS) {
      for (let at: Day = day("1998-12-01"); at < day("2028-01-01"); at++) {
        const [first, last] = [periodStart(interval, at), periodEnd(interval, at)];
        expect(first <= at && at <= last).toBe(true);
        expect(periodStart(interval, last + 1)).toBe(last + 1);
        expect(periodEnd(interval, first)).toBe(last);
        if (interval === "1w") expect(weekdayOf(first)).toBe(1);
        else expect(formatDay(first).slice(8)).toBe("01");
      }
    }
  });
});

function naiveMean(texts: readonly string[]): string {
  const sum = texts
    .map(fractionOf)
    .reduce((a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }));
  return rounded({ top: sum.top, bottom: sum.bottom * BigInt(texts.length) });
}

describe("the mean of printed rates", () => {
  test.each([
    [["1.1655"], "1.1655"],
    [["366.90", "366.90"], "366.9"],
    [["1", "2"], "1.5"],
    [["0.1", "0.2", "0.2"], "0.1666666667"],
    // Ties go to the even digit.
    [["1.0000000001", "1.0000000000"], "1"],
    [["1.0000000003", "1.0000000002"], "1"],
    [["1.000000001", "1.000000002"], "1.000000002"],
    [["100", "0.01"], "50.005"],
  ])("of %j is %s", (texts, expected) => {
    expect(meanText(texts)).toBe(expected);
  });
  test("is exact to the last digit for any digits, short or long", () => {
    const random = seededRandom(42);
    for (let round = 0; round < 5000; round++) {
      const digits = 1 + Math.floor(random() * 12);
      const magnitude = 10 ** Math.floor(random() * 7);
      const texts = Array.from({ length: 1 + Math.floor(random() * 31) }, () => {
        const text = (random() * magnitude + 1e-6).toFixed(digits);
        return /[1-9]/.test(text) ? text : "1";
      });
      if (meanText(texts) !== naiveMean(texts)) {
        throw new Error(`${texts}: ${meanText(texts)}, exactly ${naiveMean(texts)}`);
      }
    }
  });
});
