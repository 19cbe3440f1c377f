/**
 * Weeks of a simulated year (SIMULATED_WEEKS=52 for the whole of it) with holes, corrections, withdrawals, late and lagging routes, absurd
 * figures, outages and restarts, held against oracles written from docs/contract.md.
 */

import { expect, test } from "bun:test";
import { formatInstant, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { FIRST_DAY, makeAuthorities } from "./authorities.ts";
import { type Believed, believedIn, differences, newFollower } from "./believed.ts";
import { expectBounds, expectOneDate, expectOnlyStated, newMemory, newStatements } from "./invariants.ts";
import { newLakeDirectory, type Running, startRunning } from "./running.ts";
import { startUpstreams } from "./upstreams.ts";

const WEEKS = Number(process.env.SIMULATED_WEEKS ?? 6);
const SEEDS = (process.env.SIMULATED_SEEDS ?? "1").split(",").map(Number);
const HOUR = 3_600_000;

for (const seed of SEEDS) {
  test(`no figure without a document, no cross of two days, no bound exceeded: ${WEEKS} weeks, seed ${seed}`, async () => {
    await simulate(seed);
  }, 600_000);
}

async function simulate(seed: number): Promise<void> {
  const random = seededRandom(seed * 7919);
  const authorities = makeAuthorities(seed, WEEKS + 2);
  let now: Instant = (FIRST_DAY + 12) * MILLISECONDS_PER_DAY + 6 * HOUR;
  const clock = () => now;
  const upstreams = startUpstreams(authorities, clock);
  const directory = newLakeDirectory();
  let service: Running = await startRunning(upstreams.base, clock, directory);
  try {
    const statements = newStatements();
    const memory = newMemory();
    const follower = newFollower();
    let believed: Believed = new Map();
    let bounded = 0;
    let crossed = 0;
    let isStarted = false;
    const check = async () => {
      const { app } = service;
      await expectOnlyStated(app, statements, [FIRST_DAY, Math.floor(now / MILLISECONDS_PER_DAY)]);
      const day = Math.floor(now / MILLISECONDS_PER_DAY) - Math.floor(random() * 14);
      if (random() < 0.4) crossed += await expectOneDate(app, believed, day);
      bounded += await expectBounds(app, authorities, day, random() < 0.5 ? "USD" : "JPY");
      if (random() < 0.3) await memory.serve(app, day, random() < 0.5 ? "USD" : "GBP", now);
    };
    const collect = async (source: "ecb_daily" | "fred_daily", reach: "history" | "recent" | "latest") => {
      now += 1_000 * (1 + Math.floor(random() * 50));
      const before = performance.now();
      await service.daily.collector.collect(source, reach);
      const delivered = upstreams.takeDelivered();
      statements.note(delivered);
      const record = await service.daily.lake.read();
      believed = believedIn(record);
      // Until both sources were collected once, answers are 503: "Availability" in docs/contract.md.
      isStarted ||= record.coverage.length === 2;
      follower.after(delivered, believed);
      // A collection takes its time: each of its commits is dated after the one before.
      now += 1_000;
      if (isStarted) await check();
      if (process.env.SIMULATED_LOG) {
        console.log(
          formatInstant(now),
          source,
          reach,
          delivered.map((d) => `${d.route}:${d.statements.length}`).join(" "),
          (performance.now() - before).toFixed(0),
        );
      }
    };
    await collect("ecb_daily", "history");
    await collect("fred_daily", "history");
    for (let day = FIRST_DAY + 12; day <= FIRST_DAY + 12 + WEEKS * 7 && day <= authorities.lastDay; day++) {
      const at = (hour: number) => {
        now = Math.max(now, day * MILLISECONDS_PER_DAY + hour * HOUR);
      };
      const weekday = weekdayOf(day);
      if (weekday >= 1 && weekday <= 5) {
        at(14.5);
        if (random() < 0.4) await collect("ecb_daily", "latest");
        at(15.3);
        if (random() < 0.9) await collect("ecb_daily", "latest");
        at(18);
        if (random() < 0.6) await collect("ecb_daily", "recent");
      }
      at(21.7);
      if (weekday === 1 || random() < 0.2) await collect("fred_daily", "recent");
      if (weekday === 0) {
        await collect("ecb_daily", "history");
        await collect("fred_daily", "history");
      }
      if (random() < 0.1) {
        await service.stop();
        service = await startRunning(upstreams.base, clock, directory);
      }
    }
    // Two quiet weeks later every route says the same again: so does the lake.
    for (const days of [12, 13]) {
      now = (authorities.lastDay + days) * MILLISECONDS_PER_DAY;
      for (const reach of ["recent", "history"] as const) {
        await collect("ecb_daily", reach);
        await collect("fred_daily", reach);
      }
    }
    const held = service.daily.holder.held();
    // H.10 has no second route: an absurd figure that is never corrected stays held.
    expect(held.filter(({ source }) => source === "ecb_daily")).toEqual([]);
    const heldDays = new Set(
      held.map(({ source, base, quote, date }) => `${source} ${base === "USD" ? quote : base} ${date}`),
    );
    expect(differences(believed, heldDays, authorities, now)).toEqual([]);
    expect(crossed).toBeGreaterThan(WEEKS * 200);
    expect(bounded).toBeGreaterThan(WEEKS * 20);
    expect(await memory.recall(service.app)).toBeGreaterThan(WEEKS * 3);
  } finally {
    await service.stop();
    await upstreams.stop();
  }
}
