/** Collecting official tables: versions, events, corrections, outages; on a real ledger from a real server. */

import { describe, expect, test } from "bun:test";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { CollectionStopped } from "#ingest/official/gather.ts";
import { readNote } from "#ingest/official/notes.ts";
import { type Bench, BY_DAY, DAY, FRIDAY, HOUR, LISTS, openBench, TABLE } from "./authority.ts";

const { id } = TABLE;
const THURSDAY_AND_FRIDAY = {
  "2026-11-19": { EUR: "24.100", USD: "20.90" },
  "2026-11-20": { EUR: "24.200", USD: "20.80" },
};

test("a first version is stored as printed, with where it was read, and makes one event", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  const state = await bench.process().collect(id, "latest");
  expect(state).toMatchObject({ outcome: "publications", lastSuccessAt: FRIDAY, detail: null, held: [] });
  const stored = await bench.ledger.publications.find(id, "2026-11-20", null);
  expect(stored).toMatchObject({ version: 1, sourceUrl: "https://authority.example/list" });
  expect(stored?.rows.map(({ rate }) => rate)).toEqual(["24.200", "20.80"]);
  expect(stored?.documentSha256).toMatch(/^[0-9a-f]{64}$/);
  // The window of latest is today.
  expect(await bench.events()).toEqual([`evt_${id}_2026-11-20_v1 official.published`]);
  const note = () => readNote({ notes: bench.ledger.installation }, id);
  expect(await note()).toMatchObject({ rereadAt: null, historyAt: null });
  await bench.process().collect(id, "recent");
  expect(await note()).toMatchObject({ rereadAt: FRIDAY, historyAt: null });
  expect(await bench.events()).toEqual([
    `evt_${id}_2026-11-20_v1 official.published`,
    `evt_${id}_2026-11-19_v1 official.published`,
  ]);
});

test("what is known already makes nothing, however often it is read", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  for (const reach of ["recent", "recent", "history"] as const)
    expect(await bench.process().collect(id, reach)).toMatchObject({ outcome: "publications", detail: null });
  expect(await bench.events()).toHaveLength(2);
  expect(bench.emitted.map(({ kind }) => kind)).toEqual([
    "official_collected",
    "official_nothing_new",
    "official_nothing_new",
  ]);
});

test("a correction raises the version, preserves the one before, and makes one event", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  const collector = bench.process();
  await collector.collect(id, "recent");
  bench.authority.published["2026-11-19"] = { EUR: "24.110", USD: "20.90" };
  await collector.collect(id, "recent");
  expect(await bench.newest("2026-11-19")).toBe("v2 EUR 24.110, USD 20.90");
  const first = await bench.ledger.publications.find(id, "2026-11-19", 1);
  expect(first?.rows[0]?.rate).toBe("24.100");
  expect(bench.emitted.at(-1)).toMatchObject({ kind: "official_collected", published: 0, corrected: 1 });
  expect((await bench.events()).slice(2)).toEqual([`evt_${id}_2026-11-19_v2 official.corrected`]);
});

test("a history is stored year by year without events for what is older than a month", async () => {
  const published: Record<string, Record<string, string>> = {};
  for (const date of ["2024-06-03", "2025-01-02", "2025-12-30", "2026-02-02", "2026-11-20"])
    published[date] = { EUR: "24.100" };
  const bench = await openBench(published, BY_DAY);
  const steps: string[] = [];
  let pauses = 0;
  const collector = bench.process({ pause: async () => void pauses++ });
  const state = await collector.collect(id, "history", (done, total) => steps.push(`${done}/${total}`));
  expect(state).toMatchObject({ outcome: "publications", detail: null });
  for (const date of Object.keys(published)) expect(await bench.newest(date)).toBe("v1 EUR 24.100");
  expect(await bench.events()).toEqual([`evt_${id}_2026-11-20_v1 official.published`]);
  expect(steps[0]).toBe("1/901");
  expect(steps.at(-1)).toBe("901/901");
  // Between two documents of a year. The last weeks are read without.
  expect(pauses).toBe(901 - 3);
  await collector.collect(id, "recent");
  expect(pauses).toBe(901 - 3);
});

test("a document that is not there for a day means that nothing was published; one that is missing everywhere is a fault", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY, BY_DAY);
  const collector = bench.process();
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "publications", detail: null });
  expect(bench.authority.requests.filter((line) => line.endsWith("404"))).toHaveLength(29);
  expect(bench.emitted.some(({ kind }) => kind === "official_route_failed")).toBe(false);
  bench.authority.published = {};
  const state = await collector.collect(id, "recent");
  expect(state.outcome).toBe("failed");
  expect(state.detail).toContain("not_found");
});

