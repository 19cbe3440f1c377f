/** A history of a file a year, of which some are missing: the other years are read, and the state names the missing ones. */

import { expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { windowsAt } from "#ingest/official/collect.ts";
import { readNote } from "#ingest/official/notes.ts";
import { ALONE, type Bench, BY_YEAR, LISTS, openBench, TABLE } from "./authority.ts";

const { id } = TABLE;
/** A publication in every year from 2020 to 2026 but those that are missing. */
const without = (...missing: readonly number[]) =>
  Object.fromEntries(
    [2020, 2021, 2022, 2023, 2024, 2025, 2026]
      .filter((year) => !missing.includes(year))
      .map((year) => [`${year}-11-19`, { EUR: "24.100" }]),
  );

const noteOf = ({ ledger }: Bench) => readNote({ notes: ledger.installation }, id);

test.each([
  ["the first", [2020]],
  ["the first and the last", [2020, 2026]],
  ["all but one", [2020, 2021, 2022, 2023, 2025, 2026]],
] as const)(
  "%s years missing: every other year is stored, and the detail names those that are not",
  async (_, missing) => {
    const published = without(...missing);
    const bench = await openBench(published, BY_YEAR);
    const state = await bench.process().collect(id, "history");
    for (const date of Object.keys(published)) expect(await bench.newest(date)).toBe("v1 EUR 24.100");
    expect(state.outcome).toBe("publications");
    const count = { published: Object.keys(published).length, corrected: 0 };
    expect(bench.emitted.at(-1)).toMatchObject({ kind: "official_collected", ...count });
    expect(await noteOf(bench)).toMatchObject({ rereadAt: null, historyAt: null });
    for (const year of missing)
      expect(state.detail).toContain(`not_found: https://authority.example/by year/${year}`);
    // What is missing is requested again by the next history.
    expect((await bench.process().states())[0]?.outcome).toBe("publications");
    bench.authority.published = without();
    const again = await bench.process().collect(id, "history");
    expect(again).toMatchObject({ outcome: "publications", detail: null });
    expect(await noteOf(bench)).toMatchObject({ rereadAt: bench.now, historyAt: bench.now });
    expect(await bench.newest("2020-11-19")).toBe("v1 EUR 24.100");
  },
);

test("no year there at all is a failure, also where the table began after the oldest window", async () => {
  const bench = await openBench({}, BY_YEAR);
  const state = await bench.process().collect(id, "history");
  expect(state.outcome).toBe("failed");
  expect(state.lastSuccessAt).toBeNull();
});

test("a year that is missing beside one that has nothing in the window is a failure: what was published is not known", async () => {
  // The window of `recent` is the last month of 2025 and the beginning of 2026; of 2026 there is a later day alone.
  const bench = await openBench({ "2026-11-19": { EUR: "24.100" } }, BY_YEAR);
  bench.now = Date.parse("2026-01-10T12:00:00Z");
  bench.authority.published = { "2026-02-19": { EUR: "24.100" } };
  const state = await bench.process().collect(id, "recent");
  expect(state).toMatchObject({ outcome: "failed", lastSuccessAt: null });
  expect(state.detail).toContain("by year/2025 answers 404");
});

test("an authority that is away is left alone after two years: the other years are not requested", async () => {
  const bench = await openBench(without(), BY_YEAR, "http://127.0.0.1:1");
  const state = await bench.process().collect(id, "history");
  expect(state.outcome).toBe("failed");
  expect(bench.emitted.filter(({ kind }) => kind === "official_route_failed")).toHaveLength(2);
});

test("an authority of which one route answers is not away, though what it answers is broken", async () => {
  const bench = await openBench({}, LISTS);
  bench.authority.faults.list = () => new Response("busy", { status: 500 });
  bench.authority.faults.second = () => new Response("<html>maintenance</html>");
  await bench.process().collect(id, "history");
  expect(bench.authority.requests.length).toBeGreaterThan(2 * 30);
});

test("windows before the table began are none of it: the reason is that of the others", async () => {
  const routes: typeof ALONE.routes = (window) =>
    ALONE.routes(window).map((route) => (window.to < 20_000 ? { ...route, requests: [] } : route));
  const bench = await openBench({}, { ...ALONE, routes });
  const state = await bench.process().collect(id, "history");
  expect(state).toMatchObject({ outcome: "empty", detail: "nothing was published" });
});

test("a year that has not changed beside one that is missing is no failure, and the missing one is named", async () => {
  const bench = await openBench({ "2025-12-30": { EUR: "24.1" }, "2026-01-08": { EUR: "24.2" } }, BY_YEAR);
  bench.now = Date.parse("2026-01-10T12:00:00Z");
  const collector = bench.process();
  await collector.collect(id, "recent");
  delete bench.authority.published["2026-01-08"];
  const state = await collector.collect(id, "recent");
  expect(state).toMatchObject({ outcome: "publications", detail: expect.stringContaining("year/2026") });
});

test("of a publication that two routes have, the one of the route that was read whole counts, and the other contradicts it", async () => {
  const routes: typeof LISTS.routes = (window) => [...BY_YEAR.routes(window), ...LISTS.routes(window)];
  const bench = await openBench({ "2026-01-08": { EUR: "24.2" } }, { ...LISTS, routes });
  bench.now = Date.parse("2026-01-10T12:00:00Z");
  bench.authority.faults.list = () => new Response("AUTHORITY\n2026-01-08;EUR,24.3");
  expect((await bench.process().collect(id, "recent")).held).toEqual(["2026-01-08"]);
  const { reason } = (await noteOf(bench)).held["2026-01-08"] ?? {};
  expect(reason).toMatch(/24\.3\b.*years/);
  bench.authority.faults = {};
  await bench.again();
  // What is stored is not contradicted, and keeps nothing else back.
  bench.authority.faults.list = () => new Response("AUTHORITY\n2026-01-08;EUR,24.2\n2026-01-09;EUR,24.4");
  bench.authority.published["2026-01-08"] = { EUR: "24.3" };
  expect((await bench.again()).events).toEqual([`evt_${id}_2026-01-09_v1 official.published`]);
});

test("what was left out of documents is the detail, once", async () => {
  const routes: typeof BY_YEAR.routes = (window) =>
    BY_YEAR.routes(window).map((route) => ({
      ...route,
      parse: (...document) => ({ ...route.parse(...document), note: "left out: XAU" }),
    }));
  const bench = await openBench(
    { "2025-12-30": { EUR: "24.1" }, "2026-01-08": { EUR: "24.2" } },
    { ...BY_YEAR, routes },
  );
  bench.now = Date.parse("2026-01-10T12:00:00Z");
  expect((await bench.process().collect(id, "recent")).detail).toBe("left out: XAU");
});

// Which days are requested: in the table's own zone, bounded, without a gap after a pause.
const DAILY = { zone: "Europe/Prague", cadence: "daily" } as const;
const NOON = "2026-11-20T12:00:00Z";
const NIGHT = "2026-11-20T23:30:00Z";

type Case = Partial<Parameters<typeof windowsAt>[1]> & { readonly at?: string; readonly rereadAt?: string };

test.each<[what: string, reach: Parameters<typeof windowsAt>[2], table: Case, windows: string]>([
  ["today is the day on the authority's wall clock", "latest", { at: NIGHT }, "2026-11-21..2026-11-21"],
  ["also a day behind", "latest", { at: NIGHT, zone: "America/Mexico_City" }, "2026-11-20..2026-11-20"],
  ["of corrections: the last month", "recent", { rereadAt: "2026-11-19" }, "2026-10-21..2026-11-20"],
  ["of slower tables further back", "recent", { cadence: "weekly" }, "2026-09-21..2026-11-20"],
  ["of months", "recent", { cadence: "monthly" }, "2026-08-12..2026-11-20"],
  ["of quarters", "recent", { cadence: "quarterly" }, "2026-05-04..2026-11-20"],
  ["a pause is made good from its beginning", "recent", { rereadAt: "2026-07-01" }, "2026-06-30..2026-11-20"],
  ["a long one for some four hundred days", "recent", { rereadAt: "2020-01-01" }, "2025-10-16..2026-11-20"],
  [
    "a history is requested in groups of its documents' years",
    "history",
    { historyYears: 15 },
    "1990-01-01..2004-12-31 2005-01-01..2019-12-31 2020-01-01..2026-11-20",
  ],
  [
    "a year that is a few days old belongs to the group before",
    "history",
    { at: "2030-01-02T12:00:00Z", historyYears: 20 },
    "1990-01-01..2009-12-31 2010-01-01..2030-01-02",
  ],
])("%s", (_, reach, { at = NOON, rereadAt, ...table }, expected) => {
  const read = rereadAt === undefined ? null : Date.parse(`${rereadAt}T12:00:00Z`);
  const windows = windowsAt(Date.parse(at), { ...DAILY, ...table }, reach, read);
  expect(windows.map(({ from, to }) => `${formatDay(from)}..${formatDay(to)}`).join(" ")).toBe(expected);
});
