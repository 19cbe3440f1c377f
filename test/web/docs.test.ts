/** The documentation in a browser: calls in three languages with a script and without, and a key that fills a page and stays nowhere. */

import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { join } from "#test/metered/client.ts";
import { openReplica, runningClock } from "#test/metered/replica.ts";
import { browser, inBrowser, openPage } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";

const GUIDE = "/docs/first-calls";
const KEY = "fxk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab";

inBrowser("the documentation", () => {
  const server = ofAllTests(async () => {
    const { url } = await openReplica({ clock: runningClock() });
    return { url, member: await join(url) };
  });

  async function openGuide(context?: BrowserContext, path = GUIDE) {
    const own = context ?? (await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] }));
    return await openPage(server.url + path, { context: own });
  }

  /** Of each call the languages whose code is to be seen. */
  const shownLanguages = (page: Page) =>
    page.$$eval(".call", (calls) =>
      calls.map((call) =>
        [...call.querySelectorAll<HTMLElement>("[data-language]")]
          .filter((code) => code.checkVisibility())
          .map((code) => code.dataset["language"])
          .join(),
      ),
    );

  test("a language that is chosen for one call is shown for every call of the page, and what was clicked does not move", async () => {
    const { page } = await openGuide();
    expect(await shownLanguages(page)).toEqual(["sh", "sh", "sh", "sh"]);
    const label = page.locator('label[for="call-3-python"]');
    await label.scrollIntoViewIfNeeded();
    const before = await label.boundingBox();
    await label.click();
    expect(await shownLanguages(page)).toEqual(["python", "python", "python", "python"]);
    expect(Math.abs(((await label.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
    await page.focus("#call-1-python");
    await page.keyboard.press("ArrowLeft");
    expect(await shownLanguages(page)).toEqual(["ts", "ts", "ts", "ts"]);
    await page.click('.call [data-language="ts"] .copy');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("await crossrate.convert(");
    await page.reload();
    expect(await shownLanguages(page)).toEqual(["sh", "sh", "sh", "sh"]);
  });

  test("without a script each call has its languages, and there is no field that does nothing", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(server.url + GUIDE);
    await page.click('label[for="call-2-python"]');
    expect(await page.isVisible('.call:has(#call-2-python) [data-language="python"]')).toBe(true);
    expect(await page.isVisible('.call:has(#call-2-python) [data-language="sh"]')).toBe(false);
    expect(await page.isVisible('.call:has(#call-1-sh) [data-language="sh"]')).toBe(true);
    expect(await page.isVisible(".docs-key")).toBe(false);
  });

  const code = (page: Page) =>
    page.$$eval(".docs-page pre", (all) => all.map((pre) => pre.textContent).join("\n"));

  const stored = async (page: Page) => ({
    cookies: (await page.context().cookies()).map(({ name }) => name),
    kept: await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...(await caches.keys()),
      ...(history.state === null ? [] : [JSON.stringify(history.state)]),
      window.name,
    ]),
  });
  const NOTHING = { cookies: [], kept: [""] };

  test("a key that is pasted fills every call, is sent nowhere, and is gone with the page", async () => {
    const { page, requests } = await openGuide();
    const documented = await code(page);
    const address = page.url();
    const sent = requests.length;
    await page.click(".docs-key summary");
    await page.fill("#docs-key", ` ${KEY} `);
    await page.press("#docs-key", "Enter");
    const filled = await code(page);
    expect(filled).toBe(documented.replaceAll("$KEY", KEY).replaceAll("fxk_…", KEY));
    expect(filled).toContain(`-H "Authorization: Bearer ${KEY}"`);
    expect(filled).toContain(`key: "${KEY}"`);
    expect(filled).toContain(`key="${KEY}"`);
    expect(await page.textContent(".docs-key [role=status]")).toMatch(
      /^Filled in at \d+ places of this page\.$/,
    );
    expect([page.url(), requests.length]).toEqual([address, sent]);
    expect(await stored(page)).toEqual(NOTHING);

    await page.click('.docs-contents a[href="/docs/limits"]');
    await page.waitForURL("**/docs/limits");
    expect(await page.content()).not.toContain(KEY);
    expect(await stored(page)).toEqual(NOTHING);
    await page.goBack();
    await page.waitForURL(address);
    expect([await code(page), await page.inputValue("#docs-key")]).toEqual([documented, ""]);
    expect(requests.filter((path) => path.includes("fxk_"))).toEqual([]);
  });

  test("a page that the browser kept for the way back has no key in it", async () => {
    const { page } = await openGuide();
    const documented = await code(page);
    await page.click(".docs-key summary");
    await page.fill("#docs-key", KEY);
    expect(await code(page)).not.toBe(documented);
    // As the browser says it to a page that is left and kept.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    expect([await code(page), await page.inputValue("#docs-key")]).toEqual([documented, ""]);
  });

  test("what is no key changes nothing", async () => {
    const { page, complaints } = await openGuide();
    const documented = await code(page);
    await page.click(".docs-key summary");
    for (const text of ["fxk_short", `${KEY}0`, `"; rm -rf ~ #${KEY}`, "<img src=x onerror=alert(1)>"]) {
      await page.fill("#docs-key", text);
      expect(await code(page), text).toBe(documented);
      expect(await page.textContent(".docs-key [role=status]")).toStartWith("Not a key");
    }
    expect(complaints).toEqual([]);
  });

  test("the key of the account that is signed in fills the page when its person says so, and not before", async () => {
    const context = await browser.newContext();
    await context.addCookies([{ name: "crossrate_session", value: server.member.token, url: server.url }]);
    const { page, requests } = await openGuide(context);
    const documented = await code(page);
    expect(requests).not.toContain("/v1/account");
    await page.click(".docs-key summary");
    await page.click("[data-own-key]");
    await page.waitForSelector("[data-forget-key]:not([hidden])");
    expect(await code(page)).toContain(`Bearer ${server.member.key}"`);
    expect((await stored(page)).kept).toEqual(NOTHING.kept);
    await page.click("[data-forget-key]");
    expect([await code(page), await page.inputValue("#docs-key")]).toEqual([documented, ""]);
  });

  test("who is not signed in is led to the sign-in and back to the page", async () => {
    const { page } = await openGuide();
    await page.click(".docs-key summary");
    expect(await page.isVisible("[data-sign-in]")).toBe(false);
    await page.click("[data-own-key]");
    await page.waitForSelector("[data-sign-in]:not([hidden])");
    expect(await page.textContent(".docs-key [role=status]")).toBe("You are not signed in.");
    await page.click("[data-sign-in]");
    await page.waitForURL(`**/dashboard/sign-in?next=${GUIDE}`);
  });

  test("an error has an address, and the page opens at it", async () => {
    const { page } = await openGuide(undefined, "/docs/errors#plan_gated");
    const top = await page.$eval("#plan_gated", (heading) => heading.getBoundingClientRect().top);
    expect(top).toBeWithin(-1, 200);
    expect(await page.textContent("#plan_gated")).toBe("plan_gated");
  });
});
