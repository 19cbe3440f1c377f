/** Which days are requested: in the table's own zone, bounded, without a gap after a pause. */

import { expect, test } from "bun:test";
import { formatDay, type Instant } from "#domain/time/day.ts";
import { windowsAt } from "#ingest/official/collect.ts";

const DAILY = { zone: "Europe/Prague", cadence: "daily" } as const;
const at = (text: string) => Date.parse(text);
const spans = (...args: Parameters<typeof windowsAt>) =>
  windowsAt(...args).map(({ from, to }) => `${formatDay(from)}..${formatDay(to)}`);

test("today is the day on the authority's wall clock", () => {
  const now = at("2026-11-20T23:30:00Z");
  expect(spans(now, DAILY, "latest", null)).toEqual(["2026-11-21..2026-11-21"]);
  const mexico = { ...DAILY, zone: "America/Mexico_City" };
  expect(spans(now, mexico, "latest", null)).toEqual(["2026-11-20..2026-11-20"]);
});

test("corrections are looked for in the last month, of slower tables further back", () => {
  const now = at("2026-11-20T12:00:00Z");
  expect(spans(now, DAILY, "recent", null)).toEqual(["2026-10-21..2026-11-20"]);
  expect(spans(now, { ...DAILY, cadence: "quarterly" }, "recent", null)).toEqual(["2026-05-04..2026-11-20"]);
});

test("a pause is made good from its beginning, and a very long one for some four hundred days", () => {
  const now = at("2026-11-20T12:00:00Z");
  const after = (rereadAt: Instant) => spans(now, DAILY, "recent", rereadAt);
  expect(after(at("2026-11-19T12:00:00Z"))).toEqual(["2026-10-21..2026-11-20"]);
  expect(after(at("2026-07-01T12:00:00Z"))).toEqual(["2026-06-30..2026-11-20"]);
  expect(after(at("2020-01-01T12:00:00Z"))).toEqual(["2025-10-16..2026-11-20"]);
});

test("a history is a window a year, together every day since 1990", () => {
  const windows = windowsAt(at("2026-11-20T12:00:00Z"), DAILY, "history", null);
  expect(formatDay(windows[0]?.from ?? 0)).toBe("1990-01-01");
  expect(formatDay(windows.at(-1)?.to ?? 0)).toBe("2026-11-20");
  for (const [nth, { from }] of windows.entries())
    if (nth > 0) expect(from).toBe((windows[nth - 1]?.to ?? 0) + 1);
});

test("a table whose one document has many years is requested in bounded groups of them, without a gap", () => {
  const now = at("2026-11-20T12:00:00Z");
  expect(spans(now, { ...DAILY, historyYears: 10 }, "history", null)).toEqual([
    "1990-01-01..1999-12-31",
    "2000-01-01..2009-12-31",
    "2010-01-01..2019-12-31",
    "2020-01-01..2026-11-20",
  ]);
  expect(spans(now, { ...DAILY, historyYears: 100 }, "history", null)).toEqual(["1990-01-01..2026-11-20"]);
  expect(spans(at("2030-01-02T12:00:00Z"), { ...DAILY, historyYears: 10 }, "history", null).at(-1)).toBe(
    "2020-01-01..2030-01-02",
  );
});

test("a young year belongs to the one before: days without any publication are no window of their own", () => {
  expect(spans(at("2027-01-02T12:00:00Z"), DAILY, "history", null).at(-1)).toBe("2026-01-01..2027-01-02");
});
