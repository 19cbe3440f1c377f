/** What makes a version, which suspicious publications are held, and that none is held for ever. */

import { describe, expect, test } from "bun:test";
import {
  type Correction,
  doubtsOf,
  faultOf,
  fingerprintOf,
  holdsBack,
  orderedRows,
  SETTLED_AFTER_DAYS,
  unlikenessOf,
} from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { versionOf } from "#test/official/version.ts";
import { day, reasonOf } from "#test/sources/documents.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { realText, testOn } from "#test/support/shared-data.ts";

const row = (base: string, rate: string, unit = 1, kind: OfficialRow["kind"] = "mid"): OfficialRow => ({
  ...{ base, quote: "PLN", rate, unit, kind },
});
const reading = (rows: readonly OfficialRow[], more: Partial<OfficialReading> = {}): OfficialReading => ({
  ...{ publication: "041-A-NBP-2026", validFrom: day("2026-03-02"), validTo: null, publishedAt: null },
  ...{ rows, ...more },
});
const ROWS = [row("USD", "3.6056"), row("EUR", "4.2304"), row("HUF", "1.1155", 100)];

/** SHA-256 of the five lines "1", "2026-03-02 -", "EUR PLN mid 1 4.2304", "HUF PLN mid 100 1.1155", "USD PLN mid 1 3.6056". */
const FIXED = "df1d8b4860faebe12abde8b0a157a869fb1d43df509f9255321c3b3a10743757";

describe("rows", () => {
  test("are sorted by base, quote and kind, whatever the document's order", () => {
    const rows = [row("USD", "2", 1, "sell"), row("USD", "1", 1, "buy"), row("EUR", "4")];
    expect(orderedRows(rows).map(({ base, kind }) => `${base} ${kind}`)).toEqual([
      "EUR mid",
      "USD buy",
      "USD sell",
    ]);
  });

  test("the same row twice is one, as first printed", () => {
    expect(orderedRows([row("USD", "3.60"), row("USD", "3.6000")])).toEqual([row("USD", "3.60")]);
  });

  test("the same key with another rate or unit is refused, and so is a publication without rows", () => {
    expect(reasonOf(() => orderedRows([row("USD", "3.60"), row("USD", "3.61")]))).toBe(
      "USD PLN mid is there twice, as 3.60 for 1 and as 3.61 for 1",
    );
    expect(reasonOf(() => orderedRows([row("USD", "3.60"), row("USD", "3.60", 100)]))).toContain("twice");
    expect(reasonOf(() => orderedRows([]))).toBe("a publication without rates");
  });
});

describe("the fingerprint", () => {
  const known = fingerprintOf(reading(ROWS));

  test("is a SHA-256 in lower-case hex, and stays what it is from release to release", () => {
    expect(known).toMatch(/^[0-9a-f]{64}$/);
    expect(known).toBe(FIXED);
  });

  test("does not change with order, doubled rows, zeros at either end, the name or the instant of publication", () => {
    const random = seededRandom(20260302);
    for (let round = 0; round < 200; round++) {
      const rows = [...ROWS, ...ROWS.filter(() => random() < 0.3)]
        .map((one) => ({ one, place: random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ one }) => ({
          ...one,
          rate: `${"0".repeat(random() * 3)}${one.rate}${"0".repeat(random() * 4)}`,
        }));
      expect(fingerprintOf(reading(rows, { publication: "other", publishedAt: round }))).toBe(known);
    }
  });

  test("changes with a rate, a unit, a kind, a currency more or less, and either end of the validity", () => {
    const others = [
      reading([row("USD", "3.6057"), ...ROWS.slice(1)]),
      reading([row("USD", "36.056"), ...ROWS.slice(1)]),
      reading([...ROWS.slice(0, 2), row("HUF", "1.1155")]),
      reading([row("USD", "3.6056", 1, "average"), ...ROWS.slice(1)]),
      reading(ROWS.slice(1)),
      reading([...ROWS, row("CHF", "4.6696")]),
      reading(ROWS, { validFrom: day("2026-03-03") }),
      reading(ROWS, { validTo: day("2026-03-02") }),
      reading(ROWS, { validTo: day("2026-03-03") }),
    ].map(fingerprintOf);
    expect(new Set([known, ...others]).size).toBe(others.length + 1);
  });

  test("a rate that is no number is refused rather than hashed", () => {
    expect(reasonOf(() => fingerprintOf(reading([row("USD", "3,6")])))).toBe('not a rate: "3,6"');
  });
});

const rows = (...list: OfficialRow[]) => ({ rows: list });
const rules = (after: OfficialRow, before: OfficialRow) =>
  doubtsOf(rows(after), rows(before)).map(({ rule }) => rule);

