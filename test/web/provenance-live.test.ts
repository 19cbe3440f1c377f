/** The provenance beside a live number follows it, and offers the lake's query only when the lake has the quote. */

import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startSimulator } from "#demo/simulator.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { openReplica, type Replica, runningClock, type TestClock } from "#test/metered/replica.ts";
import { atEnd } from "#test/support/at-end.ts";
import { browser, inBrowser, openPage } from "#test/support/browser.ts";
import { withDuckDb } from "#test/support/duckdb.ts";
import { until } from "#test/support/until.ts";

const MOVES = Number(process.env["LIVE_MOVES"] ?? 8);

inBrowser("the provenance of a live number", () => {
  let server: Replica;
  let clock: TestClock;
  let dataDir: string;
  let stopFeed = () => {};

  beforeAll(async () => {
    clock = runningClock();
    const simulator = await startSimulator(clock);
    atEnd(simulator.stop);
    dataDir = await dataDirectory();
    const live = { ROLE: "all", LIVE_FEED: "coinbase", UPSTREAM_BASE: simulator.base };
    server = await openReplica({ dataDir, clock, settings: { ACCESS: "open", ...live } });
    atEnd(() => stopFeed());
    await move();
    // From now on the day has a file.
    await flush();
  });

  /** The feed is polled a minute later, and again until its price is another one. */
  async function move(): Promise<void> {
    const before = await latest();
    for (let now = before; now?.rates.EUR === before?.rates.EUR; ) {
      const { effective_at } = now ?? {};
      stopFeed();
      clock.at += 60_000;
      stopFeed = server.crossrate.startLive();
      await until("a new price is served", async () => {
        now = await latest();
        return now?.sources.EUR === "live" && now.effective_at.EUR !== effective_at?.EUR;
      });
    }
  }
  const latest = async () => {
    const answer = await fetch(`${server.url}/v1/latest?symbols=EUR`);
    return answer.ok ? await answer.json() : null;
  };
  /** A page whose clock the test can put forward. */
  const opened = async (path: string) => {
    const context = await browser.newContext();
    await context.clock.install();
    return await openPage(server.url + path, { context });
  };
  /** Nobody waits until the page asks the server again. */
  const untilInLake = (page: Page) =>
    until("the query is offered", async () => {
      await page.clock.fastForward(10_000);
      return (await page.locator(".provenance pre code").count()) > 0;
    });
  const explained = (page: Page) => page.textContent(".provenance-rate [data-rate]");
  /** A file of quotes begins with a flush. */
  const flush = async () => {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const path = `/v1/range?interval=tick&base=USD&symbols=EUR&start_date=${day}&end_date=${day}&format=csv`;
    const answer = await fetch(server.url + path);
    expect(`${answer.status} ${answer.ok ? "" : await answer.text()}`).toBe("200 ");
    await answer.text();
  };
  /** As the reader of the page runs it, on the lake's directory. */
  async function run(sql: string): Promise<number[][]> {
    const script = sql.replace(/lake = '.*';/, `lake = '${join(dataDir, "lake")}';`);
    return await withDuckDb(
      async (connection) => (await connection.runAndReadAll(script)).getRowsJS() as number[][],
    );
  }

  for (const [name, path, number] of [
    ["the page of a pair", "/usd-eur", "#pair-rate"],
    ["the table of all currencies", "/?base=USD&to=EUR", 'tr[data-code="EUR"] .rate .figure'],
  ] as const) {
    test(`on ${name} follows the number, and leads to the same one in the lake`, async () => {
      const { page, complaints } = await opened(path);
      const before = await page.textContent(number);
      expect(await explained(page)).toBe(before);

      await move();
      await until("the number moves", async () => (await page.textContent(number)) !== before);
      await until(
        "the provenance is that of the number",
        async () => (await explained(page)) === (await page.textContent(number)),
      );
      const now = await page.textContent(number);
      expect(now).not.toBe(before);

      expect(await page.locator(".provenance pre code").count()).toBe(0);
      expect((await page.textContent("[data-awaits-lake]"))?.replace(/\s+/g, " ")).toMatch(
        /Not in the lake yet: the quote is stored on 14 Apr 2026, 12:\d[05]:00 UTC\./,
      );
      const waiting = await (await fetch(`${server.url}/v1/explain/USD/EUR`)).json();
      expect(waiting.query.in_lake).toBe(false);
      expect(waiting.query.in_lake_at).toMatch(/^2026-04-14T12:\d[05]:00Z$/);
      expect(await run(waiting.query.sql)).toEqual([]);

      await flush();
      await untilInLake(page);
      expect(await explained(page)).toBe(now);
      expect(await run((await page.textContent(".provenance pre code")) ?? "")).toEqual([[Number(now)]]);
      const stored = await (await fetch(`${server.url}/v1/explain/USD/EUR`)).json();
      expect(stored.query).toMatchObject({ in_lake: true, in_lake_at: null });
      expect(complaints).toEqual([]);
    });
  }

  test(`is of the number beside it in every frame of ${MOVES} moves`, async () => {
    const { page } = await openPage(`${server.url}/usd-eur`);
    await page.evaluate(() => {
      const watched = { number: "", moves: -1, apart: [] as string[] };
      const look = () => {
        const number = document.querySelector("#pair-rate")?.textContent ?? "";
        const panel = document.querySelector(".provenance-rate [data-rate]")?.textContent ?? "";
        if (number !== watched.number) watched.moves += 1;
        watched.number = number;
        if (number !== panel) watched.apart.push(`${number} beside ${panel}`);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { watched });
    });
    const watched = () =>
      page.evaluate(() => (globalThis as unknown as { watched: { moves: number; apart: string[] } }).watched);
    for (let nth = 1; nth <= MOVES; nth++) {
      await move();
      await until("the number moves", async () => (await watched()).moves >= nth);
    }
    expect((await watched()).apart).toEqual([]);
  });

  test("stays as it is while its text is selected, with the query open, and follows afterwards", async () => {
    await flush();
    const { page } = await opened("/usd-eur");
    await untilInLake(page);
    await page.click(".provenance summary");
    await page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector(".provenance code") as Node),
    );
    const before = await explained(page);
    await move();
    await until("the number moves", async () => (await page.textContent("#pair-rate")) !== before);
    expect(await explained(page)).toBe(before);
    expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(false);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await until("the provenance is that of the number", async () => {
      await page.clock.fastForward(10_000);
      return (await explained(page)) === (await page.textContent("#pair-rate"));
    });
  });

  test("the bars of the day follow the number, too", async () => {
    const { page, complaints } = await openPage(`${server.url}/usd-eur?range=1D`);
    const isCurrent = async () =>
      Number(await page.getAttribute(".summary div:nth-child(2) b", "title")) ===
      Number(await page.textContent("#pair-rate"));
    await page.waitForSelector(".history-table caption:has-text('Bars of live quotes, 15m')");
    await until("the last bar ends with the number", isCurrent);
    const before = await page.textContent("#pair-rate");
    await move();
    await until("the number moves", async () => (await page.textContent("#pair-rate")) !== before);
    await until("the last bar ends with the number", isCurrent);
    expect(await page.textContent(".history-table caption")).toContain("Bars of live quotes, 15m");
    expect(complaints).toEqual([]);

    await page.route("**/site/series/**", (route) => route.abort());
    await page.click(".chart-controls button:has-text('1W')");
    await page.waitForSelector(
      "#chart-hint:text('The history of USD/EUR could not be loaded: the daily rates are shown')",
    );
  });

  test("of a day stays that of the day", async () => {
    const { page, requests } = await openPage(`${server.url}/usd-eur?date=2026-04-13`);
    const before = await explained(page);
    const shown = await page.textContent("#pair-rate");
    await move();
    await until("the number moves", async () => (await page.textContent("#pair-rate")) !== shown);
    expect(await explained(page)).toBe(before);
    expect(requests.filter((request) => request.startsWith("/site/provenance"))).toEqual([]);
  });
});
