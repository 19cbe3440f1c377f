/** Everything by keyboard alone: each walk presses Tab from stop to stop, and every stop on the way shows that it has the focus. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { PASSWORD } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { openBrowser, openPage, type ViewOptions } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";

setDefaultTimeout(300_000);
const program = optionalTool("chromium", "the site by keyboard");
/** More stops than any of these pages has before what is looked for. */
const MOST_STOPS = 120;

describe.skipIf(program === null)("by keyboard alone", () => {
  let browser: Browser;
  let server: DashboardServer;

  beforeAll(async () => {
    server = await openDashboardServer({ mail: false, dataDir: await dataDirectory("history") });
    browser = await openBrowser(program as string);
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function opened(path: string, view: ViewOptions = {}) {
    const { page, complaints } = await openPage(browser, server.url + path, view);
    return { page, complaints };
  }

  /** Presses Tab, or Shift and Tab, until the focus is on what the selector means. */
  async function tabTo(page: Page, selector: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await page.keyboard.press(key);
      const at = await page.evaluate((wanted) => {
        const focused = document.activeElement;
        if (focused === null || focused === document.body) return { isThere: false, unseen: null };
        const { outlineStyle, outlineWidth } = getComputedStyle(focused);
        const box = focused.getBoundingClientRect();
        const isSeen =
          outlineStyle !== "none" &&
          Number.parseFloat(outlineWidth) >= 1 &&
          box.width > 1 &&
          box.bottom > 0 &&
          box.top < innerHeight;
        return { isThere: focused.matches(wanted), unseen: isSeen ? null : focused.outerHTML.slice(0, 120) };
      }, selector);
      expect(at.unseen).toBeNull();
      if (at.isThere) return;
    }
    throw new Error(`no stop is ${selector}`);
  }
  const focusIs = (page: Page, selector: string) =>
    page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);

  test("the table of rates: skip link, amount, base, search, a number's provenance and back", async () => {
    const { page, complaints } = await opened("/");
    await tabTo(page, ".skip");
    await page.keyboard.press("Enter");
    await tabTo(page, 'input[name="amount"]');
    await page.keyboard.press("Control+A");
    await page.keyboard.type("250");
    expect(await page.textContent("thead th:nth-child(2)")).toBe("250 USD buys");
    await tabTo(page, 'select[name="base"]');
    await page.keyboard.type("CHF");
    await page.waitForFunction(
      () => document.querySelector("thead th:nth-child(2)")?.textContent === "250 CHF buys",
    );
    await tabTo(page, 'input[name="search"]');
    await page.keyboard.type("yen");
    expect(await page.locator("tbody tr").count()).toBe(1);
    await tabTo(page, "tbody .rate a");
    await page.keyboard.press("Enter");
    await focusIs(page, "#provenance");
    expect(await page.textContent("#provenance .provenance-rate")).toMatch(/^1 CHF = [\d.]+ JPY$/);
    await tabTo(page, "#provenance summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#provenance details[open]");
    await page.keyboard.press("Escape");
    await focusIs(page, "tbody .rate a");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("the provenance drawer of a narrow window: the focus stays inside until Escape, and returns to the number", async () => {
    for (const width of [360, 800]) {
      const { page, complaints } = await opened("/", { width, height: 800 });
      await tabTo(page, "tbody tr:nth-child(2) .rate a");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".drawer[open] .provenance");
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press("Tab");
        const isInside = await page.evaluate(
          () =>
            document.activeElement === document.body || document.activeElement?.closest(".drawer") !== null,
        );
        expect(isInside).toBe(true);
      }
      await page.keyboard.press("Escape");
      await page.waitForSelector(".drawer", { state: "hidden" });
      await focusIs(page, "tbody tr:nth-child(2) .rate a");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".drawer[open] .provenance");
      await tabTo(page, ".drawer button");
      await page.keyboard.press("Enter");
      await focusIs(page, "tbody tr:nth-child(2) .rate a");
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test("a pair: stretch, zoom, log scale, comparison, a day's provenance, converter, languages", async () => {
    const { page, complaints } = await opened("/eur-gbp");
    await page.waitForSelector(".chart canvas");
    const caption = () => page.textContent(".history-table caption");
    await tabTo(page, ".windows button:nth-of-type(6)");
    await page.keyboard.press("Enter");
    expect(await caption()).toContain("2021");
    await tabTo(page, '.chart-controls input[type="checkbox"]');
    await page.keyboard.press("Space");
    expect(await page.isChecked('.chart-controls input[type="checkbox"]')).toBe(true);
    await tabTo(page, ".chart-controls select");
    await page.keyboard.type("EUR/USD");
    await page.waitForFunction(() =>
      document.querySelector(".chart-legend")?.textContent?.includes("EUR/USD"),
    );
    await tabTo(page, ".chart");
    const before = await caption();
    await page.keyboard.press("+");
    await page.waitForFunction(
      (text) => document.querySelector(".history-table caption")?.textContent !== text,
      before,
    );
    const nearer = await caption();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(
      (text) => document.querySelector(".history-table caption")?.textContent !== text,
      nearer,
    );
    await tabTo(page, ".history-table tbody tr:nth-child(3) a");
    const day = await page.textContent(".history-table tbody tr:nth-child(3) time");
    await page.keyboard.press("Enter");
    await focusIs(page, "#provenance");
    expect(await page.textContent("#provenance .provenance")).toContain(`for ${day}`);
    await page.keyboard.press("Escape");
    await tabTo(page, '.converter input[name="amount"]');
    await page.keyboard.press("Control+A");
    await page.keyboard.type("0");
    expect(await page.textContent(".converter output")).toBe("0.00");
    await tabTo(page, '.tabs [role="tab"]');
    await page.keyboard.press("ArrowRight");
    await focusIs(page, "#tab-TypeScript");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("the documentation: a slash leads to the search, its hits to their places", async () => {
    const { page, complaints } = await opened("/docs");
    await page.keyboard.press("/");
    await focusIs(page, 'input[name="q"]');
    await page.keyboard.type("revoked key");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".hits li");
    await tabTo(page, ".hits a");
    const wanted = await page.evaluate(() => document.activeElement?.getAttribute("href"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${wanted}`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an account: from signing up to the first key, shown, rotated, and out", async () => {
    const { page, complaints } = await opened("/");
    await tabTo(page, 'a[href="/dashboard/sign-up"]');
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/sign-up");
    await tabTo(page, "#email");
    await page.keyboard.type("keyboard@example.org");
    await tabTo(page, "#password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/keys");
    const key = await page.textContent("[data-key]");
    expect(key).toMatch(/^fxk_\w{38}$/);
    await tabTo(page, "[data-reveal] button");
    await page.keyboard.press("Enter");
    await page.waitForFunction((shown) => document.querySelector("[data-key]")?.textContent !== shown, key);
    await tabTo(page, "#replace ~ .careful > summary");
    await page.keyboard.press("Enter");
    await tabTo(page, 'form[action="/dashboard/keys/rotate"] button');
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-countdown]");
    await tabTo(page, ".person button");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/sign-in");
    expect(complaints).toEqual([]);
    await page.close();
  });
});
