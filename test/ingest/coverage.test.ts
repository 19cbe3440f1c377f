/** Which days are requested, how far a source has published when its window came in many documents, and when a route was read. */

import { describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Coverage } from "#domain/intake/reading.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import {
  advanceCoverage,
  advanceRetrievals,
  coveredThrough,
  neededReach,
  windowAt,
} from "#ingest/coverage.ts";
import type { ReadDocument } from "#ingest/gather.ts";

const day = (text: string) => parseDay(text) as number;
const read = (content: ReadDocument["content"]): ReadDocument => {
  const document = { url: "", bytes: new Uint8Array(), sha256: "", retrievedAt: 0 };
  return { document, route: "made up", content };
};

function documentThrough(through: string, ...quotes: CurrencyCode[]): ReadDocument {
  const usual = { base: "USD", printed: "1", decimals: 0, observedAt: 0, publishedAt: null } as const;
  const figures = quotes.map((quote): Figure => ({ ...usual, date: day(through), quote }));
  return read({ outcome: "figures", figures, withdrawals: [], coveredThrough: day(through) });
}

describe("coverage of many documents", () => {
  test.each([
    ["one that lags decides", "2026-04-03", "2026-04-03"],
    ["one that ended does not hold the others back", "2019-12-31", "2026-04-10"],
  ])("one series each: %s", (_, other, expected) => {
    const documents = [documentThrough("2026-04-10", "JPY"), documentThrough(other, "TWD")];
    expect(coveredThrough(documents)).toBe(day(expected));
  });
  test("one year each: the newest year decides", () => {
    const years = [
      documentThrough("2024-12-31", "JPY", "TWD"),
      documentThrough("2025-12-31", "JPY", "TWD"),
      documentThrough("2026-01-05", "JPY", "TWD"),
    ];
    expect(coveredThrough(years)).toBe(day("2026-01-05"));
  });
  test("a holiday covers its days; an empty document none", () => {
    const closed = day("2026-04-06");
    expect(coveredThrough([read({ outcome: "holiday", coveredThrough: closed })])).toBe(closed);
    expect(coveredThrough([read({ outcome: "empty", reason: "not out yet" })])).toBeNull();
  });
});

test.each([
  ["history", "2026-04-14T15:00:00Z", "ecb_daily", "1999-01-04 2026-04-14"],
  ["recent", "2026-04-14T15:00:00Z", "ecb_daily", "2026-01-14 2026-04-14"],
  ["latest", "2026-04-14T15:00:00Z", "ecb_daily", "2026-04-07 2026-04-14"],
  // It ends on the last day of observation: at 14:15 in Frankfurt, at noon in New York.
  ["latest", "2026-04-14T12:14:59Z", "ecb_daily", "2026-04-06 2026-04-13"],
  ["latest", "2026-04-14T12:15:00Z", "ecb_daily", "2026-04-07 2026-04-14"],
  ["latest", "2026-01-14T12:15:00Z", "ecb_daily", "2026-01-06 2026-01-13"],
  ["latest", "2026-04-14T22:30:00Z", "ecb_daily", "2026-04-07 2026-04-14"],
  ["latest", "2026-04-14T15:59:59Z", "fred_daily", "2026-03-23 2026-04-13"],
  ["latest", "2026-04-14T16:00:00Z", "fred_daily", "2026-03-24 2026-04-14"],
  ["latest", "2026-04-15T00:30:00Z", "fred_daily", "2026-03-24 2026-04-14"],
  // Nothing is requested before the coverage begins.
  ["recent", "1999-01-08T15:00:00Z", "ecb_daily", "1999-01-04 1999-01-08"],
] as const)("the window of %s at %s of %s is %s", (reach, now, source, expected) => {
  const { from, to } = windowAt(Date.parse(now), source, reach);
  expect(`${formatDay(from)} ${formatDay(to)}`).toBe(expected);
});

test("what is covered decides between the history and the last 90 days", () => {
  const known = [{ source: "ecb_daily", coveredThrough: day("2026-04-10"), retrievedAt: 1 }] as const;
  expect(neededReach(known, "ecb_daily", day("2026-06-29"))).toBe("recent");
  expect(neededReach(known, "ecb_daily", day("2026-06-30"))).toBe("history");
  expect(neededReach(known, "fred_daily", day("2026-04-14"))).toBe("history");
});

test("the coverage of a source moves forward alone, and never back", () => {
  const [ecb, fred] = (["ecb_daily", "fred_daily"] as const).map((source) => {
    return { source, coveredThrough: day("2026-04-10"), retrievedAt: 1 };
  }) as [Coverage, Coverage];
  const later = { ...ecb, coveredThrough: day("2026-04-13"), retrievedAt: 2 };
  expect(advanceCoverage([ecb, fred], "ecb_daily", later.coveredThrough, 2)).toEqual([fred, later]);
  for (const old of ["2026-04-09", "2026-04-10"])
    expect(advanceCoverage([ecb], "ecb_daily", day(old), 2)).toEqual([ecb]);
});

describe("retrievals", () => {
  const TUESDAY = Date.parse("2026-04-14T15:00:00Z");
  const look = { route: "sdmx", from: 20_000, at: TUESDAY, newest: null, modifiedAt: null };

  test("one dated by a clock a year ahead does not count as the newest one, and its days stay covered", () => {
    const wrong = advanceRetrievals([], "ecb_daily", { ...look, at: TUESDAY + 365 * 86_400_000 });
    const right = advanceRetrievals(wrong, "ecb_daily", { ...look, from: null });
    expect(right).toEqual([{ source: "ecb_daily", ...look }]);
  });

  test("of two side by side the later one counts", () => {
    const later = advanceRetrievals([], "ecb_daily", look);
    expect(advanceRetrievals(later, "ecb_daily", { ...look, at: TUESDAY - 60_000 })).toBe(later);
  });
});
