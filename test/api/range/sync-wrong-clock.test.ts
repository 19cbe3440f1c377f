/** Copies and pages over a real lake: a copy loses nothing to a clock that is wrong for one collection, a cursor nothing to commits. */

import { describe, expect, test } from "bun:test";
import { createDatasetHolder } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openLake } from "#store/lake/lake.ts";
import { openTestApp, type TestApp } from "#test/api/harness.ts";
import { change, observation } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-04-13T15:00:00Z");

type Rows = Parameters<typeof change>[0];

/** A lake, and servers on it that can be restarted; one clock, which a test sets. */
async function openWorld() {
  let now = START;
  const clock = { now: () => now };
  const directory = temporaryDirectory();
  const caches = new CacheBudget(48_000_000);
  const open = async () => {
    const lake = await openLake({ directory, simulated: false, now: clock.now });
    atEnd(lake.close);
    const holder = createDatasetHolder({ simulated: false, clock, emit: () => {}, recall: lake.at, caches });
    const show = async () => holder.show(await lake.read());
    await show();
    const { dataset, pinned, recall } = holder;
    const app = openTestApp({ clock, dataset, pinned, recall, ...openAllSeriesCaches(caches) });
    return { lake, show, app };
  };
  const collector = await open();
  return {
    ...collector,
    open,
    setTime: (instant: Instant) => {
      now = instant;
    },
    commit: async (rows: Rows) => {
      await collector.lake.commit(() => change(rows));
      await collector.show();
    },
  };
}

interface Row {
  readonly date: string;
  readonly rates: Record<string, number>;
  readonly updated_at: Record<string, string>;
  readonly withdrawn: readonly string[];
}

const PATH = "/v1/range?base=EUR&symbols=USD,JPY&start_date=2026-04-01&end_date=2026-12-31";

/** A client that keeps a copy: by tokens, or by the newest `updated_at` that it has seen. */
function newCopy(by: "token" | "instant", fill: string) {
  const values = new Map<string, number>();
  let since = "1970-01-01T00:00:00Z";
  return {
    values: () => [...values].sort(),
    sync: async (app: TestApp): Promise<number> => {
      const page = await app.get(`${PATH}&fill=${fill}&updated_after=${since}`);
      for (const { date, rates, withdrawn, updated_at } of page.data as Row[]) {
        for (const [code, rate] of Object.entries(rates)) values.set(`${date} ${code}`, rate);
        for (const code of withdrawn) values.delete(`${date} ${code}`);
        const newest = Object.values(updated_at).sort().at(-1) ?? since;
        if (by === "instant" && newest > since) since = newest;
      }
      if (by === "token") since = page.sync_from;
      return page.data.length;
    },
  };
}

async function wholeOf(app: TestApp, fill: string) {
  const { data } = await app.get(`${PATH}&fill=${fill}`);
  return (data as Row[])
    .flatMap(({ date, rates }) =>
      Object.entries(rates).map(([code, rate]) => [`${date} ${code}`, rate] as [string, number]),
    )
    .sort();
}

const figure = (date: string, quote: "USD" | "JPY", printed: string, retrievedAt: Instant, revision = 1) =>
  observation(date, quote, printed, { retrievedAt, revision });

const ERRORS: readonly (readonly [string, number])[] = [
  ["2 hours ahead", 2 * HOUR],
  ["2 hours behind", -2 * HOUR],
];
/** Each error with each way of copying; every second with filled days. */
const CASES = ERRORS.flatMap(([name, error]) =>
  (["token", "instant"] as const).map((by) => ({ name, error, by })),
).map((one, nth) => ({ ...one, fill: nth % 3 === 0 ? "previous" : "none" }));

describe.each(CASES)("a clock $name for one collection, fill=$fill, copies by $by", ({ error, by, fill }) => {
  test("copies that were synchronized before, during and after it equal a full download", async () => {
    const world = await openWorld();
    const { app } = world;
    const [often, seldom] = [newCopy(by, fill), newCopy(by, fill)];
    await world.commit({
      accepted: [
        figure("2026-04-09", "USD", "1.1600", START),
        figure("2026-04-09", "JPY", "186.00", START),
        figure("2026-04-10", "USD", "1.1700", START),
      ],
    });
    for (const copy of [often, seldom]) await copy.sync(app);

    // A correction, a new figure and a withdrawal, collected while the clock is wrong; a client asks meanwhile.
    const wrong = START + HOUR + error;
    world.setTime(wrong);
    const { document, documentSha256 } = figure("2026-04-09", "JPY", "1", wrong);
    await world.commit({
      accepted: [
        figure("2026-04-10", "USD", "1.1711", wrong, 2),
        figure("2026-04-10", "JPY", "187.00", wrong),
      ],
      withdrawn: [
        {
          ...{ source: "ecb_daily", date: 20_552, base: "EUR", quote: "JPY", revision: 1 },
          ...{ document, documentSha256, retrievedAt: wrong, publishedAt: null },
        },
      ],
    });
    await often.sync(app);

    // Right again: more of the same, while clients ask after every commit, or days later, or another process.
    for (const [index, printed] of ["1.1722", "1.1733"].entries()) {
      const right = START + (2 + index) * HOUR;
      world.setTime(right);
      await world.commit({ accepted: [figure("2026-04-10", "USD", printed, right, 3 + index)] });
      await often.sync(app);
      // By an instant, the days that a clock ahead has filled stay until they come.
      if (by === "token" || fill === "none") expect(often.values()).toEqual(await wholeOf(app, fill));
    }
    world.setTime(START + 3 * DAY);
    const other = await world.open();
    for (const copy of [often, seldom]) {
      await copy.sync(other.app);
      const whole = await wholeOf(other.app, fill);
      const last = String(whole.at(-1)?.[0]);
      expect(copy.values().filter(([key]) => by === "token" || String(key) <= last)).toEqual(whole);
    }
    expect(Object.fromEntries(seldom.values())).toMatchObject({ "2026-04-10 USD": 1.1733 });
    if (by === "token" && fill === "none") expect(await seldom.sync(other.app)).toBe(0);
  });
});

