/** Every adapter of the catalogue against the simulated authorities: they read each other, and the figures are the world's. */

import { afterAll, describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { Window } from "#domain/intake/reading.ts";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, weekdayOf } from "#domain/time/day.ts";
import { followRoute } from "#ingest/routes.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { client } from "#test/sources/upstream-server.ts";
import { startFullSimulator } from "./simulator.ts";

/** A Tuesday evening after the hour of every authority. */
const NOW = Date.parse("2026-04-14T22:00:00Z");
const simulator = await startFullSimulator({ now: () => NOW });
afterAll(() => simulator.stop());
const ADAPTERS = officialAdapters({ banxicoToken: "0123456789abcdef".repeat(4) });

/** What each route of a table has for the days up to today. */
async function follow(adapter: OfficialAdapter, reach: Window["reach"], days: number) {
  const to = dayInZone(adapter.zone, NOW);
  const window = { reach, from: to - days, to };
  const { upstream } = client(simulator.base, { clock: { now: () => NOW } });
  const outcomes = adapter.routes(window).map((route) => followRoute(upstream, route, window));
  return (await Promise.all(outcomes)).map(({ read, faults }) => ({
    faults,
    readings: read.flatMap(({ content }) => (content.outcome === "empty" ? [] : content.publications)),
  }));
}

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
        const outcomes = await follow(adapter, reach, days);
        expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
        const perRoute = outcomes.map(({ readings }) => readings);
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

test.each(ADAPTERS.map((adapter) => [adapter.id, adapter] as const))(
  "%s: a document that is cut off, empty or a web page is refused by every route",
  async (_, adapter) => {
    for (const kind of ["truncated", "html", "empty"] as const) {
      simulator.misbehave("/", broken[kind]);
      for (const { faults, readings } of await follow(adapter, "recent", 45)) {
        expect(readings).toEqual([]);
        expect(faults).not.toEqual([]);
      }
    }
    simulator.behave();
  },
);
