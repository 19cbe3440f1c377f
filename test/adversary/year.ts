/** An adversary's year: the real collector on a lake in memory, collecting as the timetable does from routes that lie now and then. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { buildHistory, type History } from "#domain/history/history.ts";
import type { Window } from "#domain/intake/reading.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { createCollector } from "#ingest/collect.ts";
import type { Lake, LakeRecord } from "#ports.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { KnownInMemory } from "#test/domain/acceptance/known-in-memory.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { type Fault, planFaults } from "./faults.ts";
import { contradictionsOf, newOracle, type Violation } from "./oracle.ts";
import { HOUR, type Kind, makeTruth, YEAR_START } from "./truth.ts";
import { startWire } from "./wire.ts";

export interface Year {
  readonly seed: number;
  readonly weeks: number;
  /** Absent: those that the seed gives. */
  readonly faults?: readonly Fault[];
  /** "route: kind", for a year of that fault alone. */
  readonly only?: string | undefined;
  readonly sources?: readonly DailySource[];
}

export interface Outcome {
  readonly violations: readonly Violation[];
  readonly figures: ReadonlyMap<string, number>;
}

/** Even seeds have no API key of FRED, which then has one kind of route. */
export const hasFredKey = (seed: number) => seed % 2 === 1;

export async function runYear({
  seed,
  weeks,
  faults: planned,
  only,
  sources = DAILY_SOURCES,
}: Year): Promise<Outcome> {
  const hasKey = hasFredKey(seed);
  const truth = makeTruth(seed, weeks, { ecb_daily: 1.4, fred_daily: hasKey ? 1.4 : 1.28 });
  // One kind of route alone cannot refute what it said first.
  const wrongFirst: DailySource[] = hasKey ? ["ecb_daily", "fred_daily"] : ["ecb_daily"];
  const { lastDay } = truth;
  const faults = planned ?? planFaults({ seed, lastDay, hasFredKey: hasKey, wrongFirst, only });
  const kinds: Record<DailySource, readonly Kind[]> = {
    ecb_daily: ["files", "sdmx"],
    fred_daily: hasKey ? ["api", "csv"] : ["csv"],
  };
  const oracle = newOracle(truth, faults, kinds);
  const random = seededRandom(seed * 7919);

  let now = YEAR_START * MILLISECONDS_PER_DAY + HOUR;
  const clock = { now: () => now };
  const wire = startWire(truth, faults, clock.now);
  const fredApiKey = hasKey ? "0123456789abcdef0123456789abcdef" : null;
  const lake = openMemoryLake();
  let shown = shownBy(await lake.read());
  const look = async () => {
    const record = await lake.read();
    if (record.version !== shown.version) shown = shownBy(record);
    oracle.served(now, shown.figures, wire.takeDelivered());
    return record;
  };
  const collector = createCollector({
    lake,
    upstream: openUpstream({ clock, base: wire.base, userAgent: "test", sleep: async () => {} }),
    adapters: dailyAdapters({ fredApiKey }),
    clock,
    emit: () => {},
    onCommitted: async () => void (await look()),
  });
  const collect = async (at: number, source: DailySource, reach: Window["reach"]) => {
    if (!sources.includes(source)) return;
    now = Math.max(now + 1_000, at + Math.floor(random() * 20_000));
    const state = await collector.collect(source, reach);
    const record = await look();
    oracle.collected(now, source, contradictionsOf(source, record, shown.history, state));
  };
  try {
    await collect(now, "ecb_daily", "history");
    await collect(now, "fred_daily", "history");
    // After src/jobs/timetable.ts, with fewer of the polls that find nothing new.
    for (let day = YEAR_START; day <= lastDay; day++) {
      const frankfurt = (hour: number, minute: number) => atWallTime("Europe/Berlin", day, hour, minute);
      const newYork = (hour: number, minute: number) => atWallTime("America/New_York", day, hour, minute);
      const weekday = weekdayOf(day);
      if (weekday !== 6 && weekday !== 0) await collect(newYork(3, 5), "fred_daily", "recent");
      if (weekday !== 6) await collect(frankfurt(6, 40), "ecb_daily", "recent");
      if (weekday === 0) {
        await collect(frankfurt(12, 26), "ecb_daily", "history");
        await collect(newYork(8, 51), "fred_daily", "history");
        await lake.upkeep();
      }
      if (weekday === 0 || weekday === 6) continue;
      await collect(frankfurt(16, 3), "ecb_daily", "latest");
      if (random() < 0.3) await collect(frankfurt(17, 17), "ecb_daily", "latest");
      await collect(frankfurt(18, 40), "ecb_daily", "recent");
      if (weekday <= 2) await collect(newYork(16, 25), "fred_daily", "latest");
    }
    return { violations: oracle.violations, figures: shown.figures };
  } finally {
    await wire.stop();
  }
}

/** What one version of the lake has; its history is built when it is needed, which is not for every commit. */
function shownBy(record: LakeRecord) {
  const { version, observations } = record;
  let history: History | null = null;
  return {
    version,
    figures: believedIn(record),
    history: () => (history ??= buildHistory(version, observations)),
  };
}

/** What the lake serves, as the oracle compares it. */
function believedIn({ observations }: LakeRecord): ReadonlyMap<string, number> {
  const { count, source, base, quote, date, units, scale } = observations;
  const found = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const from = DAILY_SOURCES[source[row] as number] as string;
    const pivot = from === "ecb_daily" ? "EUR" : "USD";
    const [left, right] = [CURRENCY_CODES[base[row] as number], CURRENCY_CODES[quote[row] as number]];
    const value = Number(`${units[row]}e-${scale[row]}`);
    found.set(`${from} ${left === pivot ? right : left} ${date[row]}`, value);
  }
  return found;
}

/** A lake in memory, because a year of commits to files takes minutes. */
function openMemoryLake(): Lake {
  const rates = new KnownInMemory();
  let commits = 0;
  const documents = { list: [], places: new Int32Array(0) };
  let record: LakeRecord = { ...rates.known, documents, version: "0", coverage: [], damaged: [] };
  return {
    version: async () => record.version,
    read: async () => record,
    at: async (version) => (version === record.version ? record : null),
    async commit(decide) {
      const change = decide(record);
      if (change !== null) {
        if (change.accepted.length + change.withdrawn.length > 0) commits += 1;
        rates.apply(change);
        record = { ...record, ...rates.known, version: String(commits), coverage: change.coverage };
      }
      return record.version;
    },
    audit: async () => [],
    upkeep: async () => {},
    close: async () => {},
  };
}
