/** Corrections older than the daily re-reading are found once a week, and a start waits for sources that were never read: real collections from simulated upstreams over HTTP. */

import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EUR, USD } from "#domain/currency/currency.ts";
import { refusePending } from "#domain/intake/reading.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { figureInForce } from "#test/ingest/fixture.ts";
import { onceInFile } from "#test/support/at-end.ts";
import type { Simulator } from "#test/support/official/simulator.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openedDaily, simulatedWorld } from "./daily.ts";

/** Five months after the first reference rates: a small history, with days that the daily re-reading does not reach. */
const START = Date.parse("1999-06-15T17:00:00Z");
const OLD = "1999-02-10";
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** A directory with both histories, read whole at the start. */
const collected = onceInFile(async () => {
  const { directory, first } = await opened(temporaryDirectory());
  await first.collector.collect("ecb_daily", "history");
  await first.collector.collect("fred_daily", "history");
  return directory;
});

async function installation() {
  const directory = temporaryDirectory();
  cpSync(await collected(), directory, { recursive: true });
  return await opened(directory);
}

async function opened(directory: string) {
  const { clock, simulator, later } = await simulatedWorld(START);
  const emitted: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => void emitted.push(event);
  const start = () => openedDaily(directory, clock, { base: simulator.base, emit, serves: true });
  return { simulator, directory, emitted, start, later, first: await start() };
}

const zips = ({ requests }: Simulator) =>
  requests().filter(({ path }) => path.includes("eurofxref-hist.zip")).length;

describe("an old correction", () => {
  for (const [source, currency, prefixes] of [
    [
      "ecb_daily",
      "JPY",
      ["/www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip", "/data-api.ecb.europa.eu"],
    ],
    ["fred_daily", "TWD", ["/fred.stlouisfed.org"]],
  ] as const) {
    test(`of ${source} is not seen by the daily re-reading, and is a revision after a week`, async () => {
      const { simulator, first, later } = await installation();
      const before = await figureInForce(first.lake, source, OLD, currency);
      for (const prefix of prefixes)
        simulator.misbehave(prefix, { kind: "correction", currency, date: OLD, factor: 1.01 });
      later(24 * HOUR);
      await first.collector.collect(source, "recent");
      await first.readWholeIfDue(source);
      expect(await figureInForce(first.lake, source, OLD, currency)).toEqual(before);
      later(WEEK);
      await first.readWholeIfDue(source);
      const after = await figureInForce(first.lake, source, OLD, currency);
      expect(after?.revision).toBe(2);
      expect(after?.value).not.toBe(before?.value as number);
    });
  }
});

describe("the weekly reading", () => {
  test("is remembered by the next process, and not repeated by it", async () => {
    const { simulator, first, start, later } = await installation();
    const known = first.reports.wholeReads().ecb_daily;
    expect(known?.readAt).toBe(START);
    const downloads = zips(simulator);
    for (let restart = 0; restart < 3; restart++) {
      later(24 * HOUR);
      const next = await start();
      expect(next.reports.wholeReads().ecb_daily).toEqual(known);
      await next.readWholeIfDue("ecb_daily");
    }
    expect(zips(simulator)).toBe(downloads);
    later(WEEK);
    const last = await start();
    await last.readWholeIfDue("ecb_daily");
    await last.readWholeIfDue("ecb_daily");
    expect(zips(simulator)).toBe(downloads + 1);
  });

  test("stays due while it fails, and is requested again", async () => {
    const { simulator, first, later } = await installation();
    later(WEEK);
    simulator.misbehave("/fred.stlouisfed.org", broken.status(404));
    const before = simulator.requests().length;
    await first.readWholeIfDue("fred_daily");
    expect(simulator.requests().length).toBeGreaterThan(before);
    expect(first.reports.wholeReads().fred_daily?.readAt).toBe(START);
    simulator.behave();
    await first.readWholeIfDue("fred_daily");
    expect(first.reports.wholeReads().fred_daily?.readAt).toBe(START + WEEK);
  });

  test("happens on a lake without a record of it, also after its file was damaged", async () => {
    const { directory, first, simulator, later } = await installation();
    writeFileSync(join(directory, "whole-reads.json"), '{"ecb_daily": {"read_at": 3}}');
    expect(first.reports.wholeReads()).toEqual({});
    const downloads = zips(simulator);
    later(HOUR);
    await first.readWholeIfDue("ecb_daily");
    expect(zips(simulator)).toBe(downloads + 1);
    expect(first.reports.wholeReads().ecb_daily?.readAt).toBe(START + HOUR);
  });

  test("is no less a collection where its time cannot be kept", async () => {
    const { directory, first, emitted, later } = await installation();
    rmSync(join(directory, "whole-reads.json"));
    mkdirSync(join(directory, "whole-reads.json", "in the way"), { recursive: true });
    later(HOUR);
    expect((await first.collector.collect("ecb_daily", "history")).outcome).not.toBe("failed");
    expect(first.reports.wholeReads()).toEqual({});
    expect(emitted.filter(({ kind }) => kind === "job_failed").length).toBeGreaterThan(0);
  });
});

