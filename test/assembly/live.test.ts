/** The start of the live side: the book is warmed from the archive, and a damaged file there stops nothing and is not made up for. */

import { expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { openLive } from "#assembly/live.ts";
import { readConfig } from "#config.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { columnsOf, ecb } from "#test/domain/history/columns.ts";
import { at, DAY, quote } from "#test/store/archive/sample.ts";
import { partOf } from "#test/store/archive/table-log.ts";
import { flip } from "#test/store/delta/sample.ts";
import { endsWithFile } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

const NOON = at("2026-04-14T12:00:00Z");
const EUR = quote("USD/EUR", "0.87", NOON - 60_000, { feed: "massive" });
const JPY = quote("USD/JPY", "158.20", NOON - DAY, { feed: "massive" });
const OLDER_EUR = { ...EUR, mid: "0.8500", observedAt: NOON - DAY };

/** The ECB's figures of the day before: 0.8696 euros and 158.26 yen a dollar. */
const HISTORY = buildHistory(
  "known",
  columnsOf([ecb("2026-04-13", "USD", "1.1500"), ecb("2026-04-13", "JPY", "182.00")]),
);
const KNOWN: Dataset = { history: HISTORY, coveredThrough: {}, simulated: false };

/** The same dollar on the next day, and yens at another price. */
function nextDay(yens: string): Dataset {
  const figures = (["13", "14"] as const).flatMap((day) => [
    ecb(`2026-04-${day}`, "USD", "1.1500"),
    ecb(`2026-04-${day}`, "JPY", day === "13" ? "182.00" : yens),
  ]);
  return { ...KNOWN, history: buildHistory("newer", columnsOf(figures)) };
}

interface Start {
  readonly damage?: (partOfToday: string) => void;
  readonly kept?: readonly LiveQuote[];
  readonly dataset?: Dataset | null;
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** An archive with quotes of today and yesterday, and the live side as a server opens it. */
async function start({
  damage,
  kept = [],
  dataset = KNOWN,
  dataDir = temporaryDirectory(),
  environment = {},
}: Start) {
  const directory = temporaryDirectory();
  const writer = await openQuoteArchive({ directory, simulated: false, access: "write" });
  await writer.append([EUR, JPY, OLDER_EUR, ...kept]);
  await writer.close();
  const today = partOf(directory, "2026-04-14");
  damage?.(today);
  const emitted: TelemetryEvent[] = [];
  const state = { dataset, at: NOON };
  const clock = { now: () => state.at };
  const emit = (event: TelemetryEvent) => emitted.push(event);
  const { live: settings } = readConfig({
    LIVE_FEED: "massive",
    MASSIVE_API_KEY: "0".repeat(32),
    LIVE_CURRENCIES: "EUR,JPY",
    ...environment,
  });
  const archive = await openQuoteArchive({ directory, simulated: false, access: "read" });
  /** The former collector's last quotes: in its journal, not in the book. */
  const takeOver = async (last: readonly LiveQuote[]) => {
    const former = await openQuoteArchive({ directory, simulated: false, access: "write" });
    await former.append(last);
    await former.close();
    await archive.own();
    await live.refill();
  };
  const live = await openLive({
    ...{ settings, dataDir, archive, clock, emit, redisUrl: null, lake: () => null },
    dataset: () => state.dataset,
    upstream: { clock, base: "http://127.0.0.1:9", userAgent: "test" },
  });
  const served = () =>
    [...live.hotBook.read().quotes.values()].map(({ quote, mid }) => `${quote} ${mid}`).sort();
  return {
    today,
    state,
    emitted,
    live,
    served,
    takeOver,
    close: endsWithFile(async () => {
      await live.close();
      await archive.close();
    }),
  };
}

test("the book begins with the newest quote of each currency", async () => {
  const { emitted, live, served } = await start({});
  expect(served()).toEqual(["EUR 0.87", "JPY 158.20"]);
  expect((await live.recent()).map(({ mid }) => mid)).toEqual(["0.8500", "158.20", "0.87"]);
  expect(emitted).toEqual([]);
});

test.each(["missing", "cut", "changed"])(
  "a file of today that is %s is logged by name, and nothing older is taken for the newest",
  async (how) => {
    let intact = Buffer.alloc(0);
    const { emitted, live, served, today } = await start({
      damage: (path) => {
        intact = readFileSync(path);
        if (how === "missing") rmSync(path);
        if (how === "cut") truncateSync(path, intact.length >> 1);
        if (how === "changed") flip(path);
      },
    });
    expect(served()).toEqual([]);
    expect(await live.recent()).toEqual([]);
    expect(new Set(emitted.map(({ kind }) => kind))).toEqual(new Set(["lake_damaged"]));
    const { detail } = emitted[0] as Extract<TelemetryEvent, { kind: "lake_damaged" }>;
    expect(detail).toContain(today);

    // Restored, it is read again without a restart.
    writeFileSync(`${today}.restored`, intact);
    renameSync(`${today}.restored`, today);
    expect((await live.recent()).length).toBe(3);
  },
);

const yen = (mid: string, observedAt: number) => quote("USD/JPY", mid, observedAt, { feed: "massive" });

test.each([
  ["inverted", "0.00631"],
  ["ten times", "1582.0"],
  ["1.31 times", "207.40"],
])(
  "a quote of the archive that is %s is not served after a start, nor with a delay, and is reported",
  async (_, mid) => {
    const { emitted, live, served } = await start({ kept: [yen(mid, NOON - 30_000)] });
    expect(served()).toEqual(["EUR 0.87"]);
    expect((await live.recent()).map((one) => one.mid)).toEqual(["0.8500", "158.20", "0.87"]);
    expect(emitted).toContainEqual({ kind: "archived_quotes_refused", quotes: [`USD/JPY ${mid}`] });
  },
);

test("without a reference the archive's quotes are not served on their feed's statement alone", async () => {
  const { served } = await start({ dataset: null });
  expect(served()).toEqual([]);
});

test("a reference that the lake has lost counts on until there is a newer one, for two weeks at most", async () => {
  const { live, state } = await start({});
  const before = live.feeds.references().get("JPY");
  expect(before).toBeDefined();
  [state.dataset, state.at] = [null, NOON + 86_400_000];
  expect(live.feeds.references().get("JPY")).toEqual(before);
  state.dataset = nextDay("207.00");
  expect(live.feeds.references().get("JPY")?.perDollar).toBeCloseTo(180, 9);
  state.dataset = null;
  state.at += 14 * 86_400_000;
  expect(live.feeds.references().get("JPY")).toBeUndefined();
});

test("a quote of the archive that is dated ahead of the clock is passed over for the one before it", async () => {
  const { live, served } = await start({
    kept: [yen("158.90", NOON + 200_000), yen("158.95", NOON + 7_200_000)],
  });
  expect(served()).toEqual(["EUR 0.87", "JPY 158.20"]);
  await live.hotBook.publish([yen("158.30", NOON - 1000)]);
  expect(served()).toEqual(["EUR 0.87", "JPY 158.30"]);
});

test("a release holds over a restart, for its feed and price, and ends with the next reference", async () => {
  const dataDir = temporaryDirectory();
  const broken = { kept: [yen("250.00", NOON - 30_000)], dataDir };
  const before = await start(broken);
  expect(before.served()).toEqual(["EUR 0.87"]);
  before.live.operator.release("massive", "JPY", "240");
  expect(before.live.operator.inForce()).toMatchObject([{ feed: "massive", currency: "JPY", price: "240" }]);
  await before.close();

  const after = await start(broken);
  expect(after.served()).toEqual(["EUR 0.87", "JPY 250.00"]);
  await after.close();

  const newer = await start({ ...broken, dataset: nextDay("182.00") });
  expect(newer.served()).toEqual(["EUR 0.87"]);
  expect(newer.live.operator.inForce()).toEqual([]);
});

test("after a takeover the book has the journal's newest quotes, and nothing older instead", async () => {
  const { served, takeOver } = await start({});
  await takeOver([
    { ...EUR, mid: "0.8710", observedAt: NOON - 1000 },
    { ...JPY, mid: "150.00", observedAt: NOON - 2 * DAY },
  ]);
  expect(served()).toEqual(["EUR 0.8710", "JPY 158.20"]);
});

test("a newer reference takes a served quote from subscribers, and only the owner of the journal lists refused ones", async () => {
  const dataDir = temporaryDirectory();
  const { live, state, served, close } = await start({ dataDir });
  let last = "";
  live.hotBook.subscribe(({ quotes }) => {
    last = [...quotes.keys()].join();
  });
  const stop = live.collect();
  [state.dataset, state.at] = [nextDay("280.00"), NOON + 3_600_000];
  await until("they have the quotes that are left", () => last === "EUR");
  expect(served()).toEqual(["EUR 0.87"]);
  stop();
  await close();
  expect(live.operator.refused()).toBeNull();
});

test.each([
  ["300 s", {}, 300],
  ["three polls, where these take longer", { LIVE_POLL_SECONDS: "600" }, 1800],
  ["what the setting says", { LIVE_POLL_SECONDS: "600", LIVE_STALE_SECONDS: "90" }, 90],
])("a quote is stale after %s", async (_, environment, seconds) => {
  const { live } = await start({ environment });
  expect(live.policy.staleAfterSeconds("massive")).toBe(seconds);
  // Of a feed that an earlier configuration had.
  expect(live.policy.staleAfterSeconds("oxr")).toBe(seconds === 90 ? 90 : 300);
});

test("without feeds no currency has a live rate, whatever an earlier configuration left in the book", async () => {
  const { live, served } = await start({ environment: { LIVE_FEED: "off" } });
  expect(served()).toEqual([]);
  expect(live.policy.currencies.size).toBe(0);
});