interface Fixing {
  readonly date: string;
  readonly figures: ReadonlyMap<string, number>;
}

/** The ECB's days, ascending. */
function fixings(): readonly Fixing[] {
  const [head = "", ...lines] = realText("ecb/eurofxref-hist.csv").trim().split("\n");
  const codes = head.split(",").slice(1);
  return lines.reverse().map((line) => {
    const [date = "", ...printed] = line.split(",");
    const figures = codes.flatMap((code, at) =>
      Number(printed[at]) > 0 ? [[code, Number(printed[at])] as const] : [],
    );
    return { date, figures: new Map([...figures, ["EUR", 1]]) };
  });
}

/** A day counted in `home`, as a table of `at`. */
function tableOf({ date, figures }: Fixing, home: string, at = date) {
  const one = figures.get(home) ?? Number.NaN;
  const all = [...figures].filter(([code]) => code !== home);
  const rates = all.map(([code, figure]) => row(code, (one / figure).toFixed(12)));
  return reading(rates, { publication: date, validFrom: day(at) });
}

describe("doubts", () => {
  test.each([
    ["an ordinary day", row("USD", "20.91"), row("USD", "20.62"), []],
    ["more than a fifth up", row("USD", "24.01"), row("USD", "20"), []],
    ["twice the value", row("USD", "41"), row("USD", "20.5"), []],
    ["a point to the right", row("USD", "206.2"), row("USD", "20.5"), ["decimal_slip"]],
    ["a point to the left", row("USD", "2.05"), row("USD", "20.5"), ["decimal_slip"]],
    ["two digits lost", row("USD", "0.2062"), row("USD", "20.5"), ["decimal_slip"]],
    ["an amount lost", row("HUF", "6.304", 1), row("HUF", "6.31", 100), ["miscounted"]],
    ["an amount gained", row("IDR", "1.233", 1000), row("IDR", "1.24", 100), ["miscounted"]],
    ["the inverse", row("USD", "0.0485"), row("USD", "20.5"), ["miscounted"]],
    ["the inverse for another amount", row("HUF", "15.86"), row("HUF", "6.31", 100), ["miscounted"]],
    ["a value near one that hardly moved", row("USD", "0.97"), row("USD", "1.03"), []],
    ["another amount, the same value", row("HUF", "0.06304"), row("HUF", "6.31", 100), []],
  ])("%s", (_, after, before, expected) => {
    expect(rules(after, before)).toEqual(expected as never);
  });

  test("a currency that is missing, and a new one, are no cause for doubt", () => {
    const before = rows(row("EUR", "24"), row("BGN", "12.3"));
    expect(doubtsOf(rows(row("EUR", "24.1"), row("TWD", "0.65")), before)).toEqual([]);
  });

  test("the sentence holds the numbers", () => {
    expect(doubtsOf(rows(row("HUF", "6.304")), rows(row("HUF", "6.31", 100)))[0]?.detail).toBe(
      "HUF PLN mid is 6.304 for 1 after 6.31 for 100: 99.90 times the value, close to a power of ten",
    );
  });

  testOn("banxico/SF43718-fix-1991-11-12_2025-11-25.csv")(
    "of 8,556 real determinations of the FIX none is held",
    () => {
      const lines = realText("banxico/SF43718-fix-1991-11-12_2025-11-25.csv").trim().split("\n").slice(1);
      const values = lines.map((line) => line.trim().split(",") as [string, string]);
      const raised = values.slice(1).flatMap(([, rate], index) => {
        const [, before = ""] = values[index] ?? [];
        return doubtsOf(rows(row("USD", rate)), rows(row("USD", before)));
      });
      expect(values).toHaveLength(8556);
      expect(raised).toEqual([]);
    },
  );

  testOn("ecb/eurofxref-hist.csv")(
    "of the ECB's days, counted in euro and in francs, each is like the one before, and hardly one like that of two years before",
    () => {
      const days = fixings();
      for (const home of ["EUR", "CHF"]) {
        let found = 0;
        for (const [nth, today] of days.entries()) {
          const [before, old] = [days[nth - 1], days[nth - 500]];
          if (before === undefined) continue;
          const last = tableOf(before, home);
          expect(unlikenessOf({ cadence: "daily" }, tableOf(today, home), last)).toBeNull();
          if (old === undefined) continue;
          if (unlikenessOf({ cadence: "daily" }, tableOf(old, home, today.date), last) !== null) found += 1;
        }
        expect(found / (days.length - 500)).toBeGreaterThan(0.99);
      }
    },
  );

  testOn("ecb/eurofxref-hist.csv")(
    "in a monthly table in pounds and a quarterly one in dollars hardly ever two currencies came to each other's values",
    () => {
      const days = fixings();
      const tables = [
        { cadence: "monthly", home: "GBP", apart: 22 },
        { cadence: "quarterly", home: "USD", apart: 65 },
      ] as const;
      const exchanged = tables.flatMap(({ cadence, home, apart }) =>
        days.flatMap((today, nth) => {
          const before = nth % 3 === 0 ? days[nth - apart] : undefined;
          if (before === undefined) return [];
          const doubts = doubtsOf(tableOf(today, home), tableOf(before, home), [], { cadence });
          return doubts.some(({ rule }) => rule === "exchanged") ? [today.date] : [];
        }),
      );
      expect(days.length).toBeGreaterThan(6900);
      expect(exchanged.length).toBeLessThanOrEqual(1);
    },
  );

  test("two currencies with each other's values are exchanged, by value and not by print; two that moved are not", () => {
    const before = rows(row("USD", "20.5"), row("JPY", "13.2", 100), row("EUR", "24.0"));
    const rulesOf = (...after: Parameters<typeof rows>) =>
      doubtsOf(rows(...after), before).map(({ rule, detail }) => `${detail.slice(0, 3)} ${rule}`);
    expect(rulesOf(row("USD", "24.1"), row("JPY", "13.2", 100), row("EUR", "20.45"))).toEqual([
      "USD exchanged",
      "EUR exchanged",
    ]);
    expect(rulesOf(row("USD", "0.132"), row("JPY", "2050", 100), row("EUR", "24.0"))).toEqual([
      "USD exchanged",
      "JPY exchanged",
    ]);
    expect(rulesOf(row("USD", "21.5"), row("JPY", "13.2", 100), row("EUR", "23.0"))).toEqual([]);
    // The day's own moves do not hide it.
    expect(rulesOf(row("USD", "24.5"), row("JPY", "13.2", 100), row("EUR", "20.1"))).toHaveLength(2);
  });

  test("a currency that is bought above what it is sold at is exchanged, also without a publication before", () => {
    const table = (buy: string, sell: string) =>
      rows(row("HUF", "9.1", 100, "sell"), row("JPY", buy, 100, "buy"), row("JPY", sell, 100, "sell"));
    const rules = doubtsOf(table("32.9", "32.8"), table("32.7", "32.8")).map(({ rule }) => rule);
    expect(rules).toEqual(["exchanged"]);
    expect(doubtsOf(table("32.9", "32.8"), null)).toHaveLength(1);
    expect(doubtsOf(table("32.80", "32.8"), null)).toEqual([]);
  });
});

