/** The demo begins with the ECB's own history, tells it from what is simulated, and goes on where it was. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beginDemo } from "#commands/demo.ts";
import { loadDemoHistory } from "#compose.ts";
import { startSimulator } from "#demo/simulator.ts";
import { readRealHistory } from "#demo/world.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { formatInstant, parseDay } from "#domain/time/day.ts";
import { NOW, simulatedDirectory } from "#test/commands/lakes.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const history = await loadDemoHistory();
const DAY = 86_400_000;
const REAL_NOW = Date.parse("2027-03-01T09:00:00Z");
const plain = { startAt: null, allSimulated: false, history };

describe("the clock", () => {
  test("begins on the last day of the history after its publication, in an open market", () => {
    const { startAt, real } = beginDemo({ ...plain, dataDir: temporaryDirectory() }, REAL_NOW);
    expect(startAt).toBe(Date.parse("2026-10-30T15:30:00Z"));
    expect(real?.lastDay).toBe(parseDay("2026-10-30") as number);
    expect(marketSession(startAt)).toBe("open");
  });

  test("goes on at the next start, and never back: over a weekend to the next opening", () => {
    const dataDir = temporaryDirectory();
    const at = (later: number) => beginDemo({ ...plain, dataDir }, REAL_NOW + later).startAt;
    const first = at(0);
    expect(at(3_600_000)).toBe(first + 3_600_000);
    const monday = at(DAY);
    expect(monday).toBe(Date.parse("2026-11-01T22:00:00Z"));
    expect(at(DAY + 1000)).toBe(monday + 1000);
  });

  test("is replaced in its file, so that a power cut leaves the old one or the new one", () => {
    const dataDir = temporaryDirectory();
    const fileAt = (later: number) => {
      beginDemo({ ...plain, dataDir }, REAL_NOW + later);
      return statSync(join(dataDir, "demo-clock.json")).ino;
    };
    const first = fileAt(0);
    expect(fileAt(DAY)).not.toBe(first);
    expect(readdirSync(dataDir)).toEqual(["demo-clock.json"]);
  });

  test("is NOW where that is set; before the end of the history everything is simulated", () => {
    const later = Date.parse("2026-11-05T12:00:00Z");
    const late = beginDemo({ ...plain, startAt: later, dataDir: temporaryDirectory() }, REAL_NOW);
    expect([late.startAt, late.real !== null]).toEqual([later, true]);
    const early = Date.parse("2026-04-13T16:30:00Z");
    expect(beginDemo({ ...plain, startAt: early, dataDir: temporaryDirectory() }, REAL_NOW)).toEqual({
      startAt: early,
      real: null,
    });
  });
});

test("the two worlds never share a directory", () => {
  const begun = temporaryDirectory();
  beginDemo({ ...plain, dataDir: begun }, REAL_NOW);
  expect(() => beginDemo({ ...plain, allSimulated: true, dataDir: begun }, REAL_NOW)).toThrow("DATA_DIR");
  expect(() => beginDemo({ ...plain, startAt: DAY * 20_000, dataDir: begun }, REAL_NOW)).toThrow(
    "NOW must not",
  );
  const other = temporaryDirectory();
  mkdirSync(join(other, "lake"));
  expect(beginDemo({ ...plain, dataDir: other }, REAL_NOW).real).toBeNull();
});

describe("the lake of a demo six days on", () => {
  let now = Date.parse("2026-11-05T15:30:00Z");
  const open = async (directory: string, realHistory: boolean) => {
    const { real } = beginDemo({ ...plain, dataDir: temporaryDirectory() }, REAL_NOW);
    const clock = { now: () => now };
    const simulator = await startSimulator({ now: clock.now, real });
    const settings = { DATA_DIR: directory, UPSTREAM_BASE: simulator.base, ACCESS: "open" };
    const crossrate = await openProduct(settings, { ...clock, realHistory });
    await crossrate.backfill(() => {});
    const faults = () =>
      crossrate.emitted.filter(({ kind }) => /held|failed|contradict|distrusted|torn/.test(kind));
    return { crossrate, simulator, faults };
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  let directory: string;
  let opened: Opened;
  beforeAll(async () => {
    directory = await simulatedDirectory(formatInstant(history.startsAt), readRealHistory(history.csv));
    opened = await open(directory, true);
  }, 60_000);
  const close = async () => {
    await opened.crossrate.close();
    await opened.simulator.stop();
  };
  afterAll(close);
  const get = (path: string) => opened.crossrate.json(path);

  test("has the ECB's own figures with their document, and nothing is held or contradicted", async () => {
    expect(await get("/v1/2015-01-15?base=EUR&symbols=CHF")).toMatchObject({ rates: { CHF: 1.028 } });
    const day = await get("/v1/1999-01-04?base=EUR&symbols=USD");
    expect([day.rates, day.simulated]).toEqual([{ USD: 1.1789 }, undefined]);
    expect(day.notice).toStartWith("Indicative");
    const { legs } = await get("/v1/explain/EUR/CHF?date=2015-01-15");
    expect(legs[0]).toMatchObject({
      document: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip",
      document_sha256: "73db21584dd46cebf5cd6df75ebb6de7afcdeebff52f54d5046ca8e459c0fbb3",
      published_at: null,
    });
    expect(legs[0].simulated).toBeUndefined();
    expect(opened.faults()).toEqual([]);
    expect(opened.crossrate.figures.held()).toEqual([]);
  });

  test("marks all later figures and all of other sources", async () => {
    const codes = async (path: string) => Object.keys((await get(path)).simulated ?? {});
    expect(await codes("/v1/2026-10-30?symbols=EUR,JPY")).toEqual([]);
    expect(await codes("/v1/2026-10-30?symbols=EUR,JPY,TWD")).toEqual(["TWD"]);
    expect(await codes("/v1/2026-11-05?symbols=EUR,JPY")).toEqual(["EUR", "JPY"]);
    expect(await codes("/v1/range?symbols=EUR,CHF&start_date=1999-01-04&end_date=1999-12-31")).toEqual([]);
    // Before the ECB had a figure of the real, H.10 is its source.
    expect(await codes("/v1/2005-06-01?symbols=BRL,CHF")).toEqual(["BRL"]);
  });

  test("goes on from the real figures: no later one is far from the last", async () => {
    const last = (await get("/v1/2026-10-30?base=EUR")).rates as Record<string, number>;
    const later = (await get("/v1/2026-11-05?base=EUR")).rates as Record<string, number>;
    for (const code of Object.keys(last))
      expect(Math.abs((later[code] as number) / (last[code] as number) - 1)).toBeLessThan(0.1);
    expect(last["TWD"]).toBeGreaterThan(25);
  });

  test("is contradicted neither by a whole read of the simulated ECB nor by the next start", async () => {
    await opened.crossrate.collector.collect("ecb_daily", "history");
    now += DAY;
    await opened.crossrate.collector.collect("ecb_daily", "recent");
    await close();
    const { faults } = opened;
    opened = await open(directory, true);
    expect([...faults(), ...opened.faults()]).toEqual([]);
    expect(opened.crossrate.dataset()?.realThrough).toBe(parseDay("2026-10-30") as number);
    expect((await get("/v1/2015-01-15?base=EUR&symbols=CHF")).simulated).toBeUndefined();
  });

  test("that began all simulated has no real figure, whatever opens it", async () => {
    const other = await openProduct(
      { DATA_DIR: await simulatedDirectory(NOW), ACCESS: "open" },
      { now: () => now, realHistory: true },
    );
    expect(other.dataset()?.realThrough).toBeNull();
  });
});
