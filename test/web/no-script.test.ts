/** The site with JavaScript switched off: numbers are on the pages, and forms do what they say. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { API_KEY_PATTERN } from "#domain/account/key.ts";
import { PASSWORD } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { openBrowser, openPage } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";

setDefaultTimeout(300_000);
const program = optionalTool("chromium", "the site without scripts");
const KEY = new RegExp(API_KEY_PATTERN);

describe.skipIf(program === null)("without a script", () => {
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

  async function opened(path: string): Promise<Page> {
    const context = await browser.newContext({ javaScriptEnabled: false });
    return (await openPage(browser, server.url + path, { context })).page;
  }
  const works = async (key: string) =>
    (await fetch(`${server.url}/v1/latest?symbols=EUR`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  test("every page has its numbers, and the table's form changes base, amount and search", async () => {
    const page = await opened("/?base=GBP&to=SEK");
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
    await page.goto(`${server.url}/gbp-sek?date=2020-03-19`);
    expect(await page.textContent(".provenance")).toContain("for 19 Mar 2020");
    expect(await page.locator(".history-table tbody tr").count()).toBe(15);
    await page.context().close();
  });

  test("an account: signed up, a key made, shown, rotated and revoked, an endpoint added with its secret", async () => {
    const page = await opened("/dashboard/sign-up");
    const email = "no-script@example.org";
    await page.fill("#email", email);
    await page.fill("#password", PASSWORD);
    await page.click("main button[type=submit]");
    const key = KEY.exec((await page.textContent("[data-key]")) ?? "")?.[0] ?? "";
    expect(await works(key)).toBe(200);
    await page.goto(`${server.url}/dashboard/keys`);
    expect(await page.content()).not.toContain(key);
    await page.click("[data-reveal] button");
    expect(await page.textContent("[data-key]")).toBe(key);

    await page.click("summary:has-text('Rotate the key')");
    await page.click("button:has-text('Rotate')");
    expect(await page.textContent(".message")).toContain("Your new key is active.");
    await page.click("[data-reveal] button");
    const newer = (await page.textContent("[data-key]")) ?? "";
    expect([await works(key), await works(newer)]).toEqual([200, 200]);

    const { ledger } = server.crossrate.accounts as NonNullable<typeof server.crossrate.accounts>;
    const owner = await ledger.identities.byEmail(email);
    await server.setTier((await ledger.organizations.byOwner(owner?.id ?? ""))?.id ?? "", "plus");
    await page.click(".dash-nav >> text=Webhooks");
    await page.fill("#url", "http://127.0.0.1:9/hook");
    await page.click("button:has-text('Add and show the secret')");
    expect(await page.textContent("[data-secret]")).toMatch(/^whsec_/);
    await page.click("text=Disable");
    expect(await page.textContent(".message")).toContain("is disabled");

    await page.click(".dash-nav >> text=Keys");
    await page.click("summary:has-text('Revoke every key')");
    // Without the tick the browser itself holds the form back.
    await page.click("button:has-text('Revoke every key')");
    expect(await works(newer)).toBe(200);
    await page.check('form[action$="/revoke"] [name=confirm]');
    await page.click("button:has-text('Revoke every key')");
    expect(await page.textContent(".message")).toContain("All keys are revoked.");
    expect([await works(key), await works(newer)]).toEqual([401, 401]);
    await page.context().close();
  });
});