/** A Tuesday soon after the first reference rates, so that a whole history is small. */
const FIRST_MARCH = Date.parse("1999-03-16T17:00:00Z");
const FRED = "/fred.stlouisfed.org";

const startedOn = ({ base }: Simulator, directory: string, clock: { now: () => number }, serves = true) =>
  openedDaily(directory, clock, { base, serves });

const world = () => simulatedWorld(FIRST_MARCH);

const pendingIn = (daily: Awaited<ReturnType<typeof startedOn>>) =>
  (daily.holder.dataset()?.pending ?? []).map(
    ({ source, isCollecting }) => `${source} ${isCollecting ? "pending" : "never"}`,
  );

describe("a first start", () => {
  test("waits for each source until its first collection has succeeded", async () => {
    const { simulator, clock } = await world();
    const daily = await startedOn(simulator, temporaryDirectory(), clock);
    expect(pendingIn(daily)).toEqual(["ecb_daily pending", "fred_daily pending"]);
    await daily.collector.collect("ecb_daily", "history");
    expect(pendingIn(daily)).toEqual(["fred_daily pending"]);
    await daily.collector.collect("fred_daily", "history");
    expect(daily.holder.dataset()?.pending).toBeUndefined();
  });

  test("waits no longer once the first collection has failed, nor after 60 seconds", async () => {
    const { simulator, clock, later } = await world();
    simulator.misbehave(FRED, broken.status(503));
    const daily = await startedOn(simulator, temporaryDirectory(), clock);
    await daily.collector.collect("ecb_daily", "history");
    later(59_000);
    expect(pendingIn(daily)).toEqual(["fred_daily pending"]);
    const waiting = daily.holder.dataset();
    expect(daily.holder.dataset()).toBe(waiting);
    await daily.collector.collect("fred_daily", "history");
    expect(pendingIn(daily)).toEqual(["fred_daily never"]);
    // Another object, so that nothing worked out of the one before is kept.
    expect(daily.holder.dataset()).not.toBe(waiting);
    simulator.behave();
    await daily.collectPending();
    expect(pendingIn(daily)).toEqual([]);
    const asked = simulator.requests().length;
    await daily.collectPending();
    expect(simulator.requests().length).toBe(asked);
  });

  test("waits 60 seconds for what another process collects", async () => {
    const { simulator, clock, later } = await world();
    const directory = temporaryDirectory();
    const reader = await startedOn(simulator, directory, clock);
    later(60_000);
    expect(pendingIn(reader)).toEqual(["ecb_daily never", "fred_daily never"]);
    // The clock was ahead at the start.
    later(-48 * 3_600_000);
    expect(pendingIn(reader)).toEqual(["ecb_daily never", "fred_daily never"]);
    later(48 * 3_600_000);
    const writer = await startedOn(simulator, directory, clock, false);
    expect(pendingIn(writer)).toEqual(["ecb_daily never", "fred_daily never"]);
    await writer.collector.collect("ecb_daily", "history");
    await writer.collector.collect("fred_daily", "history");
    await reader.verify();
    expect(pendingIn(reader)).toEqual([]);
  });

  test("of a server with ROLE=api does not say that it collects", async () => {
    const { clock, later } = await world();
    const config = { fredApiKey: null, lakeRetentionDays: 7, role: "api" } as const;
    const daily = await openedDaily(temporaryDirectory(), clock, { config, serves: true });
    const answer = () =>
      refusePending(daily.holder.dataset()?.pending, { base: USD, symbols: [EUR], sourceOf: () => null });
    for (const wait of [0, 60_000]) {
      later(wait);
      expect(answer).toThrow(
        /its figures come from a server that collects \(this one has ROLE=api\): the \/status/,
      );
    }
  });
});

test("a start on a lake that has a source's figures does not wait for it, whatever its upstream does", async () => {
  const { simulator, clock } = await world();
  const directory = temporaryDirectory();
  const before = await startedOn(simulator, directory, clock);
  await before.collector.collect("ecb_daily", "history");
  await before.collector.collect("fred_daily", "history");
  simulator.misbehave(FRED, broken.status(503));
  const after = await startedOn(simulator, directory, clock);
  expect(pendingIn(after)).toEqual([]);
  await after.collector.collect("fred_daily", "recent");
  expect(pendingIn(after)).toEqual([]);
});
