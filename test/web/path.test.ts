/** The way of a first visitor in a browser: landing page, account, key, first call, in at most four clicks, each step accessible and photographed. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openPage, violations } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";

setDefaultTimeout(120_000);
const program = optionalTool("chromium", "the way from the landing page to the first call");
/** `CROSSRATE_PICTURES` keeps them. */
const pictures = process.env["CROSSRATE_PICTURES"] ?? temporaryDirectory();
const EMAIL = "visitor@example.org";

describe.skipIf(program === null)("from the landing page to the first call", () => {
  let browser: Browser;
  let server: DashboardServer;
  beforeAll(async () => {
    server = await openDashboardServer({ mail: false });
    browser = await openBrowser(program as string);
    await mkdir(pictures, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  test.each([1440, 390])("in at most four clicks, %d pixels wide", async (width) => {
    const headers = { "x-forwarded-for": `203.0.113.${width % 251}` };
    const view = { viewport: { width, height: 900 }, extraHTTPHeaders: headers };
    const context = await browser.newContext({ ...view, reducedMotion: "reduce" });
    const { page, complaints } = await openPage(browser, server.url, { context });
    let clicks = 0;
    const click = async (selector: string) => {
      clicks += 1;
      await page.click(selector);
    };
    const seen = async (step: string) => {
      await page.screenshot({ path: join(pictures, `${width}-${step}.png`), fullPage: true });
      expect([step, await violations(page)]).toEqual([step, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([step, overflow]).toEqual([step, 0]);
    };
    await seen("1-landing");
    await click("header a:has-text('Get a key')");
    await page.waitForSelector("#password");
    await seen("2-sign-up");
    await page.fill("#email", `${width}-${EMAIL}`);
    await page.fill("#password", "seven kites above Delft");
    await click("main button[type=submit]");
    await page.waitForSelector("text=waiting for your first call");
    expect(page.url()).toBe(`${server.url}/dashboard/keys`);
    await seen("3-key");
    const calls = await page.locator("[data-call]").allTextContents();
    expect(calls).toHaveLength(3);
    const key = /fxk_\w+/.exec(calls[0] ?? "")?.[0] ?? "";
    for (const call of calls) expect(call).toContain(`Bearer ${key}`);
    const url = /'(http[^']+)'/.exec(calls[0] ?? "")?.[1] ?? "";
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(Object.keys(((await answer.json()) as { rates: object }).rates)).toEqual(["EUR", "JPY"]);
    await page.waitForSelector("#first-call:has-text('✓ 1 call received')");
    await seen("4-first-call");
    expect(clicks).toBeLessThanOrEqual(4);
    await expectKnown(page, `${width}-${EMAIL}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** Public pages, the shared ones too, name the person; without the session they are for everybody again. */
  async function expectKnown(page: Page, email: string): Promise<void> {
    for (const path of ["/", "/usd-eur", "/pricing", "/official", "/status/page", "/docs"]) {
      const answer = await page.goto(server.url + path);
      expect([path, answer?.headers()["cache-control"]]).toEqual([path, "no-store"]);
      const header = (await page.textContent(".site-actions")) ?? "";
      expect([path, header]).toEqual([path, expect.stringContaining(`${email}Dashboard`)]);
      const plain = await fetch(server.url + path);
      expect([path, plain.headers.get("cache-control")]).toEqual([path, "no-cache"]);
      expect(await plain.text()).not.toContain(email);
    }
  }
});
