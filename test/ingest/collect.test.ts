/** Daily collection against the simulator: first boot, new figures, corrections, conditional requests, held figures. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { parseDay } from "#domain/time/day.ts";
import { backfill } from "#ingest/backfill.ts";
import { decideHeld } from "#ingest/held.ts";
import { broken } from "#test/demo/broken-transport.ts";
import {
  countOf,
  ECB_FILES,
  ECB_SDMX,
  type Fixture,
  FRED_API,
  FRED_KEY,
  figureInForce,
  ninetyDays,
  ONE_DAY,
  openFixture,
  TUESDAY,
  withReadings,
} from "./fixture.ts";

/** A Tuesday of the third year: for what does not depend on how long a history is. */
const EARLY = Date.parse("2001-04-17T15:00:00Z");

const coveredThrough = async ({ lake }: Fixture, of: DailySource) =>
  (await lake.read()).coverage.find(({ source }) => source === of)?.coveredThrough;

test("after a long pause the newest day covers nothing before a history has closed the gap", async () => {
  const pause = 200 * ONE_DAY;
  const fixture = await openFixture({ from: await ninetyDays() });
  const covered = () => coveredThrough(fixture, "ecb_daily");
  const before = await covered();
  fixture.setTime(TUESDAY + pause);
  await fixture.collector.collect("ecb_daily", "latest");
  expect(await covered()).toBe(before as number);
  // 90 days would leave a gap: the whole history is read.
  await fixture.collector.collect("ecb_daily", "recent");
  expect(await covered()).toBeGreaterThan((TUESDAY + pause) / ONE_DAY - 5);
  expect(await figureInForce(fixture.lake, "ecb_daily", "2015-07-01", "NOK")).not.toBeNull();
});

describe("first boot", () => {
  test("collects the whole history of every source once, with progress, and the next boot only the last 90 days", async () => {
    const fixture = await openFixture({ at: EARLY });
    const labels = new Map<string, string>();
    await backfill(fixture, {
      progress: ({ label, done, total }) => {
        expect(done).toBeLessThanOrEqual(total);
        labels.set(label, `${done}/${total}`);
      },
    });
    expect(Object.fromEntries(labels)).toEqual({ "ECB history": "1/1", "FRED history": "1/1" });
    expect(fixture.collector.states().map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ["figures", null],
      ["figures", null],
    ]);
    expect((await figureInForce(fixture.lake, "ecb_daily", "1999-01-04", "USD"))?.revision).toBe(1);
    expect((await figureInForce(fixture.lake, "fred_daily", "1999-01-04", "TWD"))?.revision).toBe(1);
    expect(await countOf(fixture.lake, "ecb_daily")).toBeGreaterThan(8_000);
    expect((await fixture.lake.read()).held).toEqual([]);
    expect(fixture.committed).toHaveLength(2);
    expect(fixture.committed.at(-1)).toBe(await fixture.lake.version());

    const next = fixture.restart();
    const before = fixture.simulator.requests().length;
    await backfill(next, { progress: () => {} });
    const paths = fixture.simulator
      .requests()
      .slice(before)
      .map(({ path }) => path);
    expect(paths).toHaveLength(2);
    expect(paths[0]).toContain("startPeriod=2001-01-17");
    // It is not yet noon in New York.
    expect(paths[1]).toContain("cosd=2001-01-16");
    expect((await figureInForce(fixture.lake, "ecb_daily", "2001-04-17", "USD"))?.revision).toBe(1);
  });

  test("a source whose upstream is down does not keep the other one out", async () => {
    const fixture = await openFixture({ at: EARLY });
    fixture.simulator.misbehave(ECB_FILES, broken.status(503));
    fixture.simulator.misbehave(ECB_SDMX, broken.status(503));
    await backfill(fixture, { progress: () => {} });
    expect(fixture.collector.states().map(({ outcome }) => outcome)).toEqual(["failed", "figures"]);
    expect(await countOf(fixture.lake, "ecb_daily")).toBe(0);
    expect(await countOf(fixture.lake, "fred_daily")).toBeGreaterThan(8_000);
    // The years of the fallback are not requested one by one when it is down.
    const windows = fixture.simulator.requests().filter(({ path }) => path.startsWith(ECB_SDMX));
    expect(windows).toHaveLength(9);
  });

  test("a history with a hole is not taken for read: the next boot requests it again", async () => {
    const fixture = await openFixture({
      at: EARLY,
      adapt: (adapter) =>
        withReadings(adapter, (reading, _, { url }) => {
          if (url.includes("2000-01-01")) throw new BrokenDocument("cut off");
          return reading;
        }),
    });
    fixture.simulator.misbehave(`${ECB_FILES}/stats/eurofxref/eurofxref-hist.zip`, broken.zipBomb());
    const state = await fixture.collector.collect("ecb_daily", "history");
    expect(state.outcome).toBe("figures");
    expect(state.detail).toMatch(
      /sdmx \(1 of 3 documents failed\): broken_document: .*startPeriod=2000-01-01/,
    );
    const { coverage } = await fixture.lake.read();
    expect(coverage).toEqual([]);
    expect(await figureInForce(fixture.lake, "ecb_daily", "1999-06-01", "USD")).not.toBeNull();
    expect(await figureInForce(fixture.lake, "ecb_daily", "2000-06-01", "USD")).toBeNull();
    fixture.simulator.behave();
    await backfill(fixture.restart(), { progress: () => {} });
    expect(await figureInForce(fixture.lake, "ecb_daily", "2000-06-01", "USD")).not.toBeNull();
    expect((await fixture.lake.read()).coverage).toHaveLength(2);
  });
});

