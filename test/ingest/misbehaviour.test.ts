/** Every way an upstream can misbehave: known figures stay, the state has the reason, and the next good answer ends it. Then several routes of one source. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { parseDay } from "#domain/time/day.ts";
import { createCollector } from "#ingest/collect.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import { broken } from "#test/demo/broken-transport.ts";
import type { Misbehaviour } from "#test/support/official/simulator.ts";
import {
  countOf,
  ECB_FILES,
  ECB_SDMX,
  type Fixture,
  FRED_API,
  FRED_FILES,
  FRED_KEY,
  figureInForce,
  ninetyDays,
  ONE_DAY,
  openFixture,
  TUESDAY,
  withFigures,
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

const WEDNESDAY = TUESDAY + ONE_DAY;
const DATE = "2015-04-15";
const DOWN = broken.status(404);
const jump = (factor: number) => ({ kind: "correction", currency: "NOK", date: DATE, factor }) as const;

const nok = (fixture: Fixture, date = DATE) => figureInForce(fixture.lake, "ecb_daily", date, "NOK");
const requestedPaths = (fixture: Fixture, from: number) =>
  fixture.simulator
    .requests()
    .slice(from)
    .map(({ path }) => path);

describe("a figure that moved too far", () => {
  test("is requested from another route in the same collection, for its day alone, and released where that agrees", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: WEDNESDAY });
    for (const host of [ECB_FILES, ECB_SDMX]) fixture.simulator.misbehave(host, jump(1.5));
    const before = fixture.simulator.requests().length;
    const state = await fixture.collector.collect("ecb_daily", "latest");
    expect(state).toMatchObject({ outcome: "figures", detail: null });
    expect((await nok(fixture))?.value).toBeGreaterThan(12);
    expect((await fixture.lake.read()).held).toEqual([]);
    const paths = requestedPaths(fixture, before);
    expect(paths).toHaveLength(2);
    expect(paths[1]).toContain(`startPeriod=${DATE}&endPeriod=${DATE}`);
    expect(fixture.emitted.map(({ kind }) => kind)).toEqual(["figure_held", "collected", "collected"]);
  });

  test("stays held and is reported while no other route answers, and is requested again after a restart", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: WEDNESDAY });
    fixture.simulator.misbehave(ECB_FILES, jump(1.5));
    fixture.simulator.misbehave(ECB_SDMX, DOWN);
    const { detail } = await fixture.collector.collect("ecb_daily", "latest");
    expect(detail).toMatch(
      /^1 figure is held back: implausible_jump; held figures were requested from another route: sdmx: not_found/,
    );
    expect(await nok(fixture)).toBeNull();
    // Repetition by the same file, and by the other files of the same publication, is no evidence.
    fixture.setTime(WEDNESDAY + 3_600_000);
    const next = fixture.restart();
    await next.collector.collect("ecb_daily", "latest");
    await next.collector.collect("ecb_daily", "recent");
    expect(await nok(fixture)).toBeNull();
    fixture.simulator.misbehave(ECB_SDMX, jump(1.5));
    const released = WEDNESDAY + 7_200_000;
    fixture.setTime(released);
    const again = fixture.restart();
    expect(await again.collector.collect("ecb_daily", "latest")).toMatchObject({ detail: null });
    expect((await nok(fixture))?.value).toBeGreaterThan(12);
    const { held, observations } = await fixture.lake.read();
    expect(held).toEqual([]);
    // It is in force from its release: no past state shows it before.
    expect(Math.max(...observations.retrievedAt.slice(0, observations.count))).toBe(released);
  });

  test("an unchanged document is no reason not to request again", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: WEDNESDAY });
    fixture.simulator.misbehave(ECB_FILES, jump(1.5));
    fixture.simulator.misbehave(ECB_SDMX, DOWN);
    await fixture.collector.collect("ecb_daily", "latest");
    fixture.simulator.misbehave(ECB_SDMX, jump(1.5));
    expect((await fixture.collector.collect("ecb_daily", "latest")).outcome).toBe("unchanged");
    expect((await nok(fixture))?.value).toBeGreaterThan(12);
  });

  test("of H.10: the download is confirmed by the API, and never by itself in pieces", async () => {
    const at = TUESDAY + 7 * ONE_DAY;
    const keyless = await openFixture({ from: await ninetyDays(), at });
    keyless.simulator.misbehave(FRED_FILES, { ...jump(1.5), currency: "TWD", date: "2015-04-17" });
    await keyless.collector.collect("fred_daily", "latest");
    await keyless.collector.collect("fred_daily", "latest");
    expect(await figureInForce(keyless.lake, "fred_daily", "2015-04-17", "TWD")).toBeNull();
    expect((await keyless.lake.read()).held).toHaveLength(1);
    const keyed = await openFixture({ from: keyless.directory, fredApiKey: FRED_KEY, at });
    await keyed.collector.collect("fred_daily", "latest");
    expect((await figureInForce(keyed.lake, "fred_daily", "2015-04-17", "TWD"))?.value).toBeLessThan(35);
  });

  test("of a first start: the whole history comes by one file, and the few windows are requested at once", async () => {
    const early = Date.parse("1999-09-14T15:00:00Z");
    const fixture = await openFixture({ at: early });
    const at = (date: string) => ({ ...jump(1.5), date });
    for (const host of [ECB_FILES, ECB_SDMX]) fixture.simulator.misbehave(host, at("1999-03-10"));
    await fixture.collector.collect("ecb_daily", "history");
    const paths = requestedPaths(fixture, 0);
    expect(paths).toHaveLength(3);
    // The end of a first history is compared with the other kind of route.
    expect(paths[1]).toContain("startPeriod=1999-06-16&endPeriod=1999-09-14");
    expect(paths[2]).toContain("startPeriod=1999-03-10&endPeriod=1999-03-10");
    expect((await fixture.lake.read()).held).toEqual([]);
    expect(await countOf(fixture.lake, "ecb_daily")).toBeGreaterThan(2_000);
  });

  test("of many days: four windows are requested in one collection, others in the next, until none is held", async () => {
    const days = ["1999-01-20", "1999-02-24", "1999-03-31", "1999-05-05", "1999-06-09", "1999-07-14"];
    const wrong = new Set(days.map(parseDay));
    const adapt = (adapter: DailyAdapter) =>
      withFigures(adapter, (figures, { name }) =>
        figures.map((figure) =>
          name === "history zip" && figure.quote === "NOK" && wrong.has(figure.date)
            ? { ...figure, printed: (Number(figure.printed) * 1.5).toFixed(4) }
            : figure,
        ),
      );
    const fixture = await openFixture({ at: Date.parse("1999-09-14T15:00:00Z"), adapt });
    const requestedBy = async (reach: "history" | "latest") => {
      const before = fixture.simulator.requests().length;
      await fixture.collector.collect("ecb_daily", reach);
      return requestedPaths(fixture, before).flatMap(
        (path) => days.find((day) => path.includes(`=${day}&`)) ?? [],
      );
    };
    fixture.simulator.misbehave(ECB_SDMX, DOWN);
    const [first, second] = [await requestedBy("history"), await requestedBy("latest")];
    expect([first.length, second.length]).toEqual([4, 4]);
    expect([...new Set([...first, ...second])].sort()).toEqual(days);
    fixture.simulator.behave();
    await requestedBy("latest");
    expect((await fixture.lake.read()).held).toHaveLength(2);
    await requestedBy("latest");
    expect((await fixture.lake.read()).held).toEqual([]);
  });
});

/** An adapter whose documents can lose figures of NOK: those of `lost` days are not in what is read. */
function losing(lost: ReadonlySet<string>) {
  return (adapter: DailyAdapter) =>
    withFigures(adapter, (figures) => {
      const days = new Set([...lost].map(parseDay));
      return figures.filter(({ quote, date }) => quote !== "NOK" || !days.has(date));
    });
}

