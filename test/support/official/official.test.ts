/** Every adapter of the catalogue against the simulated authorities: they read each other, and the figures are the world's. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, formatDay, weekdayOf } from "#domain/time/day.ts";
import { ADAPTERS, adapterOf, authorities } from "./reads.ts";

/** A Tuesday evening after the hour of every authority. */
const NOW = "2026-04-14T22:00:00Z";
const { at, simulator, window, read, recent } = await authorities(NOW);

/** A year and a quarter: into the year before, and several reports of the slowest table. */
const WINDOWS = [
  ["history", 460],
  ["recent", 100],
  ["latest", 0],
] as const;
/** Publications that lie in the history's window: at least so many. */
const LEAST = { daily: 280, weekly: 60, monthly: 14, quarterly: 4 } as const;

for (const adapter of ADAPTERS) {
  describe(adapter.id, () => {
    for (const [reach, days] of WINDOWS) {
      test(`${reach}: every route reads, all of them agree, and the rates are near the market`, async () => {
        const query = window(adapter, reach, days);
        const routes = adapter.routes(query);
        const perRoute = await Promise.all(routes.map((route) => read(route, query)));
        const [first = []] = perRoute;
        expect(first.length).toBeGreaterThanOrEqual(reach === "history" ? LEAST[adapter.cadence] : 1);
        for (const readings of perRoute) expect(agreeing(readings, first)).toEqual([]);
        const newest = (readings: readonly OfficialReading[]) =>
          Math.max(...readings.map(({ validFrom }) => validFrom));
        for (const readings of perRoute) expect(newest(readings)).toBe(newest(first));
        expect(first.flatMap((reading) => farOff(reading, adapter.cadence))).toEqual([]);
      });
    }
  });
}

/** Publications that both have, and of which they say different things. */
function agreeing(some: readonly OfficialReading[], others: readonly OfficialReading[]): string[] {
  const known = new Map(others.map((reading) => [reading.publication, fingerprintOf(reading)]));
  return some
    .filter(
      (reading) => (known.get(reading.publication) ?? fingerprintOf(reading)) !== fingerprintOf(reading),
    )
    .map(({ publication }) => publication);
}

/** Rows that are further from the market of their first day than time and spread explain. */
function farOff(reading: OfficialReading, cadence: keyof typeof LEAST): string[] {
  const bound = cadence === "daily" || cadence === "weekly" ? 0.12 : 0.2;
  return reading.rows
    .filter((row) => isQuoted(row.base) && isQuoted(row.quote))
    .filter((row) => Math.abs(Number(row.rate) / row.unit / market(row, reading.validFrom) - 1) > bound)
    .map((row) => `${reading.publication} ${row.base}/${row.quote} ${row.rate}`);
}

function isQuoted(code: string): code is CurrencyCode {
  return (CURRENCY_CODES as readonly string[]).includes(code);
}

function market({ base, quote }: OfficialRow, day: Day): number {
  let weekday = day;
  while (weekdayOf(weekday) % 6 === 0) weekday--;
  const { world } = simulator;
  return world.perEuro(quote as CurrencyCode, weekday) / world.perEuro(base as CurrencyCode, weekday);
}

test("the Czech fixing, made at 14:15, is the market of the euro's reference rates to its last digit", async () => {
  at(NOW);
  for (const { publication, validFrom, rows } of (await recent(adapterOf("cze_fixing"))).values()) {
    for (const row of rows.filter(({ base }) => isQuoted(base))) {
      const exact = (market(row, validFrom) * row.unit).toFixed(3);
      expect([publication, row.base, Number(row.rate)]).toEqual([publication, row.base, Number(exact)]);
    }
  }
});

test("one FIX, three days: determined, in the next issue of the Diario, and settling two bank days later", async () => {
  // Over Holy Week: no FIX on 2 and 3 April.
  at(NOW);
  const rateOn = async (id: string) => {
    const publications = await recent(adapterOf(id), 30);
    return (date: string) => Number(publications.get(date)?.rows[0]?.rate);
  };
  const [fix, dof, settlement] = [
    await rateOn("mex_fix"),
    await rateOn("mex_dof"),
    await rateOn("mex_settlement"),
  ];
  expect([fix("2026-04-02"), fix("2026-04-03")]).toEqual([Number.NaN, Number.NaN]);
  expect([dof("2026-04-06"), settlement("2026-04-07")]).toEqual([fix("2026-04-01"), fix("2026-04-01")]);
  expect([dof("2026-04-14"), settlement("2026-04-15")]).toEqual([fix("2026-04-13"), fix("2026-04-13")]);
  expect(settlement("2026-04-16")).toBe(fix("2026-04-14"));
});

const HOURS = [
  ["mex_fix", "2026-04-14T18:00:00Z", "2026-04-14"],
  ["mex_dof", "2026-04-14T13:00:00Z", "2026-04-14"],
  ["pol_a", "2026-04-14T10:00:00Z", "2026-04-14"],
  ["pol_b", "2026-04-15T10:00:00Z", "2026-04-15"],
  ["pol_c", "2026-04-14T06:00:00Z", "2026-04-14"],
  ["cze_fixing", "2026-04-14T12:35:00Z", "2026-04-14"],
  ["rou_reference", "2026-04-14T10:00:00Z", "2026-04-14"],
  ["gbr_monthly", "2026-04-23T09:00:00Z", "2026-05-01"],
  ["che_daily", "2026-04-14T02:05:00Z", "2026-04-15"],
  ["tur_indicative", "2026-04-14T12:30:00Z", "2026-04-14"],
  ["usa_treasury", "2026-04-01T14:00:00Z", "2026-03-31"],
  ["can_daily", "2026-04-14T20:30:00Z", "2026-04-14"],
  ["hun_official", "2026-04-14T09:00:00Z", "2026-04-14"],
  ["col_trm", "2026-04-14T23:00:00Z", "2026-04-15"],
  ["eue_reference", "2026-04-14T14:00:00Z", "2026-04-14"],
  ["eue_customs", "2026-04-22T14:00:00Z", "2026-05-01"],
] as const;

for (const [id, hour, newest] of HOURS) {
  test(`${id}: nothing valid from ${newest} is visible before ${hour}, by no route`, async () => {
    const visible = async () => {
      const query = window(adapterOf(id), "latest", 0);
      const perRoute = await Promise.all(
        adapterOf(id)
          .routes(query)
          .map((route) => read(route, query)),
      );
      return perRoute.map(
        (readings) => formatDay(Math.max(...readings.map(({ validFrom }) => validFrom))) >= newest,
      );
    };
    at(new Date(Date.parse(hour) - 1000).toISOString());
    expect(new Set(await visible())).toEqual(new Set([false]));
    at(hour);
    expect(new Set(await visible())).toEqual(new Set([true]));
  });
}
