/** Which days are requested: in the table's own zone, bounded, without a gap after a pause. */

import { expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { windowsAt } from "#ingest/official/collect.ts";

const DAILY = { zone: "Europe/Prague", cadence: "daily" } as const;
const NOON = "2026-11-20T12:00:00Z";
const NIGHT = "2026-11-20T23:30:00Z";

type Case = Partial<Parameters<typeof windowsAt>[1]> & { readonly at?: string; readonly rereadAt?: string };

test.each<[what: string, reach: Parameters<typeof windowsAt>[2], table: Case, windows: string]>([
  ["today is the day on the authority's wall clock", "latest", { at: NIGHT }, "2026-11-21..2026-11-21"],
  ["also a day behind", "latest", { at: NIGHT, zone: "America/Mexico_City" }, "2026-11-20..2026-11-20"],
  ["of corrections: the last month", "recent", { rereadAt: "2026-11-19" }, "2026-10-21..2026-11-20"],
  ["of slower tables further back", "recent", { cadence: "quarterly" }, "2026-05-04..2026-11-20"],
  ["a pause is made good from its beginning", "recent", { rereadAt: "2026-07-01" }, "2026-06-30..2026-11-20"],
  ["a long one for some four hundred days", "recent", { rereadAt: "2020-01-01" }, "2025-10-16..2026-11-20"],
  [
    "a history is requested in groups of its documents' years",
    "history",
    { historyYears: 15 },
    "1990-01-01..2004-12-31 2005-01-01..2019-12-31 2020-01-01..2026-11-20",
  ],
  [
    "a year that is a few days old belongs to the group before",
    "history",
    { at: "2030-01-02T12:00:00Z", historyYears: 20 },
    "1990-01-01..2009-12-31 2010-01-01..2030-01-02",
  ],
])("%s", (_, reach, { at = NOON, rereadAt, ...table }, expected) => {
  const read = rereadAt === undefined ? null : Date.parse(`${rereadAt}T12:00:00Z`);
  const windows = windowsAt(Date.parse(at), { ...DAILY, ...table }, reach, read);
  expect(windows.map(({ from, to }) => `${formatDay(from)}..${formatDay(to)}`).join(" ")).toBe(expected);
});
