/** Pages under which the server goes away: they say that their figures are out of date and how old they are, and go on with current ones when it is back. */

import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { dataDirectory, NOON } from "#test/metered/history.ts";
import { openReplica, type Replica, runningClock, type TestClock } from "#test/metered/replica.ts";
import { browser, inBrowser } from "#test/support/browser.ts";
import { type TcpWay, tcpWayTo } from "#test/support/tcp-way.ts";
import { until } from "#test/support/until.ts";

const HOUR = 3_600_000;

inBrowser("a server that goes away under an open page", () => {
  /** Between the browser and the server, so that an address stays while servers come and go. */
  let line: TcpWay;
  let url: string;
  let server: Replica;
  let clock: TestClock;

  const open = async (at: number) => {
    clock = runningClock(at);
    server = await openReplica({ dataDir: await dataDirectory("latest", at), clock });
    line.target = Number(new URL(server.url).port);
  };
  /** With another day's figures. */
  const openNextDay = () => open(NOON + 30 * HOUR);
  beforeAll(async () => {
    line = await tcpWayTo(0);
    url = `http://127.0.0.1:${line.port}`;
  });
  beforeEach(async () => {
    await server?.close();
    line.restore();
    await open(NOON);
  });

  /** A page whose clock the test can put forward, so that nobody waits for retries. */
  async function openPage(path: string): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.clock.install();
    const followed = page.waitForRequest(/\/site\/stream/);
    await page.goto(url + path, { waitUntil: "load" });
    await followed;
    return { page, faults };
  }
  const said = async (page: Page) => ((await page.textContent(".away")) ?? "").replace(/\s+/g, " ").trim();
  /** Puts the page's clock forward, a few seconds at a time: its retries come then. */
  const untilSaid = (page: Page, is: (text: string) => boolean) =>
    until("the notice changes", async () => {
      await page.clock.fastForward(5000);
      return is(await said(page));
    });
  const untilOld = (page: Page) => untilSaid(page, (text) => text.includes("out of date"));
  const untilCurrent = (page: Page) => untilSaid(page, (text) => text === "");
  const digitsOf = async (base: string) => {
    const text = await (await fetch(`${server.url}/v1/latest?base=${base}`)).text();
    const rates = /"rates":\{([^}]*)\}/.exec(text)?.[1] ?? "";
    return Object.fromEntries(
      Array.from(rates.matchAll(/"([A-Z]{3})":([0-9.eE+-]+)/g), ([, code = "", rate = ""]) => [code, rate]),
    );
  };
  const shownRates = (page: Page) =>
    page.evaluate(() =>
      Object.fromEntries(
        Array.from(document.querySelectorAll<HTMLElement>("tbody tr[data-code]"), (row) => [
          row.dataset["code"] ?? "",
          row.querySelector(".figure")?.textContent ?? "",
        ]),
      ),
    );
  /** The table shows six significant digits. */
  const inTable = (digits: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(digits).map(([code, text]) => [
        code,
        text.replace(/[.0]/g, "").length <= 6 ? text : Number(text).toPrecision(6),
      ]),
    );
  const boardText = (page: Page) => page.textContent(".board");

  test("the landing page keeps its figures with their age, refuses what it cannot know, and comes back with those of now", async () => {
    const { page, faults } = await openPage("/");
    const before = await digitsOf("USD");
    expect(await shownRates(page)).toEqual(inTable(before));
    await page.click('tr[data-code="EUR"] .rate a');
    await page.waitForSelector(".provenance [data-rate]");
    await server.close();
    await untilOld(page);
    await page.clock.fastForward(180_000);
    await page.waitForSelector(".away-age:has-text('3 minutes old')");
    expect(await said(page)).toBe(
      "The server cannot be reached: these figures are out of date. They are 3 minutes old. The page updates when the server answers again.",
    );
    expect(await shownRates(page)).toEqual(inTable(before));

    await page.selectOption('select[name="base"]', "CHF");
    await page.waitForFunction(
      () => document.querySelector<HTMLSelectElement>('select[name="base"]')?.value === "USD",
    );
    expect(await page.textContent("thead th:nth-child(2)")).toBe("1 USD buys");
    expect(await shownRates(page)).toEqual(inTable(before));
    await page.click('tr[data-code="JPY"] .rate a');
    await page.waitForSelector("#provenance:has-text('could not be loaded')");

    // What stands before a server while it starts: not an answer to go on with, and none to give up for.
    const proxy = Bun.serve({ port: 0, fetch: () => new Response("starting", { status: 503 }) });
    line.target = proxy.port as number;
    const asked = page.waitForResponse((answer) => answer.status() === 503);
    await page.clock.fastForward(20_000);
    await asked;
    expect(await said(page)).toContain("out of date");
    await proxy.stop(true);

    await openNextDay();
    await untilCurrent(page);
    const after = await digitsOf("USD");
    expect(after).not.toEqual(before);
    expect(await shownRates(page)).toEqual(inTable(after));
    expect(await page.locator('tr[data-code="EUR"] time').last().textContent()).toBe("15 Apr");
    await page.waitForSelector(".provenance [data-rate]");
    expect(await page.getAttribute(".provenance [data-rate]", "data-rate")).toBe(after["JPY"] as string);
    // What an event does not say is that of a page that is loaded now, too: changes, lines, the market's next turn.
    const { page: fresh } = await openPage("/");
    expect(await boardText(page)).toBe(await boardText(fresh));
    expect(faults).toEqual([]);
  });

  test("the page of a pair does the same with all its figures: rate, inverse, title, converter, history", async () => {
    const { page, faults } = await openPage("/gbp-sek");
    const shown = async () => ({
      rate: await page.textContent("#pair-rate"),
      inverse: await page.textContent("#pair-inverse"),
      title: await page.title(),
      source: await page.textContent("#pair-origin"),
      converted: await page.textContent(".converted output"),
      explained: await page.getAttribute(".provenance [data-rate]", "data-rate"),
      newest: await page.textContent(".history-table tbody tr"),
    });
    await page.waitForSelector(".chart canvas");
    const before = await shown();
    await server.close();
    await untilOld(page);
    await page.clock.fastForward(2 * HOUR);
    await page.waitForSelector(".away-age:has-text('2 hours old')");
    expect(await shown()).toEqual(before);

    await openNextDay();
    await untilCurrent(page);
    const rate = (await digitsOf("GBP"))["SEK"] as string;
    await page.waitForSelector(`.provenance [data-rate="${rate}"]`);
    await page.waitForSelector(".history-table tbody tr:first-child:has-text('15 Apr 2026')");
    const after = await shown();
    expect(after).toMatchObject({
      rate,
      title: `GBP to SEK: ${rate} of 15 Apr 2026 · Crossrate`,
      explained: rate,
    });
    expect(after.inverse).toBe((await digitsOf("SEK"))["GBP"] as string);
    expect(after.rate).not.toBe(before.rate);
    expect(after.converted).not.toBe(before.converted);
    expect(faults).toEqual([]);
  });

  test("a page whose history could not be loaded gets it when the server is back", async () => {
    const page = await browser.newPage();
    await page.clock.install();
    let isRefused = true;
    await page.route("**/site/series/**", (route) => (isRefused ? route.abort() : route.continue()));
    const followed = page.waitForRequest(/\/site\/stream/);
    await page.goto(`${url}/usd-eur`);
    await followed;
    expect(await page.locator(".chart canvas").count()).toBe(0);
    expect(await page.locator(".history-table tbody tr").count()).toBeGreaterThan(5);
    await server.close();
    await untilOld(page);
    isRefused = false;
    await open(NOON);
    await untilCurrent(page);
    await page.waitForSelector(".chart canvas");
  });

  test("a connection that is silent because it is dead counts as none", async () => {
    for (const path of ["/", "/usd-eur"]) {
      const { page } = await openPage(path);
      line.cut("silent");
      await untilOld(page);
      line.restore();
      await untilCurrent(page);
      await page.close();
    }
  });

  test("a page that nobody sees gives its connection up, and is current when somebody looks again", async () => {
    const { page } = await openPage("/");
    const streams: string[] = [];
    page.on("request", (request) => request.url().includes("/stream") && streams.push(request.url()));
    const turn = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/stream"));
    await turn(true);
    await page.clock.fastForward(61_000);
    await ended;
    streams.length = 0;
    await page.clock.fastForward(2 * HOUR);
    expect(streams).toEqual([]);
    await server.close();
    await openNextDay();
    await turn(false);
    await page.waitForSelector('tr[data-code="EUR"] time:has-text("15 Apr")');
    await page.waitForSelector(".away:not(.is-shown)", { state: "attached" });
    expect(await shownRates(page)).toEqual(inTable(await digitsOf("USD")));
  });

  test("a server that has no rates any more is quoted, until it has some", async () => {
    for (const path of ["/", "/usd-eur"]) {
      const { page } = await openPage(path);
      // What the server sends then is a test of its own; here it is what the page makes of it.
      const body = '<p class="lead">No rate is left to serve.</p>';
      await page.route(url + path, (route) => route.fulfill({ status: 503, contentType: "text/html", body }));
      // A slow answer is taken for none until it is there.
      await untilSaid(page, (text) =>
        text.startsWith("No rate is left to serve: these figures are out of date."),
      );
      await page.unroute(url + path);
      await untilCurrent(page);
      await page.close();
    }
  });

  test("a market that closes under an open page changes all that a page loaded now has, without a loss", async () => {
    const { page } = await openPage("/");
    expect(await page.textContent(".session")).toContain("open");
    // Saturday.
    clock.at = NOON + 96 * HOUR;
    await page.waitForSelector(".session:has-text('opens')");
    const { page: fresh } = await openPage("/");
    expect(await boardText(page)).toBe(await boardText(fresh));
    expect(await page.locator(".away.is-shown").count()).toBe(0);
  });
});
