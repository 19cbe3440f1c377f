/** The dashboard in a browser, on a metered server with mail and a simulated Stripe: every flow of an account from its beginning to its end. */

import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { API_KEY_PATTERN } from "#domain/account/key.ts";
import { checkSignature, SIGNATURE_HEADER } from "#domain/webhook/endpoint.ts";
import { PASSWORD } from "#test/metered/client.ts";
import { browser, inBrowser, openPage } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { until } from "#test/support/until.ts";
import { openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";
import { type Received, startReceiver } from "#test/webhooks/receiver.ts";
import { openPeople } from "./residents.ts";

const KEY = new RegExp(API_KEY_PATTERN);
inBrowser("the dashboard", () => {
  const server = ofAllTests(() => openDashboardServer({ mail: true }));

  let people = 0;
  async function newContext(): Promise<BrowserContext> {
    people += 1;
    const headers = { "x-forwarded-for": `203.0.113.${people}` };
    return await browser.newContext({
      extraHTTPHeaders: headers,
      permissions: ["clipboard-read", "clipboard-write"],
    });
  }
  async function fill(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value);
    await page.click("main form button[type=submit]");
  }
  async function signIn(page: Page, email: string): Promise<void> {
    await page.waitForURL("**/dashboard/sign-in**");
    await fill(page, { email, password: PASSWORD });
    await page.waitForURL((url) => !url.pathname.startsWith("/dashboard/sign-in"));
  }
  /** A person with one key in a browser, signed in by API: how people do it is a test of its own. */
  async function withKey() {
    const member = await openPeople(server).withKey(`member-${++people}@example.org`);
    const context = await newContext();
    await context.addCookies([{ name: "crossrate_session", value: member.session, url: server.url }]);
    const watched = await openPage(`${server.url}/dashboard/keys`, { context });
    return { ...watched, ...member };
  }
  async function shownKey(page: Page): Promise<string> {
    return KEY.exec((await page.textContent("[data-secret]")) ?? "")?.[0] ?? "";
  }
  const works = async (key: string) =>
    (await fetch(`${server.url}/v1/latest?symbols=EUR`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  test("an account: signed up, confirmed by the mailed link, signed in again, with its first key", async () => {
    const email = "by-mail@example.org";
    const context = await newContext();
    const { page, complaints } = await openPage(`${server.url}/dashboard/sign-up`, { context });
    await fill(page, { email, password: PASSWORD });
    await page.waitForURL("**/dashboard/sign-in");
    expect(await page.textContent(".message")).toContain("An e-mail is on its way.");
    await page.goto(await server.linkTo(email));
    expect(page.url()).toBe(`${server.url}/verify-email`);
    await fill(page, { password: PASSWORD });
    await page.waitForURL("**/dashboard");
    expect(await page.textContent(".message")).toContain("Your e-mail address is confirmed");
    await context.clearCookies();
    await page.goto(`${server.url}/dashboard`);
    await signIn(page, email);
    await page.click("text=Create the key");
    await page.waitForURL("**/dashboard/keys");
    expect(await works(await shownKey(page))).toBe(200);
    await page.goto(`${server.url}/dashboard`);
    expect(await page.textContent(".month-figure")).toContain("1 of 10,000 calls");
    expect(complaints).toEqual([]);
  });

  test("a key is shown, copied and hidden; it is in no address and no storage", async () => {
    const { page, key, complaints } = await withKey();
    expect(await page.content()).not.toContain(key);
    await page.click("form[action$=reveal] button");
    await page.waitForURL("**/dashboard/keys");
    expect(await shownKey(page)).toBe(key);
    await page.click("[data-copy]");
    await page.waitForSelector("text=Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    // A browser that refuses: nobody stores what the clipboard had before as the key.
    await page.context().clearPermissions();
    await page.click("[data-copy]");
    await page.waitForSelector("text=Not copied");
    await page.click("main a:has-text('Hide')");
    await page.waitForSelector("form[action$=reveal]");
    expect(await page.content()).not.toContain(key);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain("fxk_");
    expect(complaints).toEqual([]);
  });

  test("a plan is bought at the payment provider and is in force on the page that the browser comes back to", async () => {
    const { page, complaints } = await withKey();
    await page.goto(`${server.url}/dashboard/plan`);
    await page.click("tr:has-text('Pro') button:has-text('Monthly')");
    await page.waitForURL(`${server.stripe.base}/**`);
    await page.click("text=Pay and subscribe");
    await page.waitForURL("**/dashboard/plan?checkout=success");
    await page.waitForSelector("tr.selected:has-text('Pro')");
    expect(await page.textContent(".lead")).toContain("Pro");
    expect(await page.textContent("[role=status]")).toContain("Your new plan is in force");
    await page.click("text=Change, pay or cancel the subscription");
    await page.waitForURL(`${server.stripe.base}/**`);
    expect(complaints.filter((text) => !text.includes(server.stripe.base))).toEqual([]);
  });

  test("a form whose button is clicked twice is sent once, and its answer is shown", async () => {
    const { page, complaints } = await withKey();
    await page.goto(`${server.url}/dashboard/account`);
    await page.click("text=Change the password");
    await page.fill("#current", PASSWORD);
    await page.fill("#new", "another long sentence 77");
    const posts: string[] = [];
    const answering = Promise.withResolvers<void>();
    await page.route("**/dashboard/account/password", async (route) => {
      posts.push(route.request().url());
      await answering.promise;
      // The browser gives up the request of a form that is sent again.
      await route.continue().catch(() => {});
    });
    const { x = 0, y = 0 } = (await page.locator("button:text-is('Change')").boundingBox()) ?? {};
    for (const _ of [1, 2]) {
      await page.mouse.click(x + 5, y + 5);
      await until("the form is sent", () => posts.length > 0);
    }
    answering.resolve();
    await page.waitForSelector("text=Your password was changed.");
    expect(posts).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("an endpoint's test event reaches its receiver with a right signature, and the page shows the attempt by itself", async () => {
    const failing = Promise.withResolvers<number>();
    const receiver = startReceiver((nth) => (nth === 1 ? 204 : failing.promise));
    const { page, complaints, organizationId } = await withKey();
    await server.setTier(organizationId, "plus");
    await page.goto(`${server.url}/dashboard/webhooks`);
    await fill(page, { url: `${receiver.url}/hook`, description: "Ledger" });
    const secret = await page.textContent("[data-secret]");
    expect(page.url()).toMatch(/\/dashboard\/webhooks\/whe_\w+$/);
    await page.click("text=Send a test event");
    await receiver.came(1);
    const [{ headers, body }] = receiver.received as [Received];
    const signature = headers.get(SIGNATURE_HEADER) ?? "";
    expect(checkSignature(signature, body, secret ?? "", server.clock.now())).toBe("genuine");
    expect(JSON.parse(body).type).toBe("webhook.test");
    await page.waitForSelector("#deliveries .source.live:has-text('delivered')", { timeout: 5000 });
    expect(await page.textContent("#deliveries")).toContain("status 204");
    expect(await page.content()).not.toContain(secret);

    await page.click("#deliveries button:has-text('Resend')");
    await receiver.came(2);
    // What is read stays open, and the focus on it, when the result comes.
    await page.click("summary:has-text('What was sent')");
    failing.resolve(500);
    await page.waitForSelector("text=status 500", { timeout: 5000 });
    expect(await page.textContent("#deliveries")).toContain("Next attempt:");
    await page.waitForSelector("details[open] > summary:focus:has-text('What was sent')", { timeout: 5000 });
    expect(complaints).toEqual([]);
  });
});
