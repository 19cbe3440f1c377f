/**
 * Ways through the site in a browser: by keyboard alone, where each walk presses Tab from stop to stop and every stop shows that it has the
 * focus; with JavaScript switched off; and the way of a first visitor to the first call, with an accessible end.
 */

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { browser, inBrowser, openPage, type ViewOptions, violations } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { openDashboardServer, textOf } from "#test/web/dashboard/dashboard-server.ts";

/** More stops than any of these pages has before what is looked for. */
const MOST_STOPS = 120;
const EMAIL = "visitor@example.org";

const server = ofAllTests(async () => {
  const dataDir = await dataDirectory("history");
  const settings = { ROLE: "all", LIVE_FEED: "off" };
  return await openDashboardServer({ mail: false, dataDir, settings });
});

inBrowser("by keyboard alone", () => {
  const opened = (path: string, view: ViewOptions = {}) => openPage(server.url + path, view);

  /** Presses Tab until the focus is on what the selector means. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await page.keyboard.press("Tab");
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
  });

  test("the provenance drawer of a narrow window: the focus stays inside until Escape, and returns to the number", async () => {
    // The narrowest windows are those of test/web/accessible.test.ts.
    const { page, complaints } = await opened("/", { width: 800, height: 800 });
    await tabTo(page, "tbody tr:nth-child(2) .rate a");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".drawer[open] .provenance");
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press("Tab");
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest(".drawer") !== null,
      );
      expect(isInside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await page.waitForSelector(".drawer", { state: "hidden" });
    await focusIs(page, "tbody tr:nth-child(2) .rate a");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".drawer[open] .provenance");
    await tabTo(page, ".drawer form button");
    await page.keyboard.press("Enter");
    await focusIs(page, "tbody tr:nth-child(2) .rate a");
    expect(complaints).toEqual([]);
  });

  test("a pair: stretch, zoom, log scale, comparison, a day's provenance, converter, languages", async () => {
    const { page, complaints } = await opened("/eur-gbp");
    await page.waitForSelector(".chart canvas");
    const caption = () => page.textContent(".history-table caption");
    await tabTo(page, ".tabs button:nth-of-type(6)");
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
    expect(await page.textContent(".converter output")).toBe("0.00 GBP");
    await tabTo(page, "#call-sh");
    await page.keyboard.press("ArrowRight");
    await focusIs(page, "#call-ts");
    expect(complaints).toEqual([]);
  });

  test("a pair that the browser kept for the way back: its lists and its day are those of its rate", async () => {
    const { page } = await opened("/eur-gbp");
    const asked = () =>
      page.$$eval(".pair-picker select, .pair-picker input", (fields) =>
        fields.map((field) => (field as HTMLInputElement).value),
      );
    await page.fill(".pair-picker input", "2026-04-10");
    await page.selectOption("#pair-to", "SEK");
    await page.waitForURL("**/eur-sek");
    await page.goBack();
    expect(await asked()).toEqual(["EUR", "GBP", ""]);
    await page.fill(".pair-picker input", "2026-04-10");
    // As the browser says it to a page that it has kept as it was.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    expect(await asked()).toEqual(["EUR", "GBP", ""]);
  });

  test("a pair without live quotes in a short stretch: its daily rates, called so, and their files", async () => {
    const { page } = await opened("/eur-gbp?range=1W");
    await page.waitForFunction(() => document.body.textContent?.includes("the daily rates are shown"));
    expect(await page.textContent(".history-table caption")).toStartWith("Daily reference rates");
    const rows = await page.locator(".history-table tbody tr").count();
    const files = await page.$$eval('a[href*="/file?"]', (links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    );
    expect(files.map((file) => new URL(file).searchParams.get("format"))).toEqual(["csv", "xlsx", "parquet"]);
    const [csv = "", xlsx = "", parquet = ""] = files;
    expect((await (await fetch(csv)).text()).trimEnd().split(/\r?\n/).length).toBe(rows + 1);
    for (const file of [xlsx, parquet]) expect((await fetch(file)).status).toBe(200);
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
  });

  test("an account: from signing up to the first key, shown, rotated, and out", async () => {
    const { page, complaints } = await opened("/");
    await tabTo(page, 'a[href="/dashboard/sign-up"]');
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/sign-up");
    await tabTo(page, "#email");
    await page.keyboard.type("keyboard@example.org");
    await tabTo(page, "#password");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    // A refusal leads to the field that it is about, and is read with it.
    await page.waitForSelector('#password:focus[aria-describedby="password-hint refusal"]');
    expect(await page.textContent("#refusal")).toContain("Password: ");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("a status of 422")]);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/keys");
    const key = await page.textContent("[data-secret]");
    expect(key).toMatch(/^fxk_\w{38}$/);
    await tabTo(page, 'main a[href="/dashboard/keys"].button');
    await page.keyboard.press("Enter");
    await page.waitForSelector("form[action$=reveal]");
    expect(await page.content()).not.toContain(key);
    await tabTo(page, "#replace ~ .careful > summary");
    await page.keyboard.press("Enter");
    await tabTo(page, 'form[action="/dashboard/keys/rotate"] button');
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-countdown]");
    const left = (await page.textContent("[data-countdown]")) ?? "";
    expect(left).toMatch(/^23:59:\d\d$|^24:00:00$/);
    await page.waitForSelector(`[data-countdown]:not(:has-text("${left}"))`);
    await tabTo(page, "form[action$=sign-out] button");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/sign-in");
    await tabTo(page, "#email");
    await page.keyboard.type("keyboard@example.org");
    await tabTo(page, "#password");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#refusal:focus");
    expect(complaints).toEqual([expect.stringContaining("a status of 401")]);
  });
});

