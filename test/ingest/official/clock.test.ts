/** A clock that is wrong during one collection: changes keep the order of their commits, every reader gets each of them, and instants do not go back. */

import { expect, test } from "bun:test";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { officialChanges } from "#official/changes.ts";
import { type Bench, BY_DAY, DAY, HOUR, openBench, TABLE } from "./authority.ts";

const { id } = TABLE;

/** Reads on from a cursor, or else from an instant, page by page. */
async function follow(bench: Bench, since: Instant | null, from: string | null) {
  const { publications, outbox } = bench.ledger;
  const deps = {
    tables: [{ table: TABLE, missing: null }],
    publications,
    outbox,
    held: async () => [],
    lastReadAt: async () => null,
    clock: { now: () => bench.now },
    cursorSecret: "a secret of this test",
    simulated: false,
  };
  const ids: string[] = [];
  const instants: string[] = [];
  for (let cursor = from; ; ) {
    const query = { since, country: null, type: null, limit: 1, cursor };
    const { events, hasMore, resumeCursor } = await officialChanges(deps, query)();
    const changes = events.map((event) => JSON.parse(event));
    ids.push(...changes.map((change) => change.id));
    instants.push(...changes.map((change) => change.created_at));
    cursor = resumeCursor;
    if (!hasMore) return { ids, instants, cursor };
  }
}

/** Collects a publication more: Friday's, then one each day. */
async function publish(bench: Bench, date: string): Promise<string> {
  bench.authority.published[date] = { EUR: `24.${date.slice(-2)}`, USD: "20.90" };
  await bench.process().collect(id, "recent");
  return `evt_${id}_${date}_v1`;
}

test.each([
  ["a year ahead", 365 * DAY],
  ["a year behind", -365 * DAY],
])("%s: readers miss nothing, wherever they began", async (_, wrong) => {
  const bench = await openBench({});
  const first = await publish(bench, "2026-11-18");
  const before = bench.now;
  const readers = [
    await follow(bench, null, null),
    await follow(bench, before, null),
    // One that is ahead of everything: its page is empty, and leads on all the same.
    await follow(bench, before + 3 * 365 * DAY, null),
  ];
  const sinces = [null, before, before + 3 * 365 * DAY];
  const right = before + HOUR;
  bench.now = right + wrong;
  // Valid a day ahead of the clock, where that is behind.
  const window = wrong < -DAY ? "2025-11-19" : "2026-11-19";
  const second = await publish(bench, window);
  bench.now = right + HOUR;
  const third = await publish(bench, "2026-11-20");
  bench.authority.published["2026-11-18"] = { EUR: "24.181", USD: "20.90" };
  await bench.process().collect(id, "recent");
  const fourth = `evt_${id}_2026-11-18_v2`;

  const all = [first, second, third, fourth];
  const whole = await follow(bench, null, null);
  expect(whole.ids).toEqual(all);
  expect(whole.instants).toEqual(whole.instants.toSorted());
  for (const [nth, { cursor }] of readers.entries())
    expect((await follow(bench, sinces[nth] ?? null, cursor)).ids).toEqual(all.slice(1));
  expect((await follow(bench, before, null)).ids).toEqual(all);
  const { publications } = bench.ledger;
  const newest = await publications.find(id, "2026-11-20", null);
  expect(formatInstant(newest?.retrievedAt ?? 0)).toBe(whole.instants[2] ?? "");
});

test("a decimal slip is not believed because of a clock that is a year ahead, nor held for one", async () => {
  const bench = await openBench({});
  await publish(bench, "2026-11-19");
  const right = bench.now;
  bench.authority.published["2026-11-20"] = { EUR: "2.420", USD: "20.90" };
  bench.now = right + 365 * DAY;
  expect((await bench.process().collect(id, "recent")).held).toEqual(["2026-11-20"]);
  bench.now = right;
  await bench.process().collect(id, "recent");
  bench.now = right + HOUR;
  expect((await bench.process().collect(id, "recent")).held).toEqual([]);
});

test("a clock that goes back between two documents of a collection: the later publication is not dated before", async () => {
  const rates = { EUR: "24.100" };
  const bench = await openBench({ "2026-11-19": rates, "2026-11-20": { EUR: "24.200" } }, BY_DAY);
  await bench.process().collect(id, "recent", () => {
    bench.now -= HOUR;
  });
  const at = async (name: string) => (await bench.ledger.publications.find(id, name, 1))?.retrievedAt ?? 0;
  expect(await at("2026-11-20")).toBe(await at("2026-11-19"));
});
