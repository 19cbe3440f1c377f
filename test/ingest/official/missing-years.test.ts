/** A history of a file a year, of which some are missing: the other years are read, and the state names the missing ones. */

import { expect, test } from "bun:test";
import { BY_YEAR, openBench, TABLE } from "./authority.ts";

const { id } = TABLE;
/** A publication in every year from 2020 to 2026 but those that are missing. */
const without = (...missing: readonly number[]) =>
  Object.fromEntries(
    [2020, 2021, 2022, 2023, 2024, 2025, 2026]
      .filter((year) => !missing.includes(year))
      .map((year) => [`${year}-11-19`, { EUR: "24.100" }]),
  );

test.each([
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
    for (const year of missing)
      expect(state.detail).toContain(`not_found: https://authority.example/by year/${year}`);
    // What is missing is requested again by the next history.
    expect((await bench.process().states())[0]?.outcome).toBe("publications");
    bench.authority.published = without();
    const again = await bench.process().collect(id, "history");
    expect(again).toMatchObject({ outcome: "publications", detail: null });
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
