/** When official tables are requested: around the hour of publication where the authority is, and often enough for corrections. */

import { expect, test } from "bun:test";
import { Cron } from "croner";
import { officialTimetable, publicationHours } from "#jobs/timetable.ts";
import { officialAdapters } from "#sources/catalogue.ts";

const TABLES = officialAdapters({ banxicoToken: "0123456789abcdef" });
const JOBS = officialTimetable(TABLES);

/** Instants of a table's jobs of one reach within a day. */
function runs(table: string, reach: string, from: string, hours = 24): string[] {
  // From the first instant of the day on: the next run is computed from the instant before it.
  const [start, end] = [new Date(Date.parse(from) - 1), new Date(Date.parse(from) + hours * 3_600_000)];
  return JOBS.filter((job) => job.table === table && job.reach === reach)
    .flatMap(({ pattern, zone }) => {
      const found: string[] = [];
      const cron = new Cron(pattern, { paused: true, timezone: zone });
      for (let next = cron.nextRun(start); next !== null && next < end; next = cron.nextRun(next))
        found.push(next.toISOString().slice(0, 16));
      return found;
    })
    .sort();
}

test("every table is queried each day, and twice for corrections", () => {
  for (const { id } of TABLES) {
    for (const from of ["2026-07-15T00:00:00Z", "2026-11-20T00:00:00Z"]) {
      expect(runs(id, "latest", from).length, id).toBeGreaterThan(0);
      expect(runs(id, "recent", from), id).toHaveLength(2);
      // Polite: an authority is requested the newest at most every few minutes.
      expect(runs(id, "latest", from).length, id).toBeLessThanOrEqual(45);
    }
  }
});

test.each([
  ["mex_fix", "2026-11-20T18:00", "2026-07-15T18:00"],
  ["pol_a", "2026-11-20T10:45", "2026-07-15T09:45"],
  ["pol_c", "2026-11-20T07:00", "2026-07-15T06:00"],
  ["cze_fixing", "2026-11-20T13:30", "2026-07-15T12:30"],
  ["tur_indicative", "2026-11-20T12:30", "2026-07-15T12:30"],
  ["can_daily", "2026-11-20T21:30", "2026-07-15T20:30"],
  ["hun_official", "2026-11-20T10:05", "2026-07-15T09:05"],
  ["col_trm", "2026-11-20T22:00", "2026-07-15T22:00"],
  ["eue_reference", "2026-11-20T15:00", "2026-07-15T14:00"],
])("%s is queried at its hour on its own wall clock, in winter and in summer", (table, winter, summer) => {
  expect(runs(table, "latest", "2026-11-20T00:00:00Z")).toContain(winter);
  expect(runs(table, "latest", "2026-07-15T00:00:00Z")).toContain(summer);
});

test("corrections of different authorities are requested in different minutes", () => {
  const minutes = TABLES.flatMap(({ id }) => runs(id, "recent", "2026-11-20T00:00:00Z").slice(0, 1));
  expect(new Set(minutes).size).toBeGreaterThan(TABLES.length / 2);
});

test("hours of publication are those of the close look-outs, on the wall clock of the authority", () => {
  const hours = publicationHours({ id: "pol_a", zone: "Europe/Warsaw" });
  expect([hours?.opens, hours?.closes]).toEqual(["11:45", "13:00"]);
  const friday = Date.parse("2026-03-27T12:00:00Z");
  // The clocks of Warsaw go forward in between.
  expect(new Date(hours?.next(friday) ?? 0).toISOString()).toBe("2026-03-30T09:45:00.000Z");
  expect(publicationHours({ id: "mex_settlement", zone: "America/Mexico_City" })?.opens).toBe("12:00");
  expect(publicationHours({ id: "usa_treasury", zone: "America/New_York" })).toBeNull();
});
