/** A rate that is wrong by ten: held back, reported, never published early, published when a second reading an hour later has the same. */

import { expect, test } from "bun:test";
import { type Bench, DAY, HOUR, openBench, TABLE } from "./authority.ts";

const { id } = TABLE;

async function withSlip(): Promise<Bench> {
  const bench = await openBench({ "2026-11-19": { EUR: "24.100", USD: "20.90" } });
  await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-20"] = { EUR: "2.4200", USD: "20.80" };
  return bench;
}

test("it is held, reported once, and makes no event; its document is read again although it has not changed", async () => {
  const bench = await withSlip();
  const collector = bench.process();
  const state = await collector.collect(id, "recent");
  expect(state).toMatchObject({ outcome: "publications", held: ["2026-11-20"] });
  bench.now += HOUR / 2;
  await collector.collect(id, "recent");
  expect(await bench.newest("2026-11-20")).toBeNull();
  expect(await bench.events()).toHaveLength(1);
  const held = bench.emitted.filter(({ kind }) => kind === "official_held");
  expect(held).toEqual([
    expect.objectContaining({
      publication: "2026-11-20",
      rule: "decimal_slip",
      reason: expect.stringContaining("2.4200"),
    }),
  ]);
  bench.now += HOUR / 2;
  await collector.collect(id, "recent");
  expect(bench.authority.requests.slice(1)).toEqual(["list/ 200", "list/ 200", "list/ 200"]);
  expect(await bench.newest("2026-11-20")).toBe("v1 EUR 2.4200, USD 20.80");
});

test("a restart does not publish it early, and does not restart the hour", async () => {
  const bench = await withSlip();
  await bench.process().collect(id, "recent");
  bench.now += HOUR - 1;
  await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-20")).toBeNull();
  bench.now += 1;
  const state = await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-20")).toBe("v1 EUR 2.4200, USD 20.80");
  expect(state.held).toEqual([]);
  expect(await bench.events()).toEqual([
    `evt_${id}_2026-11-19_v1 official.published`,
    `evt_${id}_2026-11-20_v1 official.published`,
  ]);
  expect(bench.emitted.map(({ kind }) => kind)).toContain("official_released");
});

test("the right figure an hour later is the first version; the slip was never one", async () => {
  const bench = await withSlip();
  await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-20"] = { EUR: "24.200", USD: "20.80" };
  bench.now += HOUR;
  const state = await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-20")).toBe("v1 EUR 24.200, USD 20.80");
  expect(state.held).toEqual([]);
});

test("another slip begins the hour again", async () => {
  const bench = await withSlip();
  await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-20"] = { EUR: "2.4300", USD: "20.80" };
  bench.now += HOUR;
  await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-20")).toBeNull();
});

test("the publication after a held one is compared with the one before both", async () => {
  const bench = await withSlip();
  await bench.process().collect(id, "recent");
  bench.now += DAY / 4;
  bench.authority.published["2026-11-20"] = { EUR: "2.4400", USD: "20.80" };
  bench.now += DAY;
  bench.authority.published["2026-11-21"] = { EUR: "24.300", USD: "20.85" };
  const state = await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-21")).toBe("v1 EUR 24.300, USD 20.85");
  expect(state.held).toEqual(["2026-11-20"]);
});
