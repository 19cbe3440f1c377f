/** Documents that are wrong about what is stored: shifted, exchanged, repeated, old, contradicted. They are held whole, make no event, and wait for an operator. */

import { describe, expect, test } from "bun:test";
import type { HeldDecision } from "#domain/official/doubts.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import { noteDecisions, readNote } from "#ingest/official/notes.ts";
import {
  ALONE,
  type Bench,
  BY_DAY,
  BY_YEAR,
  DAY,
  HOUR,
  LISTS,
  openBench,
  type Published,
  TABLE,
} from "./authority.ts";

const { id } = TABLE;

/** Ten working days up to Friday, every rate a different one. */
const DAYS = ["09", "10", "11", "12", "13", "16", "17", "18", "19", "20"].map((date) => `2026-11-${date}`);
const PUBLISHED: Published = Object.fromEntries(
  DAYS.map((date, nth) => [date, { EUR: `24.1${nth}0`, USD: `20.9${nth}`, GBP: `27.5${nth}1` }]),
);

async function collected(published: Published = PUBLISHED, adapter?: typeof BY_DAY): Promise<Bench> {
  const bench = await openBench(published, adapter);
  await bench.process().collect(id, "recent");
  return bench;
}

const read = (bench: Bench) => bench.again();

/** The same after the weekend, of what is published then. */
function onMonday(bench: Bench, published: Published) {
  bench.now += 3 * DAY;
  bench.authority.published = published;
  return read(bench);
}

async function decide(bench: Bench, verdict: HeldDecision["verdict"], publications?: readonly string[]) {
  const { held } = await readNote({ notes: bench.ledger.installation }, id);
  const readings = Object.entries(held)
    .filter(([publication]) => publications?.includes(publication) ?? true)
    .map(([publication, { fingerprint }]) => ({ publication, fingerprint }));
  await noteDecisions({ notes: bench.ledger.installation }, id, readings, verdict);
}

const shifted = (by: -1 | 1): Published =>
  Object.fromEntries(DAYS.map((date, nth) => [date, PUBLISHED[DAYS[nth + by] ?? ""] ?? { EUR: "24.222" }]));
/** Everything as it was published, but for the euro of these days. */
const corrected = (dates: readonly string[]): Published => ({
  ...PUBLISHED,
  ...Object.fromEntries(dates.map((date) => [date, { ...PUBLISHED[date], EUR: "24.111" }])),
});
const FRIDAYS = "v1 EUR 24.190, GBP 27.591, USD 20.99";
const MONDAY = { "2026-11-23": { EUR: "24.300", USD: "20.99", GBP: "27.600" } };

const exchanged = Object.entries(PUBLISHED).map(([date, { EUR = "", USD = "", ...rest }]) => {
  return [date, { ...rest, EUR: USD, USD: EUR }] as const;
});
const neighboured = (neighbour: string) => ({ ...PUBLISHED, "2026-11-19": PUBLISHED[neighbour] ?? {} });

test.each<[string, Published, readonly string[], string]>([
  ["shifted by a day", { ...shifted(1), ...MONDAY }, [...DAYS, "2026-11-23"], "many_corrections"],
  ["shifted by a day back", { ...shifted(-1), ...MONDAY }, [...DAYS, "2026-11-23"], "many_corrections"],
  ["with two currencies exchanged on every day", Object.fromEntries(exchanged), DAYS, "many_corrections"],
  ["with a fourth correction", corrected(DAYS.slice(-4)), DAYS.slice(-4), "many_corrections"],
  ["with one day that has the rates of the day before", neighboured("2026-11-18"), ["2026-11-19"], "shifted"],
  ["with one day that has the rates of the day after", neighboured("2026-11-20"), ["2026-11-19"], "shifted"],
])("a document %s is held, with what it has of today", async (_, published, held, rule) => {
  const bench = await collected();
  expect(await onMonday(bench, published)).toEqual({ held, rules: [rule], events: [] });
  expect(await bench.newest("2026-11-20")).toBe(FRIDAYS);
});

test.each([
  ["the one before", 32],
  ["one of weeks ago", 12],
])(
  "a new publication with all rates of %s is held, however often it is read, until the authority has its own",
  async (_, last) => {
    const rates = (decimals: number) =>
      Object.fromEntries(
        ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "HUF", "PLN", "RON"].map((code, at) => [
          code,
          `1${at}.${decimals}`,
        ]),
      );
    const dates = Array.from({ length: 22 }, (_, nth) =>
      formatDay((parseDay("2026-11-20") as number) - 21 + nth),
    );
    const bench = await collected(Object.fromEntries(dates.map((date, nth) => [date, rates(11 + nth)])));
    bench.now += 3 * DAY;
    bench.authority.published["2026-11-23"] = rates(last);
    for (const _reading of [1, 2])
      expect(await read(bench)).toEqual({ held: ["2026-11-23"], rules: ["repeated"], events: [] });
    bench.authority.published["2026-11-23"] = { ...rates(last), EUR: "10.33" };
    const events = ["evt_tst_daily_2026-11-23_v1 official.published"];
    expect(await read(bench)).toEqual({ held: [], rules: [], events });
  },
);