test("a figure that a document no longer has is withdrawn once the other kind of route lost it too; more than three are kept and reported until the document is whole", async () => {
  const lost = new Set<string>();
  const fixture = await openFixture({ from: await ninetyDays(), adapt: losing(lost) });
  fixture.simulator.misbehave(ECB_SDMX, DOWN);
  await fixture.collector.collect("ecb_daily", "recent");
  lost.add("2015-04-09");
  fixture.setTime(TUESDAY + 3_600_000);
  // Read by a process that just started: the route's statement is in the lake.
  const next = fixture.restart();
  await next.collector.collect("ecb_daily", "recent");
  expect(await nok(fixture, "2015-04-09")).not.toBeNull();
  fixture.simulator.behave();
  await next.collector.collect("ecb_daily", "recent");
  expect(await nok(fixture, "2015-04-09")).toBeNull();
  fixture.simulator.misbehave(ECB_SDMX, DOWN);
  const { superseded } = await fixture.lake.read();
  expect(superseded.at(-1)).toMatchObject({ why: "withdrawn", quote: "NOK", date: parseDay("2015-04-09") });

  for (const date of ["2015-03-10", "2015-03-11", "2015-03-12", "2015-03-13"]) lost.add(date);
  const torn = fixture.restart();
  const { detail } = await torn.collector.collect("ecb_daily", "recent");
  expect(detail).toMatch(
    /90-day XML: https:\S+ lost 4 figures of EUR\/NOK that it had between 2015-\S+ and 2015-04-14: they are kept/,
  );
  expect(torn.emitted).toContainEqual(
    expect.objectContaining({ kind: "route_failed", route: "files/90-day XML", fault: "broken_document" }),
  );
  expect((await torn.collector.collect("ecb_daily", "latest")).detail).toContain("lost 4 figures");
  expect(await nok(fixture, "2015-03-11")).not.toBeNull();
  lost.clear();
  const whole = await torn.collector.collect("ecb_daily", "recent");
  expect(whole.detail).toMatch(/^1 figure is held back: unconfirmed_revision/);
  fixture.simulator.behave();
  expect((await torn.collector.collect("ecb_daily", "latest")).detail).toBeNull();
  expect(await nok(fixture, "2015-04-09")).toMatchObject({ revision: 2 });
});

