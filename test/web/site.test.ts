/** The site in a browser: what a page shows is what the API says, it keeps its own policy, and everybody can use it. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { openReplica, type Replica, runningClock } from "#test/metered/replica.ts";
import { openBrowser, openPage, violations } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

setDefaultTimeout(60_000);
const program = optionalTool("chromium", "the site in a browser");
const PAGES = ["/", "/?to=JPY", "/usd-eur", "/docs", "/docs/limits", "/docs?q=headers", "/status/page"];

describe.skipIf(program === null)("the site", () => {
  let browser: Browser;
  let server: Replica;

  beforeAll(async () => {
    server = await openReplica({ dataDir: await dataDirectory("history"), clock: runningClock() });
    browser = await openBrowser(program as string);
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  for (const path of PAGES) {
    test(`${path} is accessible in both schemes, on desktop and phone, without a complaint or a request elsewhere`, async () => {
      for (const [scheme, width] of [
        ["light", 1440],
        ["dark", 390],
      ] as const) {
        const { page, complaints } = await openPage(browser, server.url + path, { scheme, width });
        const elsewhere: string[] = [];
        page.on("request", (request) => {
          if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
        });
        expect(await violations(page), `${scheme} ${width}`).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${width} px wide`).toBe(0);
        expect(complaints).toEqual([]);
        expect(elsewhere).toEqual([]);
        await page.close();
      }
    });
  }

  test("the landing page paints at once, moves nothing, and needs few requests", async () => {
    const { page, requests } = await openPage(browser, server.url);
    const measured = await page.evaluate(async () => {
      await document.fonts.ready;
      const shifts = await new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      });
      const scripts = performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
      return { shifts, scripts };
    });
    expect(measured.shifts).toBeLessThan(0.01);
    expect(measured.scripts).toBeLessThan(60 * 1024);
    expect(requests.length).toBeLessThanOrEqual(25);
    await page.close();
  });

  test("200 random pairs and days: the number and its provenance are the API's, digit for digit", async () => {
    const random = seededRandom(4);
    const { page } = await openPage(browser, `${server.url}/usd-eur`);
    const asked = Array.from({ length: 200 }, () => {
      const day = Date.UTC(2000, 0, 1) + Math.floor(random() * 9500) * 86_400_000;
      return { from: pick(random), to: pick(random), date: new Date(day).toISOString().slice(0, 10) };
    });
    let known = 0;
    for (const [index, { from, to, date }] of asked.entries()) {
      // As many visitors: one of them may not ask so much in a minute.
      const headers = { "X-Forwarded-For": `198.51.100.${index}` };
      const answer = await fetch(`${server.url}/site/explain/${from}/${to}?date=${date}`, { headers });
      const printed = /"rate":([\d.eE+-]+)/.exec(await answer.text())?.[1] ?? null;
      expect([200, 404], `${from} ${to} ${date}`).toContain(answer.status);
      if (answer.status === 200) known++;
      const shown = await page.evaluate(
        async ({ path, from: address }) => {
          const part = await fetch(path, { headers: { "X-Forwarded-For": address } });
          const place = document.createElement("div");
          if (part.ok) place.innerHTML = await part.text();
          return place.querySelector("[data-rate]")?.textContent ?? null;
        },
        { path: `/site/provenance/${from}/${to}?date=${date}`, from: headers["X-Forwarded-For"] },
      );
      expect(shown, `${from} ${to} ${date}`).toBe(printed);
    }
    expect(known).toBeGreaterThan(150);
    await page.close();
  });

  test("by keyboard alone: skip link, amount, base, search, the number's provenance", async () => {
    const { page } = await openPage(browser, server.url);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
      "Skip to the content",
    );
    await page.focus('input[name="amount"]');
    await page.keyboard.press("Control+A");
    await page.keyboard.type("250");
    expect(await page.textContent("thead th:nth-child(2)")).toBe("250 USD buys");
    await page.focus('input[name="search"]');
    await page.keyboard.type("yen");
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.focus("tbody .rate a");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#provenance .provenance");
    expect(await page.textContent("#provenance .provenance-rate")).toMatch(/^1 USD = [\d.]+ JPY$/);
    await page.selectOption('select[name="base"]', "CHF");
    await page.waitForFunction(
      () => document.querySelector("thead th:nth-child(2)")?.textContent === "250 CHF buys",
    );
    await page.close();
  });

  test("the chart of a pair changes its stretch, its table and its files together", async () => {
    const { page } = await openPage(browser, `${server.url}/eur-gbp`);
    await page.waitForSelector(".chart canvas");
    await page.click('.windows button:has-text("5Y")');
    await page.waitForFunction(() =>
      document.querySelector(".history-table caption")?.textContent?.includes("2021"),
    );
    const file = (await page.getAttribute('.history-files a:has-text("CSV")', "href")) ?? "";
    expect(file).toContain("start_date=2021-04-12&end_date=2026-04-13&format=csv");
    await page.selectOption(".chart-controls select", "USD");
    await page.waitForFunction(() =>
      document.querySelector(".u-legend")?.textContent?.includes("EUR/USD, %"),
    );
    await page.close();
  });

  test("without a script every page still has its numbers", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await openPage(browser, `${server.url}/?base=GBP&to=SEK`, { context });
    expect(await page.locator("tbody tr").count()).toBe(30);
    expect(await page.textContent(".provenance-rate")).toMatch(/^1 GBP = [\d.]+ SEK$/);
    await page.goto(`${server.url}/gbp-sek?date=2020-03-19`);
    expect(await page.textContent(".provenance")).toContain("for 19 Mar 2020");
    expect(await page.locator(".history-table tbody tr").count()).toBe(15);
    await context.close();
  });
});

function pick(random: () => number): string {
  return CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as string;
}
