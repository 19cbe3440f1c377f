/** Ingest with everything real but the world: the simulator over HTTP, the adapters, the client, a lake in a directory of its own. */

import { cpSync } from "node:fs";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { ObservationColumns } from "#domain/history/history.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading } from "#domain/intake/reading.ts";
import { parseDay } from "#domain/time/day.ts";
import { createCollector } from "#ingest/collect.ts";
import type { IngestDeps } from "#ingest/gather.ts";
import type { DailyAdapter, Route, UpstreamDocument } from "#ports/upstream.ts";
import type { Lake } from "#ports.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { openLake } from "#store/lake/lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { atEnd } from "#test/support/at-end.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { onceForTheRun } from "#test/support/once.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A Tuesday on which the ECB has published and the weekly H.10 release came out the day before. */
export const TUESDAY = Date.parse("2015-04-14T15:00:00Z");
export const ONE_DAY = 86_400_000;
export const ECB_FILES = "/www.ecb.europa.eu";
export const ECB_SDMX = "/data-api.ecb.europa.eu";
export const FRED_FILES = "/fred.stlouisfed.org";
export const FRED_API = "/api.stlouisfed.org";
export const FRED_KEY = "0123456789abcdef0123456789abcdef";

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export interface FixtureOptions {
  /** When it begins, if not on TUESDAY: a history is as long as the world is old. */
  readonly at?: number;
  readonly fredApiKey?: string | null;
  /** A lake to start from; it is copied. */
  readonly from?: string;
  readonly adapt?: (adapter: DailyAdapter) => DailyAdapter;
}

export async function openFixture({
  at = TUESDAY,
  fredApiKey = null,
  from,
  adapt = (adapter) => adapter,
}: FixtureOptions = {}) {
  let now = at;
  const clock = { now: () => now };
  const simulator = await startFullSimulator({ now: clock.now });
  const directory = temporaryDirectory();
  if (from !== undefined) cpSync(from, directory, { recursive: true });
  const lake = await openLake({ directory, simulated: true });
  atEnd(() => lake.close());
  const adapters = dailyAdapters({ fredApiKey }).map(adapt);
  const setTime = (instant: number) => {
    now = instant;
  };

  const start = () => {
    const emitted: TelemetryEvent[] = [];
    const committed: string[] = [];
    const upstream = openUpstream({ clock, base: simulator.base, userAgent: "test", sleep: async () => {} });
    const emit = (event: TelemetryEvent) => void emitted.push(event);
    const onCommitted = async (version: string) => void committed.push(version);
    const deps: IngestDeps = { lake, upstream, adapters, clock, emit, onCommitted };
    const collector = createCollector(deps);
    /** `committed`: versions reported to onCommitted. `setTime` moves the clock of the world and of ingest. */
    return { ...deps, simulator, lake, collector, directory, emitted, committed, setTime };
  };
  type Process = ReturnType<typeof start> & { restart(): Process };
  /** The same world and lake seen by a process that just started. */
  const restart = (): Process => ({ ...start(), restart });
  return restart();
}

/** The same adapter with what it reads in a document changed. */
export function withReadings(
  adapter: DailyAdapter,
  change: (reading: Reading, route: Route, document: UpstreamDocument) => Reading,
): DailyAdapter {
  const altered = (route: Route): Route => ({
    ...route,
    parse: (document, window) => change(route.parse(document, window), route, document),
  });
  return { ...adapter, routes: (window) => adapter.routes(window).map(altered) };
}

export function withFigures(
  adapter: DailyAdapter,
  change: (figures: readonly Figure[], route: Route) => readonly Figure[],
): DailyAdapter {
  return withReadings(adapter, (reading, route) =>
    reading.outcome === "figures" ? { ...reading, figures: change(reading.figures, route) } : reading,
  );
}

/** A lake that counts as having its history and has the last 90 days of both sources as of TUESDAY; made once, copied by every fixture that starts from it. */
export function ninetyDays(): Promise<string> {
  return onceForTheRun("ninety days", async (directory) => {
    const fixture = await openFixture();
    const sources = ["ecb_daily", "fred_daily"] as const;
    const coverage = sources.map((source) => ({
      source,
      coveredThrough: Math.floor(TUESDAY / ONE_DAY) - 30,
      retrievedAt: TUESDAY,
    }));
    await fixture.lake.commit(() => ({ accepted: [], withdrawn: [], held: [], coverage }));
    await fixture.collector.collect("ecb_daily", "recent");
    await fixture.collector.collect("fred_daily", "recent");
    cpSync(fixture.directory, directory, { recursive: true });
  });
}

export async function figureInForce(
  lake: Lake,
  source: DailySource,
  date: string,
  currency: CurrencyCode,
): Promise<{ value: number; revision: number } | null> {
  const { observations } = await lake.read();
  const row = rowOf(observations, source, parseDay(date) as number, currency);
  if (row < 0) return null;
  return {
    value: (observations.units[row] as number) / 10 ** (observations.scale[row] as number),
    revision: observations.revision[row] as number,
  };
}

function rowOf(columns: ObservationColumns, source: DailySource, date: number, currency: CurrencyCode) {
  const [from, code] = [DAILY_SOURCES.indexOf(source), currencyIndex(currency)];
  for (let row = 0; row < columns.count; row++) {
    if (columns.source[row] !== from || columns.date[row] !== date) continue;
    if (columns.base[row] === code || columns.quote[row] === code) return row;
  }
  return -1;
}

export async function countOf(lake: Lake, source: DailySource): Promise<number> {
  const { observations } = await lake.read();
  return observations.source
    .slice(0, observations.count)
    .filter((from) => from === DAILY_SOURCES.indexOf(source)).length;
}
