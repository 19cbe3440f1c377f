/** Which sources are waited for: the real collection from simulated upstreams over HTTP, the clock in the test's hands. */

import { describe, expect, test } from "bun:test";
import { broken } from "#test/demo/broken-transport.ts";
import type { Simulator } from "#test/support/official/simulator.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openedDaily, simulatedWorld } from "./daily.ts";

/** A Tuesday soon after the first reference rates, so that a whole history is small. */
const START = Date.parse("1999-03-16T17:00:00Z");
const FRED = "/fred.stlouisfed.org";

const opened = ({ base }: Simulator, directory: string, clock: { now: () => number }, serves = true) =>
  openedDaily(directory, clock, { base, serves });

const world = () => simulatedWorld(START);

const pendingIn = (daily: Awaited<ReturnType<typeof opened>>) =>
  (daily.holder.dataset()?.pending ?? []).map(
    ({ source, isCollecting }) => `${source} ${isCollecting ? "pending" : "never"}`,
  );

describe("a first start", () => {
  test("waits for each source until its first collection has succeeded", async () => {
    const { simulator, clock } = await world();
    const daily = await opened(simulator, temporaryDirectory(), clock);
    expect(pendingIn(daily)).toEqual(["ecb_daily pending", "fred_daily pending"]);
    await daily.collector.collect("ecb_daily", "history");
    expect(pendingIn(daily)).toEqual(["fred_daily pending"]);
    await daily.collector.collect("fred_daily", "history");
    expect(daily.holder.dataset()?.pending).toBeUndefined();
  });

  test("waits no longer once the first collection has failed, nor after 60 seconds", async () => {
    const { simulator, clock, later } = await world();
    simulator.misbehave(FRED, broken.status(503));
    const daily = await opened(simulator, temporaryDirectory(), clock);
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
    await daily.collector.collect("fred_daily", "recent");
    expect(pendingIn(daily)).toEqual([]);
  });

  test("waits 60 seconds for what another process collects", async () => {
    const { simulator, clock, later } = await world();
    const directory = temporaryDirectory();
    const reader = await opened(simulator, directory, clock);
    later(60_000);
    expect(pendingIn(reader)).toEqual(["ecb_daily never", "fred_daily never"]);
    // The clock was ahead at the start.
    later(-48 * 3_600_000);
    expect(pendingIn(reader)).toEqual(["ecb_daily never", "fred_daily never"]);
    later(48 * 3_600_000);
    const writer = await opened(simulator, directory, clock, false);
    expect(pendingIn(writer)).toEqual(["ecb_daily never", "fred_daily never"]);
    await writer.collector.collect("ecb_daily", "history");
    await writer.collector.collect("fred_daily", "history");
    await reader.verify();
    expect(pendingIn(reader)).toEqual([]);
  });
});

test("a start on a lake that has a source's figures does not wait for it, whatever its upstream does", async () => {
  const { simulator, clock } = await world();
  const directory = temporaryDirectory();
  const before = await opened(simulator, directory, clock);
  await before.collector.collect("ecb_daily", "history");
  await before.collector.collect("fred_daily", "history");
  simulator.misbehave(FRED, broken.status(503));
  const after = await opened(simulator, directory, clock);
  expect(pendingIn(after)).toEqual([]);
  await after.collector.collect("fred_daily", "recent");
  expect(pendingIn(after)).toEqual([]);
});
