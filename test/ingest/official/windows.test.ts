/** Which days are requested: in the table's own zone, bounded, without a gap after a pause. */

import { expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { windowsAt } from "#ingest/official/collect.ts";

const DAILY = { zone: "Europe/Prague", cadence: "daily" } as const;
const NOON = "2026-11-20T12:00:00Z";

test.each([
  [
    "today is the day on the authority's wall clock",
    "2026-11-20T23:30:00Z",
    {},
    "latest",
    null,
    ["2026-11-21..2026-11-21"],
  ],
  [
    "also where it is a day behind",
    "2026-11-20T23:30:00Z",
    { zone: "America/Mexico_City" },
    "latest",
    null,
    ["2026-11-20..2026-11-20"],
  ],
  [
    "corrections are looked for in the last month",
    NOON,
    {},
    "recent",
    "2026-11-19T12:00:00Z",
    ["2026-10-21..2026-11-20"],
  ],
  [
    "of slower tables further back",
    NOON,
    { cadence: "quarterly" },
    "recent",
    null,
    ["2026-05-04..2026-11-20"],
  ],
  [
    "a pause is made good from its beginning",
    NOON,
    {},
    "recent",
    "2026-07-01T12:00:00Z",
    ["2026-06-30..2026-11-20"],
  ],
  [
    "a very long one for some four hundred days",
    NOON,
    {},
    "recent",
    "2020-01-01T12:00:00Z",
    ["2025-10-16..2026-11-20"],
  ],
  [
    "a history is requested in groups of its documents' years",
    NOON,
    { historyYears: 15 },
    "history",
    null,
    ["1990-01-01..2004-12-31", "2005-01-01..2019-12-31", "2020-01-01..2026-11-20"],
  ],
  [
    "a year that is a few days old belongs to the group before",
    "2030-01-02T12:00:00Z",
    { historyYears: 20 },
    "history",
    null,
    ["1990-01-01..2009-12-31", "2010-01-01..2030-01-02"],
  ],
] as const)("%s", (_, now, table, reach, rereadAt, expected) => {
  const windows = windowsAt(Date.parse(now), { ...DAILY, ...table }, reach, rereadAt && Date.parse(rereadAt));
  expect(windows.map(({ from, to }) => `${formatDay(from)}..${formatDay(to)}`)).toEqual([...expected]);
});
