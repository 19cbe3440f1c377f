/** The status page: green only where nothing is at fault, missing or held; what is recorded of 90 days; long reasons and old incidents folded. */

import { expect, test } from "bun:test";
import type { OfficialTableStatus } from "#domain/official/publication.ts";
import { dayAt, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp, type TestChanges } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { textOf } from "#test/web/dashboard/dashboard-server.ts";

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
