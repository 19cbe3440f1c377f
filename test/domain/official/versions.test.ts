/** What makes a version: rows and validity in their meaning, not in their printing. */

import { describe, expect, test } from "bun:test";
import { fingerprintOf, nextVersion, orderedRows } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { day, reasonOf } from "#test/sources/documents.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const row = (base: string, rate: string, more: Partial<OfficialRow> = {}): OfficialRow => ({
  base,
  quote: "PLN",
  rate,
  unit: 1,
  kind: "mid",
  ...more,
});
const reading = (rows: readonly OfficialRow[], more: Partial<OfficialReading> = {}): OfficialReading => ({
  publication: "041-A-NBP-2026",
  validFrom: day("2026-03-02"),
  validTo: null,
  publishedAt: null,
  rows,
  ...more,
});
const ROWS = [row("USD", "3.6056"), row("EUR", "4.2304"), row("HUF", "1.1155", { unit: 100 })];

/** SHA-256 of the five lines "1", "2026-03-02 -", "EUR PLN mid 1 4.2304", "HUF PLN mid 100 1.1155", "USD PLN mid 1 3.6056". */
const FIXED = "df1d8b4860faebe12abde8b0a157a869fb1d43df509f9255321c3b3a10743757";

describe("rows", () => {
  test("are sorted by base, quote and kind, whatever the document's order", () => {
    const rows = [row("USD", "2", { kind: "sell" }), row("USD", "1", { kind: "buy" }), row("EUR", "4")];
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
    expect(reasonOf(() => orderedRows([row("USD", "3.60"), row("USD", "3.60", { unit: 100 })]))).toContain(
      "twice",
    );
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
      reading([row("USD", "3.6056", { kind: "average" }), ...ROWS.slice(1)]),
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

describe("the next version", () => {
  test("is 1 for an unknown publication, one more for other content, none for the same", () => {
    const fingerprint = fingerprintOf(reading(ROWS));
    expect(nextVersion(null, reading(ROWS))).toBe(1);
    expect(nextVersion({ version: 1, fingerprint }, reading([...ROWS].reverse()))).toBeNull();
    expect(nextVersion({ version: 4, fingerprint }, reading(ROWS.slice(1)))).toBe(5);
  });

  test("a return to an earlier value is a correction too", () => {
    const second = { version: 2, fingerprint: fingerprintOf(reading(ROWS.slice(1))) };
    expect(nextVersion(second, reading(ROWS))).toBe(3);
  });
});
