/** Which suspicious publications are reported, which are held, and that none is held for ever. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { doubtsOf, holdsBack, SETTLED_AFTER_DAYS } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { day } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";

const of = (base: string, rate: string, unit = 1): OfficialRow => ({
  base,
  quote: "CZK",
  rate,
  unit,
  kind: "mid",
});
const rows = (...list: OfficialRow[]) => ({ rows: list });
const rules = (after: OfficialRow, before: OfficialRow) =>
  doubtsOf(rows(after), rows(before)).map(({ rule }) => rule);

describe("doubts", () => {
  test.each([
    ["an ordinary day", of("USD", "20.91"), of("USD", "20.62"), []],
    ["a fifth up", of("USD", "24.0"), of("USD", "20"), []],
    ["more than a fifth up", of("USD", "24.01"), of("USD", "20"), ["moved"]],
    ["the peso of December 1994 backwards", of("USD", "4.0"), of("USD", "4.9"), ["moved"]],
    ["twice the value", of("USD", "41"), of("USD", "20.5"), ["moved"]],
    ["a point to the right", of("USD", "206.2"), of("USD", "20.5"), ["decimal_slip"]],
    ["a point to the left", of("USD", "2.05"), of("USD", "20.5"), ["decimal_slip"]],
    ["two digits lost", of("USD", "0.2062"), of("USD", "20.5"), ["decimal_slip"]],
    ["an amount lost", of("HUF", "6.304", 1), of("HUF", "6.31", 100), ["decimal_slip"]],
    ["an amount gained", of("IDR", "1.233", 1000), of("IDR", "1.24", 100), ["decimal_slip"]],
    ["another amount, the same value", of("HUF", "0.06304"), of("HUF", "6.31", 100), ["unit_changed"]],
    ["another amount and a move", of("HUF", "0.0504"), of("HUF", "6.31", 100), ["moved"]],
  ])("%s", (_, after, before, expected) => {
    expect(rules(after, before)).toEqual(expected as never);
  });

  test("a currency that vanished is named, a new one is no cause for doubt", () => {
    const doubts = doubtsOf(
      rows(of("EUR", "24.1"), of("TWD", "0.65")),
      rows(of("EUR", "24"), of("BGN", "12.3")),
    );
    expect(doubts).toEqual([
      { rule: "vanished", detail: "BGN CZK mid is missing; it was 12.3 for 1 before" },
    ]);
  });

  test("the sentence holds the numbers", () => {
    expect(doubtsOf(rows(of("HUF", "6.304")), rows(of("HUF", "6.31", 100)))[0]?.detail).toBe(
      "HUF CZK mid is 6.304 for 1 after 6.31 for 100: 99.90 times the value, close to a power of ten",
    );
  });

  testOn("banxico/SF43718-fix-1991-11-12_2025-11-25.csv")(
    "of 8,556 real determinations of the FIX one is reported, the peso's fall of December 1994, and none is held",
    () => {
      const path = sharedDocument("banxico/SF43718-fix-1991-11-12_2025-11-25.csv") as string;
      const lines = readFileSync(path, "utf8").trim().split("\n").slice(1);
      const values = lines.map((line) => line.trim().split(",") as [string, string]);
      const raised = values.slice(1).flatMap(([date, rate], index) => {
        const [, before = ""] = values[index] ?? [];
        return doubtsOf(rows(of("USD", rate)), rows(of("USD", before))).map(({ rule }) => `${date} ${rule}`);
      });
      expect(values).toHaveLength(8556);
      expect(raised).toEqual(["1994-12-22 moved"]);
    },
  );

  test("two currencies with each other's values are exchanged, by value and not by print; two that moved are not", () => {
    const before = rows(of("USD", "20.5"), of("JPY", "13.2", 100), of("EUR", "24.0"));
    const rulesOf = (...after: Parameters<typeof rows>) =>
      doubtsOf(rows(...after), before).map(({ rule, detail }) => `${detail.slice(0, 3)} ${rule}`);
    expect(rulesOf(of("USD", "24.1"), of("JPY", "13.2", 100), of("EUR", "20.45"))).toEqual([
      "USD exchanged",
      "EUR exchanged",
    ]);
    expect(rulesOf(of("USD", "0.132"), of("JPY", "2050", 100), of("EUR", "24.0"))).toEqual([
      "USD exchanged",
      "JPY exchanged",
    ]);
    expect(rulesOf(of("USD", "21.5"), of("JPY", "13.2", 100), of("EUR", "23.0"))).toEqual([]);
  });

  test("without a publication before there is nothing to doubt", () => {
    expect(doubtsOf(rows(of("USD", "1")), null)).toEqual([]);
  });
});

describe("holding back", () => {
  const slipped: OfficialReading = {
    publication: "2026-03-02",
    validFrom: day("2026-03-02"),
    validTo: null,
    publishedAt: null,
    rows: [of("USD", "206.2"), of("EUR", "24.1")],
  };
  const before = rows(of("USD", "20.5"), of("EUR", "24.0"));
  const doubts = doubtsOf(slipped, before);

  test("a value that is a week old is published at once: histories load without holes", () => {
    const days = (count: number) => day("2026-03-02") * 86_400_000 + count * 86_400_000;
    expect(holdsBack(slipped, doubts, null, days(SETTLED_AFTER_DAYS))).toBe(true);
    expect(holdsBack(slipped, doubts, null, days(SETTLED_AFTER_DAYS) + 1)).toBe(false);
  });
});