test("a fault of one route is reported and the next one is used", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  bench.authority.faults.list = () => new Response("<html>maintenance</html>");
  const state = await bench.process().collect(id, "recent");
  expect(state).toMatchObject({ outcome: "publications", detail: null });
  expect(await bench.events()).toHaveLength(2);
  expect(bench.emitted).toContainEqual(
    expect.objectContaining({ kind: "official_route_failed", route: "list", fault: "broken_document" }),
  );
});

test("an outage becomes the state, takes nothing away, and is over with the next good answer", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  const collector = bench.process();
  await collector.collect(id, "recent");
  bench.authority.faults.list = () => new Response("busy", { status: 500 });
  bench.authority.faults.second = () => new Response("busy", { status: 500 });
  bench.now += HOUR;
  const down = await collector.collect(id, "recent");
  expect(down).toMatchObject({ outcome: "failed", lastAttemptAt: FRIDAY + HOUR, lastSuccessAt: FRIDAY });
  expect(down.detail).toContain("500");
  expect(await bench.newest("2026-11-20")).toBe("v1 EUR 24.200, USD 20.80");
  bench.authority.faults = {};
  bench.now += HOUR;
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "publications", detail: null });
  // Also for a query from another process.
  expect(await bench.process().states()).toMatchObject([{ table: id, lastSuccessAt: FRIDAY + 2 * HOUR }]);
  // An earlier program noted less.
  await bench.ledger.installation.write(`official:${id}`, '{"outcome":"empty"}');
  expect(await bench.process().states()).toMatchObject([{ outcome: "empty", lastSuccessAt: null, held: [] }]);
});

test("an answer without publications is empty, not failed, also when it has not changed", async () => {
  const bench = await openBench({ "2026-11-19": { EUR: "24.1" } });
  const empty = { outcome: "empty", lastSuccessAt: FRIDAY };
  const collector = bench.process();
  const detail = "nothing was published";
  expect(await collector.collect(id, "latest")).toMatchObject({ ...empty, detail });
  expect(await collector.collect(id, "latest")).toMatchObject({ ...empty, detail: null });
});

test("a document is requested conditionally only once its content is durable", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  let isOut = true;
  const outbox = {
    publish: async (...what: Parameters<typeof bench.ledger.outbox.publish>) => {
      if (isOut) throw new LedgerUnavailable("the disk is full");
      return await bench.ledger.outbox.publish(...what);
    },
  };
  const collector = bench.process({ outbox });
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "failed" });
  isOut = false;
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "publications" });
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "publications", detail: null });
  expect(bench.authority.requests).toEqual(["list/ 200", "list/ 200", "list/ 304"]);
});

test("a crash between publishing and remembering publishes nothing twice", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  const outbox = {
    publish: async (...what: Parameters<typeof bench.ledger.outbox.publish>) => {
      await bench.ledger.outbox.publish(...what);
      throw new LedgerUnavailable("the answer was lost");
    },
  };
  expect(await bench.process({ outbox }).collect(id, "recent")).toMatchObject({ outcome: "failed" });
  expect(await bench.events()).toHaveLength(2);
  expect(await bench.process().collect(id, "recent")).toMatchObject({ outcome: "publications" });
  expect(await bench.events()).toHaveLength(2);
});

test("what a ledger has lost is published again although no document has changed: one that was set back, or a server that lost its last commits", async () => {
  const thursday = { "2026-11-19": { EUR: "24.100" } };
  const [bench, backup] = [await openBench(thursday), await openBench(thursday)];
  await backup.process().collect(id, "recent");
  let [{ ledger }, loses] = [bench, false];
  const collector = bench.process({
    publications: new Proxy(ledger.publications, {
      get: (_, name) => Reflect.get(ledger.publications, name),
    }),
    outbox: {
      publish: async (...what) =>
        loses ? what[0].map(({ version }) => version) : await ledger.outbox.publish(...what),
    },
    notes: {
      read: (name) => ledger.installation.read(name),
      write: async (...what) => {
        if (loses) throw new LedgerUnavailable("it was killed");
        await ledger.installation.write(...what);
      },
    },
  });
  await collector.collect(id, "recent");
  bench.authority.published["2026-11-20"] = { EUR: "24.200" };
  bench.now += HOUR;
  await collector.collect(id, "recent");
  expect(await bench.events()).toHaveLength(2);
  ({ ledger } = backup);
  await collector.collect(id, "recent");
  expect(await backup.events()).toEqual(await bench.events());
  bench.authority.published["2026-11-18"] = { EUR: "24.000" };
  loses = true;
  expect(await collector.collect(id, "recent")).toMatchObject({ outcome: "failed" });
  loses = false;
  await collector.collect(id, "recent");
  expect(await backup.newest("2026-11-18")).toBe("v1 EUR 24.000");
});

