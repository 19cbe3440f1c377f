/** The status page: green only where nothing is at fault, missing or held; what is recorded of 90 days; long reasons and old incidents folded. */

import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { NOTHING_UNSETTLED, type Unsettled } from "#domain/acceptance/unsettled.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import type { OfficialTableStatus } from "#domain/official/publication.ts";
import { type Day, dayAt, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import { NOTHING_LIVE, NOW, openTestApp, type TestChanges } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { textOf } from "#test/web/dashboard/dashboard-server.ts";
import { heldFigure } from "#test/web/furnished.ts";
import { NinetyDays } from "#web/status/record.tsx";

const CURRENT: OfficialTableStatus = {
  ...{ table: "mex_fix", outcome: "publications", detail: null, held: [] },
  ...{
    lastAttemptAt: 1,
    lastSuccessAt: 1,
    newest: { publication: "2026-04-10", validFrom: 20_553 as never },
  },
};

async function shown(changes: TestChanges = {}) {
  const app = openTestApp(changes);
  const { html } = await app.page("/status/page");
  const { status } = await (await app.visit("/status")).json();
  return { app, html, text: textOf(html), status, verdict: /class="verdict (\w+)"/.exec(html)?.[1] };
}

test("is green with every table current, and not while one fails, waits or holds something back, as ready as /status is", async () => {
  const official = (change: Partial<OfficialTableStatus>) => ({
    officialStatus: async () => [{ ...CURRENT, ...change }],
  });
  const verdicts = [];
  for (const change of [{}, { outcome: "failed" }, { newest: null }, { held: ["2026-04-13"] }] as const) {
    const { status, verdict } = await shown(official(change));
    verdicts.push([status, verdict]);
  }
  expect(verdicts).toEqual([
    ["ready", "ready"],
    ["ready", "degraded"],
    ["ready", "degraded"],
    ["ready", "degraded"],
  ]);
});

test("does not call rates served while there is no latest rate", async () => {
  expect((await shown()).text).not.toContain("No current rates");
  const old = await shown({ world: datasetOf([ecb("2026-01-05", "USD", "1.1")]) });
  expect(old.text).toContain("No current rates No latest");
});

test("says what is refused: all rates, what needs accounts, or nothing yet", async () => {
  const failing = async () => Promise.reject(new Error("SQLITE_FULL: database or disk is full"));
  const accounts = {
    kind: "sqlite",
    probe: failing,
    limits: () => ({ status: "ok", kind: "memory", detail: null }),
  };
  const ending = { role: "all", collecting: true, stopping: true } as const;
  for (const [changes, title] of [
    [{ probeLake: failing }, "Unable to serve rates"],
    [{ accounts: accounts as never }, "Working, without accounts Rates are served."],
    [{ process: () => ending }, "Ending This server was asked to end."],
  ] as const) {
    const { text, status } = await shown(changes);
    expect([status, text]).toEqual(["unready", expect.stringContaining(title)]);
  }
});

test("names what is wrong with each part: rates, feeds, stores, and figures that are held", async () => {
  const figure = (date: string) => ({
    ...heldFigure("NOK", "114.0815", "implausible_jump", "jumps"),
    date: parseDay(date) as Day,
  });
  const ecb_daily: Unsettled = {
    ...NOTHING_UNSETTLED,
    ...{ heldCount: 300, held: [figure("2026-04-13"), figure("2026-04-10")] },
    contradictions: { source: "ecb_daily", count: 3, since: NOW - 3_600_000, example: "sdmx states 11.9" },
    behind: [
      { code: "ISK", lastDate: parseDay("2026-04-10") as Day, isSuspended: false, days: 1 },
      { code: "TRY", lastDate: parseDay("2026-03-02") as Day, isSuspended: true, days: 29 },
    ],
  };
  const times = { lastAttemptAt: NOW, lastSuccessAt: NOW - 7_200_000, pausedUntil: null };
  const quote = quoteOfPair("USD/EUR", "0.8560", NOW - 150_000, { feed: "coinbase" });
  const book = { ...EMPTY_BOOK, quotes: new Map([["EUR" as const, quote]]) };
  const { html, text, verdict } = await shown({
    unsettled: () => ({ ecb_daily, fred_daily: NOTHING_UNSETTLED }),
    collection: () => [
      { source: "ecb_daily", ...times, outcome: "figures", detail: null },
      { source: "fred_daily", ...times, outcome: "failed", detail: "fred answers 503" },
    ],
    lakeDamage: () => ["daily/part-1.parquet is damaged"],
    ownClock: () => ({ status: "off", ahead: 180_000, detail: "three minutes ahead of two hosts" }),
    accounts: {
      ...{ kind: "sqlite", probe: async () => {} },
      limits: () => ({ status: "degraded", kind: "redis", detail: "Redis is away", callers: 0, crowded: 0 }),
    } as never,
    live: {
      hotBook: { ...NOTHING_LIVE.hotBook, read: () => book },
      policy: { currencies: new Set(["EUR", "GBP"]), staleAfterSeconds: () => 300 },
      feeds: {
        ...NOTHING_LIVE.feeds,
        ...{ order: ["coinbase", "oxr", "massive"], currencies: ["EUR", "GBP"] },
        states: () => [
          { feed: "oxr", ...times, outcome: "failed", detail: "oxr answers 401" },
          { feed: "massive", ...times, outcome: "unchanged", detail: null },
        ],
      },
    },
    officialStatus: async () => [{ ...CURRENT, held: ["1", "2", "3", "4", "5", "6", "7"] }],
  });
  expect(verdict).toBe("degraded");
  for (const part of [
    "current, but its documents contradict each other Since 13 Apr 2026, 15:30:00 UTC another document states 3 figures differently: sdmx states 11.9 .",
    "Without a figure of the newest day: ISK is of 10 Apr 2026, TRY ended on 2 Mar 2026.",
    "current, but the last check failed fred answers 503 10 Apr 2026 13 Apr 2026, 14:30:00 UTC",
    "or two feeds contradict each other 1 of 2 currencies are live. The newest price is of 13 Apr 2026, 16:27:30 UTC .",
    "coinbase first choice not checked yet 1 –",
    "oxr fallback failing oxr answers 401 0 13 Apr 2026, 14:30:00 UTC",
    "held back: 1, 2, 3, 4, 5, and 2 more",
    "Rates on disk damaged daily/part-1.parquet is damaged",
    "Call counts degraded Redis is away",
    "This machine's clock off by minutes three minutes ahead of two hosts",
    "300 figures are held. Those of the newest days are listed, 2 of them.",
    "EUR/NOK 2026-04-13 jumps",
  ])
    expect(text).toContain(part);
  for (const [tone, state] of [
    ["live", "ok"],
    ["stale", "failing"],
    ["", "not checked yet"],
    ["live", "nothing new"],
    ["stale", "off by minutes"],
  ])
    expect(html).toContain(`<span class="source ${tone}">${state}</span>`);
});

test("is not green while a figure is held, or a fault of the record goes on", async () => {
  const held = { ...NOTHING_UNSETTLED, heldCount: 1 };
  const unsettled = () => ({ ecb_daily: NOTHING_UNSETTLED, fred_daily: held });
  expect(await shown({ unsettled })).toMatchObject({ status: "ready", verdict: "degraded" });
  const { statusLog } = (await shown()).app.deps;
  const ongoing = { fault: "fred_daily stale", since: 1, until: null };
  const read = async () => ({ incidents: [ongoing], days: [], delays: new Map() });
  expect(await shown({ statusLog: { ...statusLog, read } })).toMatchObject({ verdict: "degraded" });
});

test("says no time of a fault that the record does not have", async () => {
  const { text } = await shown({ officialStatus: async () => [{ ...CURRENT, outcome: "failed" }] });
  expect(text).toContain("failing not in the record yet ongoing");
});

test("shows uptime that is never rounded up, the days with faults, and the newest incidents first", async () => {
  const { app } = await shown();
  const { clock, statusLog } = app.deps;
  const now = clock.now();
  const days = [
    { part: "ecb_daily", day: dayAt(now - MILLISECONDS_PER_DAY), looks: 20_000, faults: 1 },
    { part: "ecb_daily", day: dayAt(now), looks: 22, faults: 0 },
    { part: "fred_daily", day: dayAt(now - MILLISECONDS_PER_DAY), looks: 20_000, faults: 0 },
    { part: "fred_daily", day: dayAt(now), looks: 22, faults: 11 },
  ];
  const incidents = Array.from({ length: 12 }, (_, nth) => {
    const since = now - 3_600_000 - nth * 120_000;
    return { fault: "fred_daily stale", since, until: since + 60_000 };
  });
  const read = async () => ({ incidents, days, delays: new Map() });
  const { html, text } = await shown({ statusLog: { ...statusLog, read } });
  expect(text).toContain("European Central Bank, euro reference rates 99.99 % up over 2 days");
  expect(text).toContain("Federal Reserve H.10, through FRED 99.94 % up over 2 days");
  const faulty = new Date(now - MILLISECONDS_PER_DAY).getUTCDate();
  expect(html).toContain(`aria-label="Faults on ${faulty} `);
  expect(text).toContain("4 earlier incidents");
  expect(text).toMatch(/FRED: stale from .* to .* \(60 seconds\)/);
});

test("a day of the record is red, amber, green, or grey where there is none, and the middle delay counts", () => {
  const today = dayAt(NOW);
  const faults = [6, 5, 0, 1, 1, 1];
  const days = faults.map((count, back) => ({
    part: "live",
    day: (today - back) as Day,
    looks: 10,
    faults: count,
  }));
  const delays = new Map([["live", [600_000, 60_000, 1_800_000]]]);
  const html = renderToString(
    h(NinetyDays, { sources: ["live", "lake"], now: NOW, titles: {}, days, delays }),
  );
  const barsOf = (colour: string) =>
    [...(new RegExp(`--${colour}\\)" d="([^"]*)"`).exec(html)?.[1] ?? "").matchAll(/M(\d+)/g)].map(
      ([, x]) => 89 - Number(x) / 4,
    );
  expect([barsOf("wrong"), barsOf("warn"), barsOf("live")]).toEqual([[0], [5, 4, 3, 1], [2]]);
  expect(barsOf("line")).toHaveLength(84);
  expect(html).toContain('aria-label="Faults on 5 days, last on 9 Apr, 10 Apr, 12 Apr, 13 Apr."');
  expect(textOf(html)).toContain("Live rates 76.66 % up over 6 days · time to publication 10 minutes");
  expect(textOf(html)).toContain("Rates on disk no record yet");
});

test("a record that cannot be read leaves the rest of the page", async () => {
  const { statusLog } = (await shown()).app.deps;
  const read = () => Promise.reject(new Error("away"));
  const { html, text } = await shown({ statusLog: { ...statusLog, read } });
  expect(text).toContain("The record cannot be read at the moment.");
  expect(html).toContain("Daily reference rates");
});

test("a long reason folds after its first words", async () => {
  const detail = `answered 503 with a page of ${"very ".repeat(60)}many words`;
  const { html } = await shown({ officialStatus: async () => [{ ...CURRENT, outcome: "failed", detail }] });
  expect(html).toMatch(/<details class="dim"><summary>answered 503 with a page of (very )+… ?<\/summary>/);
  expect(html).toContain(detail);
});