describe("a new publication of a long table", () => {
  const CODES = ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "HUF", "PLN", "RON", "JPY", "CAD"];
  /** `moved`: by how much, of the code's place. */
  const table = (moved: (at: number) => number) =>
    Object.fromEntries(CODES.map((code, at) => [code, ((10 + at) * moved(at)).toFixed(4)]));

  test.each([
    ["of another year", table((at) => 1 + 0.05 * ((at % 5) - 2))],
    ["without its decimal points", table(() => 10_000)],
    ["cut off", Object.fromEntries(Object.entries(table(() => 1.001)).slice(0, 7))],
    ["another one", Object.fromEntries(CODES.map((_, at) => [`X${CODES[at]?.slice(1)}`, "2.5"]))],
  ])("that is %s is held, however often it is read, until the authority has its own", async (_, wrong) => {
    const bench = await collected({ "2026-11-20": table(() => 1) });
    bench.now += 3 * DAY;
    bench.authority.published["2026-11-23"] = wrong;
    for (const _reading of [1, 2])
      expect(await read(bench)).toMatchObject({ held: ["2026-11-23"], events: [] });
    bench.authority.published["2026-11-23"] = table((at) => 1 + 0.002 * at);
    const events = ["evt_tst_daily_2026-11-23_v1 official.published"];
    expect(await read(bench)).toEqual({ held: [], rules: [], events });
  });

  test("that is held is forgotten once a whole reading lacks it", async () => {
    const bench = await collected({ "2026-11-20": table(() => 1) });
    const wrong = { "2026-11-22": table((at) => 1 + 0.05 * ((at % 5) - 2)) };
    expect(await onMonday(bench, { ...bench.authority.published, ...wrong })).toMatchObject({
      held: ["2026-11-22"],
    });
    bench.authority.published = { "2026-11-20": table(() => 1) };
    expect((await bench.process().collect(id, "latest")).held).toEqual(["2026-11-22"]);
    bench.authority.published = {};
    expect((await read(bench)).held).toEqual(["2026-11-22"]);
    bench.authority.published = { "2026-11-20": table(() => 1) };
    expect(await read(bench)).toEqual({ held: [], rules: [], events: [] });
  });

  test("that is held stays so while whole readings are of other days", async () => {
    const bench = await collected({ "2026-11-20": table(() => 1) });
    bench.authority.published["2026-11-22"] = table((at) => 1 + 0.05 * ((at % 5) - 2));
    for (const days of [3, 25, 25]) {
      bench.now += days * DAY;
      bench.authority.published["2027-01-10"] = table(() => 1.001);
      expect((await read(bench)).held).toEqual(["2026-11-22"]);
    }
    expect(await bench.newest("2027-01-10")).not.toBeNull();
  });

  test("that is held stays so while its document is missing", async () => {
    const bench = await openBench({ "2025-12-29": table(() => 1) }, BY_YEAR);
    bench.now = Date.parse("2026-01-10T12:00:00Z");
    await read(bench);
    bench.authority.published["2025-12-30"] = table((at) => 1 + 0.05 * ((at % 5) - 2));
    expect((await read(bench)).held).toEqual(["2025-12-30"]);
    bench.authority.published = { "2026-01-08": table((at) => 1 + 0.002 * at) };
    expect((await read(bench)).held).toEqual(["2025-12-30"]);
  });

  test("is published where the authority's currency has moved against all others", async () => {
    const bench = await collected({ "2026-11-20": table(() => 1) });
    expect(await onMonday(bench, { "2026-11-23": table((at) => 1.3 + 0.002 * at) })).toMatchObject({
      held: [],
      events: ["evt_tst_daily_2026-11-23_v1 official.published"],
    });
  });
});

test.each(["a correction", "a new publication"])(
  "%s with two currencies exchanged is held, however often it is read",
  async (what) => {
    const bench = await collected();
    const date = what === "a correction" ? "2026-11-12" : "2026-11-23";
    bench.now += 3 * DAY;
    bench.authority.published[date] = { EUR: "20.98", USD: "24.18", GBP: "27.581" };
    expect(await read(bench)).toEqual({ held: [date], rules: ["exchanged"], events: [] });
    expect(await read(bench)).toEqual({ held: [date], rules: ["exchanged"], events: [] });
    bench.authority.published[date] = { EUR: "24.18", USD: "20.97", GBP: "27.581" };
    const { held, events } = await read(bench);
    expect([held, events.length]).toEqual([[], 1]);
  },
);