test("a process that no longer leads writes nothing", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  const publish = () => Promise.reject(new CollectionStopped());
  const stopped = () => bench.process({ outbox: { publish } }).collect(id, "recent");
  expect((await stopped()).outcome).toBe("never");
  expect(await bench.events()).toEqual([]);
  const state = await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-18"] = { EUR: "24.000" };
  expect(await stopped()).toEqual(state);
});

test("a process that is closing requests no further document, and publishes none of those it has", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY, BY_DAY);
  const closing = new AbortController();
  const collector = bench.process({ closing: closing.signal });
  await collector.collect(id, "recent", (done) => {
    if (done === 3) closing.abort(new CollectionStopped());
  });
  expect(bench.authority.requests.length).toBeLessThan(5);
  const late = new AbortController();
  await bench.process({ closing: late.signal }).collect(id, "recent", (done, total) => {
    if (done === total) late.abort(new CollectionStopped());
  });
  expect(await bench.events()).toEqual([]);
});

test("after a pause longer than the recent window everything since is read again", async () => {
  const bench = await openBench(THURSDAY_AND_FRIDAY);
  await bench.process().collect(id, "recent");
  bench.now += 60 * DAY;
  const { published } = bench.authority;
  published["2026-11-30"] = { EUR: "24.300", USD: "20.70" };
  published["2027-01-15"] = { EUR: "24.400", USD: "20.60" };
  await bench.process().collect(id, "recent");
  expect(await bench.newest("2026-11-30")).toBe("v1 EUR 24.300, USD 20.70");
});

test("an error of the program is thrown, is in the state, and takes nothing else from it", async () => {
  const bench = await withHeldSlip();
  const routes = () => {
    throw new TypeError("a mistake");
  };
  const collector = bench.process({ tables: [{ ...LISTS, routes }] });
  await expect(collector.collect(id, "recent")).rejects.toThrow("a mistake");
  const kept = { lastSuccessAt: FRIDAY, held: ["2026-11-20"] };
  expect(await collector.states()).toMatchObject([{ outcome: "failed", detail: "internal error", ...kept }]);
});

async function withSlip(): Promise<Bench> {
  const bench = await openBench({ "2026-11-19": { EUR: "24.100", USD: "20.90" } });
  await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-20"] = { EUR: "2.4200", USD: "20.80" };
  return bench;
}

/** The slip has been read, and is held. */
async function withHeldSlip(): Promise<Bench> {
  const bench = await withSlip();
  await bench.process().collect(id, "recent");
  return bench;
}

describe("a rate that is wrong by ten", () => {
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
    const bench = await withHeldSlip();
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

  test("it is held where the one before is of the same document, or of an earlier one", async () => {
    const slip = { "2026-11-19": { EUR: "24.100" }, "2026-11-20": { EUR: "2.4200" } };
    const bench = await openBench(slip);
    expect((await bench.process().collect(id, "recent")).held).toEqual(["2026-11-20"]);
    // A publication of days ago, first read with it, is not the one before.
    bench.authority.published = { "2026-11-10": { EUR: "2.4100" }, "2026-11-20": { EUR: "2.4200" } };
    expect((await bench.process().collect(id, "recent")).held).toEqual(["2026-11-20"]);
    expect(await bench.newest("2026-11-10")).toBe("v1 EUR 2.4100");
  });

  test.each([
    [
      "the right figure an hour later is the first version; the slip was never one",
      "24.200",
      "v1 EUR 24.200, USD 20.80",
    ],
    ["another slip begins the hour again", "2.4300", null],
  ])("%s", async (_, EUR, newest) => {
    const bench = await withHeldSlip();
    bench.authority.published["2026-11-20"] = { EUR, USD: "20.80" };
    expect((await bench.again()).held).toEqual(newest === null ? ["2026-11-20"] : []);
    expect(await bench.newest("2026-11-20")).toBe(newest);
  });

  test("the publication after a held one is compared with the one before both", async () => {
    const bench = await withHeldSlip();
    bench.authority.published["2026-11-20"] = { EUR: "2.4400", USD: "20.80" };
    bench.now += DAY + DAY / 4;
    bench.authority.published["2026-11-21"] = { EUR: "24.300", USD: "20.85" };
    const state = await bench.process().collect(id, "recent");
    expect(await bench.newest("2026-11-21")).toBe("v1 EUR 24.300, USD 20.85");
    expect(state.held).toEqual(["2026-11-20"]);
  });
});