inBrowser("without a script", () => {
  async function withoutScript(path: string): Promise<Page> {
    const context = await browser.newContext({ javaScriptEnabled: false });
    return (await openPage(server.url + path, { context })).page;
  }

  test("every page has its numbers, and the table's form changes base, amount and search", async () => {
    const page = await withoutScript("/?base=GBP&to=SEK");
    expect(await page.locator("tbody tr").count()).toBe(30);
    expect(await page.textContent(".provenance-rate")).toMatch(/^1 GBP = [\d.]+ SEK$/);
    await page.fill('input[name="amount"]', "40");
    await page.selectOption('select[name="base"]', "CHF");
    await page.fill('input[name="search"]', "swed");
    await page.click(".board-controls button");
    expect(await page.textContent("thead th:nth-child(2)")).toBe("40 CHF buys");
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.click("tbody .rate a");
    expect(await page.textContent(".provenance-rate")).toMatch(/^1 CHF = [\d.]+ SEK$/);
    await page.goto(`${server.url}/gbp-sek`);
    await page.fill('input[name="date"]', "2020-03-19");
    await page.click('form[action="#provenance"] button');
    expect(page.url()).toEndWith("/gbp-sek?date=2020-03-19#provenance");
    expect(await page.inputValue('input[name="date"]')).toBe("2020-03-19");
    expect(await page.textContent(".provenance")).toContain("for 19 Mar 2020");
    expect(await page.locator(".history-table tbody tr").count()).toBe(15);
  });
});

inBrowser("of a first visitor", () => {
  /** A wide window shows all that a narrow one does. */
  test("from the landing page to the first call in at most four clicks, in a narrow window", async () => {
    const headers = { "x-forwarded-for": "203.0.113.139" };
    const view = { viewport: { width: 390, height: 900 }, extraHTTPHeaders: headers };
    const context = await browser.newContext({ ...view, reducedMotion: "reduce" });
    const { page, complaints } = await openPage(server.url, { context });
    let clicks = 0;
    const click = async (selector: string) => {
      clicks += 1;
      await page.click(selector);
    };
    /** The steps before it are looked at with all other pages. */
    const seen = async (step: string) => {
      expect([step, await violations(page)]).toEqual([step, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([step, overflow]).toEqual([step, 0]);
    };
    await click("header a:has-text('Get a key')");
    await page.waitForSelector("#password");
    await page.fill("#email", EMAIL);
    await page.fill("#password", "seven kites above Delft");
    await click("main button[type=submit]");
    await page.waitForURL(`${server.url}/dashboard/keys`);
    await page.waitForSelector("text=waiting for your first call");
    await seen("a key");
    const calls = await page.locator(".call code").allTextContents();
    expect(calls).toHaveLength(3);
    const key = /fxk_\w+/.exec(calls[0] ?? "")?.[0] ?? "";
    for (const call of calls) expect(call).toContain(key);
    const url = /'(http[^']+)'/.exec(calls[0] ?? "")?.[1] ?? "";
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(Object.keys((await answer.json()).rates)).toEqual(["EUR", "JPY"]);
    await page.waitForSelector("#first-call:has-text('✓ 1 request served')");
    // It is written within a minute: until then no page says that a key was never used.
    expect(await page.textContent("main")).toContain("Last usednever, as of a minute ago");
    await seen("the first call");
    expect(clicks).toBeLessThanOrEqual(4);
    await expectKnown(page, EMAIL);
    expect(complaints).toEqual([]);
  });

  /** Public pages, the shared ones too, name the person; without the session they are for everybody again. */
  async function expectKnown(page: Page, email: string): Promise<void> {
    expect(await (await fetch(`${server.url}/sitemap.xml`)).text()).toContain("/pricing</loc>");
    for (const path of ["/", "/usd-eur", "/pricing", "/official", "/status/page", "/docs"]) {
      const answer = await page.request.get(server.url + path);
      expect([path, answer.headers()["cache-control"]]).toEqual([path, "no-store"]);
      expect(textOf(await answer.text()), path).toMatch(new RegExp(`${RegExp.escape(email)} +Dashboard`));
      const plain = await fetch(server.url + path);
      expect([path, plain.headers.get("cache-control")]).toEqual([path, "no-cache"]);
      expect(await plain.text()).not.toContain(email);
    }
  }
});