test("an instant is refused only where it is later than both now and the newest retrieval", async () => {
  const world = await openWorld();
  const ahead = START + 365 * DAY;
  await world.commit({ accepted: [figure("2026-04-10", "USD", "1.1700", ahead)] });
  const at = (instant: Instant) => `${PATH}&updated_after=${formatInstant(instant)}`;
  for (const instant of [START, START + HOUR, ahead]) await world.app.get(at(instant));
  await world.app.refused(at(ahead + 1), "invalid_request");
  expect((await world.app.get(at(START))).data).toHaveLength(1);
});

test("retrieval times never go back, and two commits never share one", async () => {
  const world = await openWorld();
  const times = async () => [...(await world.lake.read()).observations.retrievedAt].map((at) => at - START);
  await world.commit({ accepted: [figure("2026-04-08", "USD", "1.1600", START + HOUR)] });
  await world.commit({ accepted: [figure("2026-04-09", "USD", "1.1700", START - HOUR)] });
  await world.commit({ accepted: [figure("2026-04-10", "USD", "1.1800", START + HOUR + 1)] });
  await world.commit({ accepted: [figure("2026-04-13", "USD", "1.1900", START + 2 * HOUR)] });
  expect(await times()).toEqual([HOUR, HOUR + 1, HOUR + 2, 2 * HOUR]);
});

test("a figure that was first seen with a clock behind is known from where its retrieval is counted", async () => {
  const world = await openWorld();
  await world.commit({ accepted: [figure("2026-04-08", "USD", "1.1600", START)] });
  const late = { ...figure("2026-04-09", "USD", "1.1700", START - HOUR), publishedAt: START - HOUR };
  await world.commit({ accepted: [late] });
  const { observations, publishedAt } = await world.lake.read();
  expect(publishedAt[1]).toBe(observations.retrievedAt[1] as number);
});

test.each(["none", "previous"])(
  "a copy of versions that a restored lake has lost keeps nothing of them: fill=%s",
  async (fill) => {
    const first = {
      accepted: [
        figure("2026-04-08", "JPY", "170.00", START),
        figure("2026-04-08", "USD", "1.1500", START),
        figure("2026-04-09", "USD", "1.1600", START),
      ],
    };
    const lost = START + 1000;
    for (const later of [null, START + 2000]) {
      const [ahead, restored] = [await openWorld(), await openWorld()];
      for (const world of [ahead, restored]) {
        world.setTime(START + HOUR);
        await world.commit(first);
      }
      await ahead.commit({
        accepted: [
          { ...figure("2026-04-09", "USD", "1.1699", lost), revision: 2 },
          figure("2026-04-10", "USD", "1.1700", lost),
        ],
        withdrawn: [figure("2026-04-08", "JPY", "170.00", lost)],
      });
      const copy = newCopy("token", fill);
      await copy.sync(ahead.app);
      if (later !== null) await restored.commit({ accepted: [figure("2026-04-13", "USD", "1.1711", later)] });
      await copy.sync(restored.app);
      expect(copy.values()).toEqual(await wholeOf(restored.app, fill));
      // The next answer is short again.
      expect(await copy.sync(restored.app)).toBe(0);
    }
  },
);

test("a cursor outlives many commits, and not the retention", async () => {
  const world = await openWorld();
  const days = ["2026-04-07", "2026-04-08", "2026-04-09", "2026-04-10"];
  await world.commit({ accepted: days.map((date) => figure(date, "USD", "1.1000", START)) });
  const page = "/v1/range?base=EUR&symbols=USD&start_date=2026-04-07&end_date=2026-04-10&limit=2";
  const rest = `${page}&cursor=${(await world.app.get(page)).next_cursor}`;
  const before = await world.app.get(rest);
  for (let revision = 2; revision <= 6; revision++) {
    const at = START + revision * HOUR;
    world.setTime(at);
    await world.commit({ accepted: [figure("2026-04-10", "USD", `1.${revision}000`, at, revision)] });
  }
  expect((await world.app.get(rest)).data).toEqual(before.data);
  // A week later the version is gone, and another process has it no more.
  world.setTime(START + 9 * DAY);
  await world.lake.upkeep();
  const other = await world.open();
  expect(await other.app.reason(rest, "invalid_request")).toContain("start again from start_date");
});
