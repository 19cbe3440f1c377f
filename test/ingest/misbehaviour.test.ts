/** Every way an upstream can misbehave: known figures stay, the state has the reason, and the next good answer ends it. */

import { describe, expect, test } from "bun:test";
import type { DailySource } from "#domain/currency/source.ts";
import { createCollector } from "#ingest/collect.ts";
import { broken } from "#test/demo/broken-transport.ts";
import type { Misbehaviour } from "#test/support/official/simulator.ts";
import {
  ECB_FILES,
  ECB_SDMX,
  FRED_API,
  FRED_FILES,
  FRED_KEY,
  figureInForce,
  ninetyDays,
  ONE_DAY,
  openFixture,
  TUESDAY,
} from "./fixture.ts";

const NEXT_WEEK = TUESDAY + 7 * ONE_DAY;

interface Case {
  /** Absent: every source. */
  readonly only?: DailySource;
  readonly name: string;
  readonly fault: Misbehaviour;
  readonly detail: RegExp;
}

const BROKEN: readonly Case[] = [
  {
    name: "status 500",
    fault: broken.status(500),
    detail: /status: https:\S+ answers 500: the upstream is not well/,
  },
  { name: "nan", fault: { kind: "nan" }, detail: /broken_document: .*NaN/ },
  {
    name: "wrong-date",
    only: "fred_daily",
    fault: { kind: "wrong-date" },
    detail: /broken_document: .*2016.* future/,
  },
];

const SOURCES: readonly {
  source: DailySource;
  hosts: readonly string[];
  newest: string;
  routes: readonly string[];
}[] = [
  { source: "ecb_daily", hosts: [ECB_FILES, ECB_SDMX], newest: "2015-04-21", routes: ["daily XML", "sdmx"] },
  {
    source: "fred_daily",
    hosts: [FRED_API, FRED_FILES],
    newest: "2015-04-17",
    routes: ["API", "CSV", "CSV per series"],
  },
];

for (const { source, hosts, newest, routes } of SOURCES) {
  describe(source, () => {
    for (const { only = source, name, fault, detail } of BROKEN) {
      if (only !== source) continue;
      test(`${name}: old data stays, the state names every route, the next good answer mends it`, async () => {
        const fixture = await openFixture({ from: await ninetyDays(), fredApiKey: FRED_KEY, at: NEXT_WEEK });
        const version = await fixture.lake.version();
        for (const host of hosts) fixture.simulator.misbehave(host, fault);
        const state = await fixture.collector.collect(source, "latest");
        expect(state).toMatchObject({ outcome: "failed", lastAttemptAt: NEXT_WEEK, lastSuccessAt: null });
        expect(state.detail).toMatch(detail);
        expect(state.detail).not.toContain(FRED_KEY);
        for (const route of routes) expect(state.detail).toContain(route);
        expect(fixture.emitted.map(({ kind }) => kind)).toEqual([
          ...routes.map(() => "route_failed" as const),
          "source_failed",
        ]);
        expect(await fixture.lake.version()).toBe(version);
        expect(fixture.committed).toEqual([]);

        fixture.simulator.behave();
        const mended = await fixture.collector.collect(source, "latest");
        expect(mended).toMatchObject({ outcome: "figures", detail: null, lastSuccessAt: NEXT_WEEK });
        expect(await figureInForce(fixture.lake, source, newest, "JPY")).toMatchObject({ revision: 1 });
      });
    }

    test("one route out of order: the next one serves, and the fault is reported", async () => {
      const fixture = await openFixture({ from: await ninetyDays(), fredApiKey: FRED_KEY, at: NEXT_WEEK });
      fixture.simulator.misbehave(hosts[0] as string, broken.html);
      const state = await fixture.collector.collect(source, "latest");
      expect(state).toMatchObject({ outcome: "figures", detail: null });
      expect(fixture.emitted).toMatchObject([
        { kind: "route_failed", route: routes[0], fault: "broken_document" },
        { kind: "collected", route: routes[1] },
      ]);
    });
  });
}

test("an ECB document dated a year ahead is refused as a whole; the service queried by date returns what is known", async () => {
  const fixture = await openFixture({ from: await ninetyDays(), at: NEXT_WEEK });
  for (const host of [ECB_FILES, ECB_SDMX]) fixture.simulator.misbehave(host, { kind: "wrong-date" });
  await fixture.collector.collect("ecb_daily", "latest");
  const detail = expect.stringMatching(/2016-04-20 is later than 2015-04-21/);
  const failed = { kind: "route_failed", route: "daily XML", fault: "broken_document", detail };
  expect(fixture.emitted[0]).toMatchObject(failed as never);
  const { observations } = await fixture.lake.read();
  expect(Math.max(...observations.date)).toBeLessThan(NEXT_WEEK / ONE_DAY);
  expect(await figureInForce(fixture.lake, "ecb_daily", "2015-04-21", "USD")).toBeNull();
});

describe("the lake's own faults", () => {
  test("a lake that cannot be written is a failed state; nothing is reported or remembered, and the next attempt is complete", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: TUESDAY + ONE_DAY });
    let full = true;
    const lake = {
      ...fixture.lake,
      commit: (...given: Parameters<typeof fixture.lake.commit>) =>
        full ? Promise.reject(new Error("ENOSPC: no space left on device")) : fixture.lake.commit(...given),
    };
    const collector = createCollector({ ...fixture, lake });
    const detail = "not recorded: ENOSPC: no space left on device";
    expect(await collector.collect("ecb_daily", "latest")).toMatchObject({ outcome: "failed", detail });
    expect(fixture.emitted).toEqual([
      { kind: "source_failed", source: "ecb_daily", detail, milliseconds: 0 },
    ]);
    full = false;
    expect((await collector.collect("ecb_daily", "latest")).outcome).toBe("figures");
    expect(fixture.simulator.requests().at(-1)?.status).toBe(200);
    expect((await figureInForce(fixture.lake, "ecb_daily", "2015-04-15", "USD"))?.revision).toBe(1);
  });

  test("a dataset that cannot be read back is a failed state, and what was committed is not requested again", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: TUESDAY + ONE_DAY });
    const faults = [new Error("the manifest is missing")];
    const onCommitted = async () => {
      const fault = faults.pop();
      if (fault !== undefined) throw fault;
    };
    const collector = createCollector({ ...fixture, onCommitted });
    const state = await collector.collect("ecb_daily", "latest");
    expect(state).toMatchObject({ outcome: "failed", detail: "not recorded: the manifest is missing" });
    expect((await collector.collect("ecb_daily", "latest")).outcome).toBe("unchanged");
  });
});