test("a value that is a week old is published at once: histories load without holes", () => {
  const slipped = reading([row("USD", "206.2"), row("EUR", "24.1")]);
  const doubts = doubtsOf(slipped, rows(row("USD", "20.5"), row("EUR", "24.0")));
  const days = (count: number) => day("2026-03-02") * 86_400_000 + count * 86_400_000;
  expect(holdsBack(slipped, doubts, null, days(SETTLED_AFTER_DAYS))).toBe(true);
  expect(holdsBack(slipped, doubts, null, days(SETTLED_AFTER_DAYS) + 1)).toBe(false);
});

test.each(["decimal_slip", "miscounted", "exchanged", "repeated", "unlike"] as const)(
  "of a reading with the doubt %s the same an hour later confirms a slip alone",
  (rule) => {
    const [read, readAt] = [reading(ROWS), day("2026-03-02") * 86_400_000 + 3_600_000];
    const before = { fingerprint: fingerprintOf(read), firstReadAt: readAt - 3_600_000, version: 1 };
    const held = { ...before, validFrom: read.validFrom, rule, reason: "" };
    expect(holdsBack(read, [{ rule, detail: "" }], held, readAt - 1)).toBe(true);
    expect(holdsBack(read, [{ rule, detail: "" }], held, readAt)).toBe(rule !== "decimal_slip");
  },
);

// Other corrections are in test/ingest/official/wrong-documents.test.ts.
test("another validity, and rates that are those of the day before as they always were, is no fault", () => {
  const dollar = [row("USD", "20.2")];
  const versionAt = (date: string, version: number, rows = dollar) =>
    versionOf({ table: "tst", publication: date, validFrom: day(date), version, rows });
  const one: Correction = {
    reading: reading(dollar, { publication: "2026-03-02", validTo: day("2026-03-03") }),
    newest: versionAt("2026-03-02", 2),
    earlier: [versionAt("2026-03-02", 1, [row("USD", "20.1")])],
    neighbours: [versionAt("2026-02-27", 1)],
  };
  expect(faultOf(one)).toBeNull();
});