describe("daily collection", () => {
  test("the day's figures come in after publication; before, the document is unchanged", async () => {
    const fixture = await openFixture({ from: await ninetyDays() });
    await fixture.collector.collect("ecb_daily", "latest");
    expect(fixture.emitted).toEqual([
      { kind: "nothing_new", source: "ecb_daily", outcome: "figures", milliseconds: 0 },
    ]);
    fixture.setTime(TUESDAY + 22.9 * 3_600_000); // 15:54 in Frankfurt
    expect((await fixture.collector.collect("ecb_daily", "latest")).outcome).toBe("unchanged");
    expect(fixture.simulator.requests().at(-1)?.status).toBe(304);
    fixture.setTime(TUESDAY + ONE_DAY);
    const state = await fixture.collector.collect("ecb_daily", "latest");
    const [lastAttemptAt, lastSuccessAt] = [TUESDAY + ONE_DAY, TUESDAY + ONE_DAY];
    expect(state).toEqual({
      source: "ecb_daily",
      lastAttemptAt,
      lastSuccessAt,
      outcome: "figures",
      detail: null,
    });
    // Two commits: the figures, and that the other kind of route states the same.
    expect(fixture.emitted.slice(-2)).toMatchObject([
      { kind: "collected", route: "daily XML", accepted: 28, revised: 0, held: 0 },
      { kind: "collected", route: "sdmx", accepted: 0, revised: 0, held: 0 },
    ]);
    expect(fixture.committed).toHaveLength(2);
    expect(fixture.committed.at(-1)).toBe(await fixture.lake.version());
    expect(await coveredThrough(fixture, "ecb_daily")).toBe(parseDay("2015-04-15") as number);
  });

  test("a window in which the authority was closed is a holiday, with the days named", async () => {
    const closed = Date.parse("2015-04-06T15:00:00Z"); // Easter Monday
    const fixture = await openFixture({
      ...{ from: await ninetyDays(), at: closed },
      adapt: (adapter) => withReadings(adapter, () => ({ outcome: "holiday", coveredThrough: null })),
    });
    const state = await fixture.collector.collect("ecb_daily", "latest");
    expect(state).toMatchObject({
      outcome: "holiday",
      lastSuccessAt: closed,
      detail: "the authority was closed from 2015-03-30 to 2015-04-06",
    });
    expect(fixture.committed).toEqual([]);
    const { retrievals } = await fixture.lake.read();
    expect(retrievals.filter(({ route }) => route === "files/daily XML")).toMatchObject([
      { from: parseDay("2015-03-30") as number, newest: null },
    ]);
  });

  test("one discontinued series does not take the others down, and comes from the other kind of route", async () => {
    const start = { from: await ninetyDays(), at: TUESDAY + 7 * ONE_DAY };
    const fixture = await openFixture({ ...start, fredApiKey: FRED_KEY });
    const series = `${FRED_API}/fred/series/observations?series_id=DEXTAUS`;
    fixture.simulator.misbehave(series, broken.status(404));
    const state = await fixture.collector.collect("fred_daily", "latest");
    expect(state.outcome).toBe("figures");
    expect(state.detail).toMatch(/API \(1 of \d+ documents failed\): .*DEXTAUS/);
    expect(await figureInForce(fixture.lake, "fred_daily", "2015-04-17", "JPY")).not.toBeNull();
    expect(await figureInForce(fixture.lake, "fred_daily", "2015-04-17", "TWD")).not.toBeNull();
    expect(await coveredThrough(fixture, "fred_daily")).toBe(parseDay("2015-04-17") as number);
  });
});