describe("a figure that comes after its schedule", () => {
  const at = (time: string) => Date.parse(`2015-04-15T${time}Z`);

  async function publishedAt(fixture: Fixture): Promise<number | null> {
    const { observations, publishedAt } = await fixture.lake.read();
    const row = Array.from({ length: observations.count }, (_, index) => index).find(
      (index) =>
        observations.date[index] === parseDay(DATE) && observations.quote[index] === currencyIndex("NOK"),
    ) as number;
    const published = publishedAt[row] as number;
    return Number.isNaN(published) ? null : published;
  }

  test("counts from when it was first seen where this server had looked in between, also before a restart", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: at("13:40:00") });
    await fixture.collector.collect("ecb_daily", "latest");
    fixture.simulator.misbehave(ECB_FILES, { kind: "unchanged" });
    // 16:30 in Frankfurt, half an hour after the schedule.
    fixture.setTime(at("14:30:00"));
    expect((await fixture.collector.collect("ecb_daily", "latest")).outcome).toBe("unchanged");
    fixture.simulator.behave();
    fixture.setTime(at("16:00:00"));
    const next = fixture.restart();
    await next.collector.collect("ecb_daily", "latest");
    expect(await publishedAt(fixture)).toBe(at("16:00:00"));
    // The authority's own instant, stated later, does not change what was served.
    await next.collector.collect("ecb_daily", "recent");
    expect(await publishedAt(fixture)).toBe(at("16:00:00"));
  });

  test("looking costs one commit after each schedule, and changes no version", async () => {
    const fixture = await openFixture({ from: await ninetyDays(), at: at("13:40:00") });
    await fixture.collector.collect("ecb_daily", "latest");
    const { retrievals } = await fixture.lake.read();
    // It counts for the day in the document alone.
    const daily = retrievals.find(({ route }) => route === "files/daily XML");
    expect(daily?.from).toBe(Math.floor(TUESDAY / ONE_DAY));
    const version = await fixture.lake.version();
    fixture.simulator.misbehave(ECB_FILES, { kind: "unchanged" });
    const seen = new Set<string>();
    for (const time of ["13:50:00", "13:58:00", "14:01:00", "14:05:00", "14:30:00"]) {
      fixture.setTime(at(time));
      await fixture.collector.collect("ecb_daily", "latest");
      seen.add(JSON.stringify((await fixture.lake.read()).retrievals));
    }
    expect(seen.size).toBe(2);
    expect(seen.has(JSON.stringify(retrievals))).toBe(true);
    expect(await fixture.lake.version()).toBe(version);
  });
});