test("what corrects an exchange that was published is believed", async () => {
  const bench = await openBench({ "2026-11-19": { EUR: "20.98", USD: "24.18" } });
  await bench.process().collect(id, "recent");
  bench.authority.published["2026-11-19"] = { EUR: "24.18", USD: "20.98" };
  expect((await read(bench)).events).toEqual([`evt_${id}_2026-11-19_v2 official.corrected`]);
});

test("an old copy after a correction makes no version, nor does an edge that alternates", async () => {
  const bench = await collected();
  const right = { EUR: "24.195", USD: "20.99", GBP: "27.591" };
  const wrong = PUBLISHED["2026-11-20"] ?? {};
  bench.authority.published["2026-11-20"] = right;
  expect((await read(bench)).events).toEqual([`evt_${id}_2026-11-20_v2 official.corrected`]);
  for (let nth = 0; nth < 4; nth++) {
    bench.authority.published["2026-11-20"] = wrong;
    expect(await read(bench)).toEqual({ held: ["2026-11-20"], rules: ["old_copy"], events: [] });
    bench.authority.published["2026-11-20"] = right;
    expect(await read(bench)).toEqual({ held: [], rules: [], events: [] });
  }
  expect(await bench.newest("2026-11-20")).toStartWith("v2 EUR 24.195");
});

test("an old copy is held whole: its other changes and its new publications too", async () => {
  const bench = await collected();
  bench.authority.published["2026-11-20"] = { EUR: "24.195", USD: "20.99", GBP: "27.591" };
  await read(bench);
  const changed = { "2026-11-18": { EUR: "24.171", USD: "20.97", GBP: "27.571" } };
  const held = ["2026-11-18", "2026-11-20", "2026-11-23"];
  const found = await onMonday(bench, { ...PUBLISHED, ...changed, ...MONDAY });
  expect(found).toEqual({ held, rules: ["old_copy"], events: [] });
});

test.each([1, 2, 3])("%d corrections at once are published, as single ones are", async (count) => {
  const bench = await collected();
  bench.authority.published = corrected(DAYS.slice(-count));
  const events = DAYS.slice(-count).map((date) => `evt_${id}_${date}_v2 official.corrected`);
  expect(await read(bench)).toMatchObject({ held: [], events });
});

test.each([
  ["another route", LISTS, "second"],
  ["the newest list, where there is a document a day,", BY_DAY, "list"],
] as const)(
  "a correction that %s contradicts is held until both say the same, also while that route is silent",
  async (_, table, route) => {
    const bench = await collected(PUBLISHED, table);
    const stale = "AUTHORITY\n2026-11-20;EUR,24.190|USD,20.99|GBP,27.591";
    bench.authority.faults[route] = () => new Response(stale);
    bench.authority.published = corrected(["2026-11-20"]);
    const contradicted = { held: ["2026-11-20"], rules: ["contradicted"], events: [] };
    expect(await read(bench)).toEqual(contradicted);
    bench.authority.faults[route] = () => new Response("no", { status: 500 });
    for (const _reading of [1, 2]) expect(await read(bench)).toEqual(contradicted);
    bench.authority.faults = {};
    expect((await read(bench)).events).toEqual([`evt_${id}_2026-11-20_v2 official.corrected`]);
  },
);

