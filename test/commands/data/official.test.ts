/** `crossrate admin official` and `crossrate collect <table>`, as processes of their own on a simulated world. */

import { expect, test } from "bun:test";
import { recentDirectory } from "#test/commands/lakes.ts";
import { runInProcess, startServe, until } from "#test/commands/process.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const NOW = "2026-04-14T15:00:00Z";
/** The fourth year of a table: for what does not depend on how long a history is. */
const EARLY = "2008-04-15T15:00:00Z";
const simulator = await startFullSimulator({ now: () => Date.parse(NOW) });
const earlySimulator = await startFullSimulator({ now: () => Date.parse(EARLY) });

const settings = (more: Record<string, string> = {}) => ({
  DATA_DIR: temporaryDirectory(),
  UPSTREAM_BASE: simulator.base,
  NOW,
  LIVE_FEED: "off",
  BANXICO_TOKEN: "",
  ...more,
});

test("a table is collected by its id, and the list has it afterwards", async () => {
  const environment = settings();
  const before = await runInProcess(["admin", "official"], environment);
  expect(before.code).toBe(0);
  expect(before.out).toContain("mex_fix  mex/fix");
  expect(before.out).toContain("not collected: set BANXICO_TOKEN");
  expect(before.out).toContain("newest nothing yet; last read never; last attempt never");
  const collected = await runInProcess(["collect", "rou_reference", "recent"], environment);
  expect(collected).toMatchObject({ code: 0, out: "rou_reference: publications\n" });
  expect((await runInProcess(["admin", "official"], environment)).out).toContain(
    "newest 2026-04-14, from 2026-04-14; last read 2026-04-14T15:00:0",
  );
});

test("a history shows its progress and is loaded once", async () => {
  const early = { UPSTREAM_BASE: earlySimulator.base, NOW: EARLY };
  const environment = settings({ OFFICIAL_TABLES: "rou_reference", ...early });
  const first = await runInProcess(["backfill", "official"], environment);
  expect(first.err + first.out).toContain("rou_reference history: 100 %");
  expect(first.code).toBe(0);
  expect(first.out).toContain("1 of 1 tables are up to date");
  const second = await runInProcess(["backfill", "official"], environment);
  expect(second.err + second.out).not.toContain("history");
});

test("a year whose file is missing is skipped and reported, the years after it are loaded, and the exit code is 1", async () => {
  const early = { UPSTREAM_BASE: earlySimulator.base, NOW: EARLY };
  const environment = settings({ OFFICIAL_TABLES: "rou_reference", ...early });
  const years = [2006, 2007].map((year) => `/curs.bnr.ro/files/xml/years/nbrfxrates${year}.xml`);
  for (const path of years) earlySimulator.misbehave(path, broken.status(404));
  const without = await runInProcess(["backfill", "official"], environment);
  for (const path of years) earlySimulator.behave(path);
  expect(without.code).toBe(1);
  expect(without.err).toContain(
    "rou_reference is not whole: year: not_found: https://curs.bnr.ro/files/xml/years/",
  );
  expect(without.err).toContain("nbrfxrates2007.xml answers 404");
  expect(without.out).toContain("0 of 1 tables are up to date");
  expect((await runInProcess(["admin", "official"], environment)).out).toContain("newest 2008-04-15");
  // The history is not counted as read, so that the next backfill asks for the missing years again.
  const whole = await runInProcess(["backfill", "official"], environment);
  expect([whole.code, (whole.err + whole.out).includes("rou_reference history: 100 %")]).toEqual([0, true]);
});

test("what cannot be collected is refused with what to do, and an authority that is away ends the command with 1", async () => {
  const environment = settings();
  // The simulator has no Turkey: its authority answers 404.
  expect(await runInProcess(["collect", "tur_indicative"], environment)).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/^tur_indicative: failed \(.*404/) },
  });
  const without = await runInProcess(["collect", "mex_fix"], environment);
  expect(without.code).toBe(2);
  expect(without.err).toContain("mex_fix is not collected: set BANXICO_TOKEN");
  const unknown = await runInProcess(["collect", "abc_table"], environment);
  expect(unknown.code).toBe(2);
  expect(unknown.err).toContain("there is no abc_table: name ecb_daily, fred_daily, or one of mex_dof");
  const off = await runInProcess(["admin", "official"], { ...environment, OFFICIAL_TABLES: "off" });
  expect(off.code).toBe(2);
});

test("a server collects by itself, and an authority that is away degrades nothing but its table", async () => {
  const server = await startServe(
    settings({ DATA_DIR: await recentDirectory(), OFFICIAL_TABLES: "rou_reference,tur_indicative" }),
  );
  const { checks, status } = await until(
    async () => (await fetch(`${server.url}/status`)).json(),
    // The copied history ends the day before: it is stale until the daily sources have been read too.
    ({ checks: { official, daily } }) =>
      official.rou_reference?.outcome === "publications" &&
      official.tur_indicative?.outcome === "failed" &&
      Object.values<{ status: string }>(daily).every((source) => source.status === "ok"),
  );
  expect(checks.official.rou_reference).toMatchObject({
    status: "ok",
    newest_publication: "2026-04-14",
    held: [],
  });
  expect(checks.official.tur_indicative).toMatchObject({ status: "failing", newest_publication: null });
  expect(status).toBe("ready");
  expect(await server.end()).toBe(0);
});