test("one run at a time a history is not answered by a running latest, and equal calls share one run", async () => {
  const fixture = await openFixture({ from: await ninetyDays() });
  const { collector } = fixture;
  const [first, same, other, otherAgain] = await Promise.all([
    collector.collect("ecb_daily", "latest"),
    collector.collect("ecb_daily", "latest"),
    collector.collect("ecb_daily", "recent"),
    collector.collect("ecb_daily", "recent"),
  ]);
  expect(same).toBe(first);
  expect(otherAgain).toBe(other);
  const paths = fixture.simulator.requests().map(({ path }) => path);
  expect(paths.map((path) => path.includes("eurofxref-daily.xml"))).toEqual([true, false]);
  expect(await countOf(fixture.lake, "ecb_daily")).toBeGreaterThan(29);
});

describe("a person's decision on a held figure", () => {
  async function withHeldDollar() {
    const fixture = await openFixture({ from: await ninetyDays(), at: TUESDAY + ONE_DAY });
    fixture.simulator.misbehave(ECB_FILES, { kind: "decimal-slip", currency: "NOK" });
    fixture.simulator.misbehave(ECB_SDMX, broken.status(404));
    const state = await fixture.collector.collect("ecb_daily", "latest");
    expect(state.outcome).toBe("figures");
    expect(state.detail).toMatch(
      /^1 figure is held back: decimal_slip; held figures were requested from another route: sdmx: not_found: /,
    );
    const reported = fixture.emitted.find(({ kind }) => kind === "figure_held");
    expect(reported).toMatchObject({ rule: "decimal_slip" });
    expect((await fixture.lake.read()).held).toHaveLength(1);
    return fixture;
  }
  const key = { source: "ecb_daily", date: parseDay("2015-04-15") as number, currency: "NOK" } as const;

  test("released, it is in force from its release, so that a copy kept up to date gets it, and the release is reported", async () => {
    const fixture = await withHeldDollar();
    const released = TUESDAY + ONE_DAY + 7_200_000;
    fixture.setTime(released);
    expect(await decideHeld(fixture, key, "release")).toBe(true);
    const { observations } = await fixture.lake.read();
    const row = observations.date.findIndex(
      (date, index) => date === key.date && observations.quote[index] === currencyIndex(key.currency),
    );
    expect(observations.retrievedAt[row]).toBe(released);
    expect((await figureInForce(fixture.lake, "ecb_daily", "2015-04-15", "NOK"))?.value).toBeGreaterThan(50);
    expect((await fixture.lake.read()).held).toEqual([]);
    expect(fixture.emitted.at(-1)).toMatchObject({ kind: "figure_released", by: "command" });
    expect(fixture.committed.at(-1)).toBe(await fixture.lake.version());
    expect(await decideHeld(fixture, key, "release")).toBe(false);
  });

  test("is about one source, day and currency, and cannot release what is no rate", async () => {
    const fixture = await withHeldDollar();
    const { held, coverage } = await fixture.lake.read();
    const figure = held[0] as HeldFigure;
    const unusable = { ...figure, date: key.date - 1, rule: "too_many_digits" } as const;
    const all = [unusable, figure, { ...figure, quote: "USD" }] as const;
    await fixture.lake.commit(() => ({ accepted: [], withdrawn: [], held: all, coverage }));
    const others = [
      { ...key, date: key.date - 2 },
      { ...key, currency: "SEK" },
      { ...key, source: "fred_daily", currency: "EUR" },
    ] as const;
    for (const other of others) expect(await decideHeld(fixture, other, "discard")).toBe(false);
    const release = decideHeld(fixture, { ...key, date: unusable.date }, "release");
    await expect(release).rejects.toThrow("ecb_daily 2015-04-14 NOK can only be discarded: too_many_digits");
    expect((await fixture.lake.read()).held).toHaveLength(3);
    expect(await decideHeld(fixture, key, "release")).toBe(true);
    expect((await fixture.lake.read()).held.map(({ date, quote }) => [date, quote])).toEqual([
      [unusable.date, "NOK"],
      [key.date, "USD"],
    ]);
  });
});