describe("a correction that no other route states", () => {
  const wrong = corrected(DAYS.slice(-3));
  const waiting = { held: DAYS.slice(-3), rules: ["unconfirmed"] };

  const part = "a second route that has a part of it";
  test.each(["a table with one route", "a second route that is silent", part])(
    "is published when it is read again, an hour later, also by another process: %s",
    async (where) => {
      const bench = await collected(PUBLISHED, where === "a table with one route" ? ALONE : undefined);
      const lines = waiting.held.map((date) => `${date};USD,${PUBLISHED[date]?.["USD"]}`);
      bench.authority.faults.second = () =>
        where === part
          ? new Response(["AUTHORITY", ...lines].join("\n"))
          : new Response("no", { status: 500 });
      expect(await onMonday(bench, { ...wrong, ...MONDAY })).toEqual({
        ...waiting,
        // What is new is not delayed.
        events: [`evt_${id}_2026-11-23_v1 official.published`],
      });
      bench.now += HOUR - 1;
      expect((await bench.process().collect(id, "recent")).held).toEqual(waiting.held);
      bench.now += 1 - HOUR;
      const corrections = waiting.held.map((date) => `evt_${id}_${date}_v2 official.corrected`);
      expect(await read(bench)).toEqual({ held: [], rules: [], events: corrections });
    },
  );

  test("is looked for in the whole history where a history has shown it", async () => {
    const bench = await openBench({ "2026-01-19": { EUR: "24.100" } }, { ...ALONE, historyAtStart: true });
    await bench.again("history");
    bench.authority.published["2026-01-19"] = { EUR: "24.110" };
    expect((await bench.again("history")).held).toEqual(["2026-01-19"]);
    const events = [`evt_${id}_2026-01-19_v2 official.corrected`];
    expect(await bench.again()).toEqual({ held: [], rules: [], events });
  });

  test("was never one where the next answer has what is stored, as often as that happens", async () => {
    const bench = await openBench(PUBLISHED, ALONE);
    // One process: it asks whether a document has changed.
    const collector = bench.process();
    await collector.collect(id, "recent");
    for (const _day of [1, 2]) {
      bench.now += HOUR;
      bench.authority.published = wrong;
      expect((await collector.collect(id, "recent")).held).toEqual(waiting.held);
      bench.now += HOUR;
      bench.authority.published = PUBLISHED;
      expect((await collector.collect(id, "recent")).held).toEqual([]);
    }
    expect(await bench.newest("2026-11-20")).toBe(FRIDAYS);
    expect(await bench.events()).toHaveLength(DAYS.length);
  });
});

test("of documents by day those that correct are held, and today's is published", async () => {
  const bench = await collected(PUBLISHED, BY_DAY);
  const { held, events } = await onMonday(bench, { ...shifted(-1), ...MONDAY });
  expect([held, events]).toEqual([DAYS, [`evt_${id}_2026-11-23_v1 official.published`]]);
});

test("a reading of less of a document that is held releases nothing of it", async () => {
  const bench = await collected();
  for (const wrong of [shifted(-1), corrected(DAYS)]) {
    const { held } = await onMonday(bench, { ...wrong, ...MONDAY });
    expect(held).toHaveLength(DAYS.length + 1);
    bench.authority.published = { "2026-11-20": wrong["2026-11-20"] ?? {}, ...MONDAY };
    expect(await read(bench)).toMatchObject({ held, events: [] });
  }
});

test("the right document afterwards releases today's publication, and corrects nothing", async () => {
  const bench = await collected();
  await onMonday(bench, { ...shifted(-1), ...MONDAY });
  bench.authority.published = { ...PUBLISHED, ...MONDAY };
  const events = [`evt_${id}_2026-11-23_v1 official.published`];
  expect(await read(bench)).toEqual({ held: [], rules: [], events });
});

test("what an operator releases is recorded by the next collection, if the authority still says the same", async () => {
  const bench = await collected();
  bench.authority.published = corrected(DAYS);
  await read(bench);
  for (const half of [DAYS.slice(0, 5), DAYS.slice(5)]) await decide(bench, "release", half);
  bench.authority.published["2026-11-09"] = { EUR: "24.112" };
  const { held, events } = await read(bench);
  expect(held).toEqual(["2026-11-09"]);
  expect(events).toEqual(DAYS.slice(1).map((date) => `evt_${id}_${date}_v2 official.corrected`));
});

test("what an operator discards is neither recorded nor held again; what it does not concern is", async () => {
  const bench = await collected();
  bench.authority.published = corrected(DAYS.slice(0, 5));
  await read(bench);
  await decide(bench, "discard");
  expect(await read(bench)).toEqual({ held: [], rules: [], events: [] });
  // The document is as wrong as before: what is new in it is not believed.
  bench.now += 3 * DAY;
  Object.assign(bench.authority.published, MONDAY);
  expect(await read(bench)).toMatchObject({ held: ["2026-11-23"], events: [] });
  await decide(bench, "release", ["2026-11-23"]);
  expect((await read(bench)).events).toEqual([`evt_${id}_2026-11-23_v1 official.published`]);
});

test("an old copy that an operator discards holds nothing else up", async () => {
  const bench = await collected();
  bench.authority.published["2026-11-20"] = { EUR: "24.195", USD: "20.99", GBP: "27.591" };
  await read(bench);
  bench.authority.published = { ...PUBLISHED };
  expect((await read(bench)).held).toEqual(["2026-11-20"]);
  await decide(bench, "discard");
  bench.now += 3 * DAY;
  Object.assign(bench.authority.published, MONDAY);
  expect((await read(bench)).events).toEqual([`evt_${id}_2026-11-23_v1 official.published`]);
});
