/** axe-core on every page: no violation in either scheme on desktop and phone, no page wider than its window, no complaint, no request elsewhere. */

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { AXE, browser, inBrowser, openPage, violations, type WatchedPage } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { CORRECTED, openFurnishedSite, openLateSite } from "./furnished.ts";
import type { Resident } from "./residents.ts";

const WIDE = 1440;
const NARROW = 390;
const HEIGHT = 900;
/** No page is wider than this window. */
const NARROWEST = 360;

/**
 * What has many neighbours of its own shape: the library would need half a minute for all of them. One part draws every operation of the
 * reference, one every row of a table.
 */
const REPEATED = [
  ".reference article ~ article",
  "tbody tr:nth-child(n + 9)",
  "li:nth-child(n + 9)",
  "option:nth-child(n + 9)",
  "pre span:nth-child(n + 25)",
  "svg g:nth-child(n + 9)",
].join();

/** Rules about what a scheme or a window changes. Names, roles and order of what a page has are the same in every one. */
const OF_STYLE = { runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"] };

/** A page, and what is done on it before it is looked at. */
type Place = readonly [path: string, act?: Act | null, status?: number];
type Act = (page: Page) => Promise<unknown>;

inBrowser("every page is accessible", () => {
  const site = ofAllTests(() => openFurnishedSite("latest"));

  let visitors = 0;
  /** From an address of its own: how much one may ask is another test's. */
  async function opened(who: Resident | null, address = `203.0.113.${++visitors}`): Promise<WatchedPage> {
    const context = await browser.newContext({
      reducedMotion: "reduce",
      extraHTTPHeaders: { "x-forwarded-for": address },
    });
    await context.addInitScript({ path: AXE });
    if (who !== null)
      await context.addCookies([{ name: "crossrate_session", value: who.session, url: site.server.url }]);
    return await openPage("about:blank", { context });
  }

  let looks = 0;
  /**
   * A page is loaded once: widths and schemes differ in its style alone. It is looked at in both schemes and both windows, by all rules where
   * it is light; which of them belong together changes from page to page, so that the parts that pages share are seen in all four.
   */
  async function look({ page, complaints }: WatchedPage, place: string): Promise<void> {
    for (const width of [NARROWEST, WIDE]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(`${place} ${width} is ${overflow} px too wide`).toBe(`${place} ${width} is 0 px too wide`);
    }
    await page.evaluate((repeated) => {
      for (const block of document.querySelectorAll(repeated)) block.remove();
    }, REPEATED);
    const schemes = looks++ % 2 === 0 ? (["light", "dark"] as const) : (["dark", "light"] as const);
    for (const [index, width] of [WIDE, NARROW].entries()) {
      const colorScheme = schemes[index] as "light" | "dark";
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme });
      const view = `${place}, ${width} px, ${colorScheme}`;
      const rules = colorScheme === "light" ? {} : OF_STYLE;
      expect([view, await violations(page, rules)]).toEqual([view, []]);
    }
    expect([place, complaints.splice(0)]).toEqual([place, []]);
  }

  async function lookAtAll(
    who: Resident | null,
    places: readonly Place[],
    {
      at = site.server.url,
      address,
      width = WIDE,
    }: { readonly at?: string; readonly address?: string; readonly width?: number } = {},
  ): Promise<void> {
    const watched = await opened(who, address);
    const { page, complaints } = watched;
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== at) elsewhere.push(request.url());
    });
    for (const [path, act = null, status = 200] of places) {
      await page.setViewportSize({ width, height: HEIGHT });
      // What differs behind the # alone would load nothing anew.
      if (path.includes("#")) await page.goto("about:blank");
      const answer = await page.goto(at + path, { waitUntil: "load" });
      await act?.(page);
      if (act === null) expect([path, answer?.status()]).toEqual([path, status]);
      if (status !== 200) {
        // The browser itself reports the status of a refusal, once.
        const report = complaints.findIndex((text) => text.includes(`a status of ${status}`));
        expect([path, report]).not.toEqual([path, -1]);
        complaints.splice(report, 1);
      }
      await look(watched, path);
    }
    expect(elsewhere).toEqual([]);
    await page.context().close();
  }

  test("rates: the landing page, a number's provenance beside it and in the drawer, a pair and its chart", async () => {
    const explain = (place: string) => async (page: Page) => {
      await page.click("tbody tr:has-text('NOK') .rate a");
      await page.waitForSelector(`${place} .provenance`);
    };
    await lookAtAll(null, [
      ["/"],
      ["/?to=JPY"],
      ["/?search=nothing-like-it"],
      ["/?base=CHF", explain("#provenance")],
      ["/usd-eur", (page) => page.waitForSelector(".chart canvas")],
    ]);
    await lookAtAll(null, [["/?base=CHF", explain("dialog.drawer[open]")]], { width: NARROW });
  });

  test("official: all tables, one table, a publication with two versions", () =>
    lookAtAll(null, [
      ["/official"],
      [CORRECTED.table],
      [
        CORRECTED.table,
        async (page) => {
          await page.click(`.official-publications >> text=${CORRECTED.publication}`);
          await page.waitForSelector(".official-differences");
        },
      ],
    ]));

  test("documentation, its search, status, the pages before a session and those of mailed links", () =>
    lookAtAll(null, [
      ["/docs"],
      ["/docs/limits"],
      ["/docs/first-calls", openAll],
      ["/docs/reference", openAll],
      ["/search?q=headers"],
      ["/search?q=xylophone"],
      ["/status/page"],
      ["/dashboard/sign-up"],
      ["/dashboard/sign-in"],
      ["/dashboard/password-reset"],
      ["/dashboard/verify-email"],
      ["/verify-email#token=x"],
      ["/reset-password#token=x"],
      ["/account?checkout=success"],
    ]));

  test("dashboard: usage, keys, plan, webhooks, sessions, and what cannot be undone", () =>
    lookAtAll(site.regular, [
      ["/dashboard", (page) => page.click("summary:has-text('Show as a table')")],
      [
        "/dashboard/keys",
        async (page) => {
          await page.click("form[action$=reveal] button");
          await page.waitForSelector("main a:has-text('Hide')");
          await openAll(page);
        },
      ],
      ["/dashboard/plan"],
      ["/dashboard/plan?checkout=cancelled"],
      ["/dashboard/webhooks"],
      [site.endpoint, openAll],
      [site.disabledEndpoint],
      [site.surplusEndpoint],
      ["/dashboard/account", openAll],
    ]));

  test("dashboard of others: before the first key, with a payment missing, suspended", async () => {
    await lookAtAll(site.newcomer, [
      ["/dashboard"],
      [
        "/dashboard/account",
        async (page) => {
          await page.click("summary:has-text('Change the password')");
          await page.fill("#current", "not the password");
          await page.fill("#new", "short");
          await page.click("form button:has-text('Change')");
          await page.waitForSelector(".message.refusal");
        },
        422,
      ],
    ]);
    await lookAtAll(site.debtor, [["/dashboard"], ["/dashboard/plan"]]);
    await lookAtAll(site.suspended, [["/dashboard"], ["/dashboard/webhooks"]]);
  });

  test("operator's room: the door, accounts, one account, figures, audit log", async () => {
    const watched = await opened(null);
    const { page } = watched;
    await page.goto(site.operator.url);
    await look(watched, "the door");
    await page.fill("#token", site.operator.token);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h2:has-text('Collections')");
    await look(watched, "overview");
    await page.click("text=Accounts");
    await page.waitForSelector("#who");
    await look(watched, "accounts");
    await page.click(`tbody >> text=${site.regular.email}`);
    await page.waitForSelector(".audit-table");
    await look(watched, "one account");
    for (const path of ["/operator/figures", "/operator/audit"]) {
      await page.goto(site.operator.url + path);
      await look(watched, path);
    }
    await page.context().close();
  });

  test("late sources, incidents and held figures", async () => {
    const late = await openLateSite();
    await lookAtAll(null, [["/status/page"], ["/"], ["/usd-brl"]], { at: late.url });
  });

  test("refusals: nothing there, asked wrongly, no figures yet, asked too often", async () => {
    await lookAtAll(null, [
      ["/nothing", null, 404],
      ["/dashboard/nothing", null, 404],
      ["/?base=XXX", null, 400],
    ]);
    const empty = await openReplica({ dataDir: temporaryDirectory(), clock: fixedClock() });
    await lookAtAll(null, [["/", null, 503], ["/status/page"]], { at: empty.url });
    const address = "192.0.2.77";
    const init = { method: "HEAD", headers: { "x-forwarded-for": address } };
    const { clock } = site.server;
    // The limit is one of a minute, which begins now.
    clock.at += 60_000 - (clock.now() % 60_000);
    for (let status = 200; status !== 429; )
      status = (await fetch(`${site.server.url}/site/stream`, init)).status;
    await lookAtAll(null, [["/search?q=b", null, 429]], { address });
  });

  async function openAll(page: Page): Promise<void> {
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("details")) part.open = true;
    });
  }
});
