/** What the parsers of official tables share: strict pieces, the verdict, and windows cut into requests. */

import { describe, expect, test } from "bun:test";
import type { OfficialReading } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import {
  conclude,
  daysSince,
  stretches,
  tableReader,
  withoutExponent,
  yearsOf,
} from "#sources/official/reading.ts";
import { day, reasonOf, windowOf } from "#test/sources/documents.ts";
import { publicationsOf } from "./tables.ts";

const reader = tableReader("T", "UTC");

describe("pieces", () => {
  test.each(["1", "0.1", "007", "0.00000001", "123456.7890"])("%p is a rate, as printed", (text) => {
    expect(reader.rate(text, "USD")).toBe(text);
  });
  test.each([
    "",
    "0",
    "0.00",
    "-1",
    "+1",
    "1.",
    ".5",
    "1,5",
    "1e5",
    "NaN",
    "Infinity",
    "1 ",
    "٣",
    "1".repeat(25),
  ])("%p is none", (text) =>
    expect(reasonOf(() => reader.rate(text, "USD"))).toStartWith("T: USD is not a rate: "),
  );

  test.each([
    ["4.10E-05", "0.0000410"],
    ["1E-8", "0.00000001"],
    ["1.5e0", "1.5"],
    ["1.234e2", "123.4"],
    ["1.2e+3", "1200"],
    ["12e-1", "1.2"],
    ["3.6050", "3.6050"],
    ["1e999", "1e999"],
    ["NaN", "NaN"],
  ])("%s without its exponent is %s", (digits, plain) => expect(withoutExponent(digits)).toBe(plain));
});

describe("the verdict", () => {
  const of = (publication: string, from: string, rate = "1.5"): OfficialReading => ({
    publication,
    validFrom: day(from),
    validTo: null,
    publishedAt: null,
    rows: [{ base: "USD", quote: "PLN", rate, unit: 1, kind: "mid" }],
  });
  const window = windowOf("recent", "2026-03-02", "2026-03-04");

  test("holds what is valid from a day of the window, both ends included, by validity and name", () => {
    const parsed = conclude(
      window,
      [
        of("e", "2026-03-05"),
        of("d", "2026-03-04"),
        of("c", "2026-03-02"),
        of("b", "2026-03-02"),
        of("a", "2026-03-01"),
      ],
      "T",
    );
    expect(publicationsOf(parsed).map(({ publication }) => publication)).toEqual(["b", "c", "d"]);
  });

  test("counts a repeated statement once, and refuses two that differ", () => {
    const twice = [of("a", "2026-03-02", "1.5"), of("a", "2026-03-02", "1.50")];
    expect(publicationsOf(conclude(window, twice, "T"))).toEqual([of("a", "2026-03-02", "1.5")]);
    const differing = [of("a", "2026-03-02"), of("a", "2026-03-02", "1.6")];
    expect(reasonOf(() => conclude(window, differing, "T"))).toBe('T: two publications "a" that differ');
  });

  test("is empty without any, and carries a note where there is one", () => {
    expect(conclude(window, [of("a", "2026-03-01")], "T")).toEqual({
      outcome: "empty",
      reason: "nothing was published between 2026-03-02 and 2026-03-04",
    });
    expect(
      conclude(window, { readings: [of("a", "2026-03-02")], note: "two rows are unknown" }, "T"),
    ).toMatchObject({
      note: "two rows are unknown",
    });
  });
});

describe("windows", () => {
  test("are clamped to the table's beginning, and widened for the newest alone", () => {
    const spanOf = (reach: "latest" | "recent", from: string, to: string) => {
      const span = daysSince("2026-01-10", 14)(windowOf(reach, from, to));
      return span && [formatDay(span.from), formatDay(span.to)];
    };
    expect(spanOf("recent", "2026-02-01", "2026-02-02")).toEqual(["2026-02-01", "2026-02-02"]);
    expect(spanOf("latest", "2026-02-02", "2026-02-02")).toEqual(["2026-01-19", "2026-02-02"]);
    expect(spanOf("latest", "2026-01-11", "2026-01-12")).toEqual(["2026-01-10", "2026-01-12"]);
    expect(spanOf("recent", "2025-01-01", "2026-01-09")).toBeNull();
  });

  test("are cut into stretches that touch and do not overlap", () => {
    expect(stretches({ from: 10, to: 19 }, 4)).toEqual([
      { from: 10, to: 13 },
      { from: 14, to: 17 },
      { from: 18, to: 19 },
    ]);
    expect(stretches({ from: 10, to: 10 }, 4)).toEqual([{ from: 10, to: 10 }]);
  });

  test("touch years at both ends", () => {
    expect(yearsOf({ from: day("2024-12-31"), to: day("2026-01-01") })).toEqual([2024, 2025, 2026]);
    expect(yearsOf({ from: day("2026-01-01"), to: day("2026-12-31") })).toEqual([2026]);
  });
});
