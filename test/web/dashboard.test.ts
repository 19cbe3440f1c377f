/** The dashboard in a browser, on a metered server with mail and a simulated Stripe: every flow of an account from its beginning to its end. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startReceiver } from "#demo/receiver.ts";
import { API_KEY_PATTERN } from "#domain/account/key.ts";
import { openBrowser, openPage, type WatchedPage } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";

setDefaultTimeout(300_000);
const program = optionalTool("chromium", "the dashboard in a browser");
const PASSWORD = "seven kites above Delft";
const KEY = new RegExp(API_KEY_PATTERN);
describe.skipIf(program === null)("the dashboard", () => {
  let browser: Browser;
  let server: DashboardServer;
  beforeAll(async () => {
    server = await openDashboardServer({ mail: true });
    browser = await openBrowser(program as string);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  let people = 0;
  /** A page of a person of their own: signed up, confirmed by the mailed link, signed in. */
  async function signedIn(): Promise<
    WatchedPage & { readonly email: string; readonly context: BrowserContext }
  > {
    people += 1;
    const email = `person-${people}@example.org`;
    const context = await newContext();
    const watched = await openPage(browser, `${server.url}/dashboard/sign-up`, { context });
    const { page } = watched;
    await fill(page, { email, password: PASSWORD });
    await page.waitForURL("**/dashboard/sign-in");
    expect(await page.textContent(".message")).toContain("An e-mail is on its way.");
    await page.goto(await server.linkTo(email));
    expect(page.url()).toBe(`${server.url}/verify-email`);
    await page.click("button:has-text('Confirm')");
    await page.waitForSelector("[data-when=done]:not([hidden])");
    expect(await page.textContent("#confirmed")).toBe(email);
    await page.click("a:has-text('sign in')");
    await signIn(page, email);
    return { ...watched, email, context };
  }
  /** From an address of its own. */
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
    people += 1;
    const email = `person-${people}@example.org`;
    const send = (path: string, body: object, token = "") =>
      fetch(server.url + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-forwarded-for": `203.0.113.${people}`,
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    await send("/v1/auth/sign-up", { email, password: PASSWORD });
    const link = await server.linkTo(email);
    await send("/v1/auth/verify-email", { token: link.slice(link.indexOf("=") + 1) });
    const signedInAs = await send("/v1/auth/sign-in", { email, password: PASSWORD });
    const [, value = ""] = /crossrate_session=([^;]+)/.exec(signedInAs.headers.get("set-cookie") ?? "") ?? [];
    const { plaintext: key } = (await (await send("/v1/account/provision", {}, value)).json()) as {
      plaintext: string;
    };
    const context = await newContext();
    await context.addCookies([{ name: "crossrate_session", value, url: server.url }]);
    const watched = await openPage(browser, `${server.url}/dashboard/keys`, { context });
    return { ...watched, email, key };
  }
  async function shownKey(page: Page): Promise<string> {
    return KEY.exec((await page.textContent("[data-key]")) ?? "")?.[0] ?? "";
  }
  const works = async (key: string) =>
    (await fetch(`${server.url}/v1/latest?symbols=EUR`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  test("from signing up to the first call with the first key, and out and in again", async () => {
    const { page, email, complaints } = await signedIn();
    await page.click("text=Create the key");
    await page.waitForURL("**/dashboard/keys");
    const key = await shownKey(page);
    expect(await works(key)).toBe(200);
    expect(await page.textContent("[data-call]")).toContain(`Bearer ${key}`);
    await page.goto(`${server.url}/dashboard`);
    expect(await page.textContent(".month-figure")).toContain("1 of 10,000 calls");
    await page.click("text=Sign out");
    await page.waitForURL("**/dashboard/sign-in");
    await page.goto(`${server.url}/dashboard/keys`);
    await signIn(page, email);
    expect(page.url()).toBe(`${server.url}/dashboard/keys`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a key is shown, copied and hidden; it is in no address and no storage", async () => {
    const { page, key, complaints } = await withKey();
    expect(await page.content()).not.toContain(key);
    await page.click("[data-copy-key]");
    await page.waitForSelector("text=Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(await page.content()).not.toContain(key);
    await page.click("[data-reveal] button");
    await page.waitForFunction((text) => document.querySelector("[data-key]")?.textContent === text, key);
    await page.click("[data-reveal] button");
    expect(await page.content()).not.toContain(key);
    await page.route("**/v1/account", (route) => route.abort());
    await page.click("[data-reveal] button");
    await page.waitForSelector("text=The server cannot be reached.");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("ERR_FAILED")]);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain("fxk_");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a rotation leaves the key before its grace, which counts down; a revocation ends both", async () => {
    const { page, key, complaints } = await withKey();
    await page.click("summary:has-text('Rotate the key')");
    await page.click("button:has-text('Rotate')");
    await page.waitForSelector("[data-countdown]");
    const left = (await page.textContent("[data-countdown]")) ?? "";
    expect(left).toMatch(/^23:59:\d\d$|^24:00:00$/);
    await page.waitForFunction(
      (text) => document.querySelector("[data-countdown]")?.textContent !== text,
      left,
    );
    await page.click("[data-reveal] button");
    await page.waitForFunction(() =>
      /^fxk_\w{38}$/.test(document.querySelector("[data-key]")?.textContent ?? ""),
    );
    const newer = await shownKey(page);
    expect([await works(key), await works(newer)]).toEqual([200, 200]);
    await page.click("summary:has-text('Revoke every key')");
    await page.check('form[action$="/revoke"] [name=confirm]');
    await page.click("button:has-text('Revoke every key')");
    await page.waitForSelector("text=You have no active key.");
    expect([await works(key), await works(newer)]).toEqual([401, 401]);
    expect(complaints).toEqual([]);
    await page.context().close();
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
    await page.click("text=Change, pay or cancel the subscription");
    await page.waitForURL(`${server.stripe.base}/**`);
    expect(complaints.filter((text) => !text.includes(server.stripe.base))).toEqual([]);
    await page.context().close();
  });

  test("an endpoint's test event reaches its receiver with a right signature, and the page shows the attempt by itself", async () => {
    const receiver = await startReceiver({ now: server.clock.now });
    const { page, complaints, email } = await withKey();
    const { ledger } = server.crossrate.accounts as NonNullable<typeof server.crossrate.accounts>;
    const identity = await ledger.identities.byEmail(email);
    const organization = await ledger.organizations.byOwner(identity?.id ?? "");
    await server.setTier(organization?.id ?? "", "plus");
    await page.goto(`${server.url}/dashboard/webhooks`);
    await fill(page, { url: `${receiver.url}/hook`, description: "Ledger" });
    const secret = await page.textContent("[data-secret]");
    receiver.trust(secret ?? "");
    expect(page.url()).toMatch(/\/dashboard\/webhooks\/whe_\w+$/);
    await page.click("text=Send a test event");
    const event = await receiver.first(({ verdict }) => verdict === "genuine");
    expect(event.type).toBe("webhook.test");
    await page.waitForSelector("#deliveries .source.live:has-text('delivered')", { timeout: 5000 });
    expect(await page.textContent("#deliveries")).toContain("status 204");
    expect(await page.content()).not.toContain(secret);

    receiver.answer(500);
    await page.click("#deliveries button:has-text('Resend')");
    await page.waitForSelector("text=status 500", { timeout: 5000 });
    expect(await page.textContent("#deliveries")).toContain("Next attempt:");
    await receiver.stop();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a session that has ended under an open page leads to the sign-in, and back to the page", async () => {
    const { page, email, complaints } = await withKey();
    const { ledger } = server.crossrate.accounts as NonNullable<typeof server.crossrate.accounts>;
    const endAll = async () => {
      const identity = await ledger.identities.byEmail(email);
      await ledger.sessions.endAll(identity?.id ?? "", "all", { at: server.clock.now(), actor: "operator" });
    };
    await endAll();
    await page.click("[data-reveal] button");
    await page.waitForURL("**/dashboard/sign-in?next=%2Fdashboard%2Fkeys");
    await signIn(page, email);
    expect(page.url()).toBe(`${server.url}/dashboard/keys`);
    await endAll();
    await page.click("summary:has-text('Rotate the key')");
    await page.click("button:has-text('Rotate')");
    await signIn(page, email);
    expect(page.url()).toBe(`${server.url}/dashboard/keys`);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    await page.context().close();
  });

  test("a forgotten password is set by the mailed link, and ends the old one", async () => {
    const { page, email, complaints } = await withKey();
    await page.click("text=Sign out");
    await page.click("text=Forgot your password?");
    const before = server.smtp.mails.length;
    await fill(page, { email });
    await page.waitForSelector("text=An e-mail is on its way");
    while (server.smtp.mails.length === before) await Bun.sleep(10);
    await page.goto(await server.linkTo(email));
    expect(page.url()).toBe(`${server.url}/reset-password`);
    await page.fill("#new", `${PASSWORD}!`);
    await page.fill("#again", PASSWORD);
    await page.click("text=Set password");
    await page.waitForSelector("text=the two passwords differ");
    await page.fill("#again", `${PASSWORD}!`);
    await page.click("text=Set password");
    await page.waitForSelector("[data-when=done]:not([hidden])");
    await page.goto(`${server.url}/dashboard/sign-in`);
    await fill(page, { email, password: PASSWORD });
    await page.waitForSelector(".message.refusal");
    await fill(page, { email, password: `${PASSWORD}!` });
    await page.waitForURL("**/dashboard");
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    await page.context().close();
  });
});
