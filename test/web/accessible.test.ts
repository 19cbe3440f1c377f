/** axe-core on every page: no violation in either scheme on desktop and phone, no page wider than its window, no complaint, no request elsewhere. */

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { browser, inBrowser, openPage, violations, type WatchedPage } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { CORRECTED, openFurnishedSite, openLateSite } from "./furnished.ts";
import type { Resident } from "./residents.ts";

const WIDTHS = [1440, 390] as const;
const HEIGHT = 900;
/** From here on the number's provenance has a column. */
const LEAST_WIDE = 1024;
/** No page is wider than this window. */
const NARROWEST = 360;

/** For the narrow window: colours do not differ between widths. */
const WITHOUT_COLOURS = { rules: { "color-contrast": { enabled: false } } };

/** A page, and what is done on it before it is looked at. */
type Place = readonly [path: string, act?: Act | null, status?: number];
type Act = (page: Page, width: number) => Promise<unknown>;

inBrowser("every page is accessible", () => {
  const site = ofAllTests(openFurnishedSite);

  let visitors = 0;
  /** In both widths at once: they take a core each. */
  async function inBothWidths(
    who: Resident | null,
    walk: (watched: WatchedPage, width: number) => Promise<void>,
    address?: string,
  ): Promise<void> {
    await Promise.all(
      WIDTHS.map(async (width) => {
        const context = await browser.newContext({
          viewport: { width, height: HEIGHT },
          reducedMotion: "reduce",
          // Each from an address of its own: how much one may ask is another test's.
          extraHTTPHeaders: { "x-forwarded-for": address ?? `203.0.113.${++visitors}` },
        });
        if (who !== null)
          await context.addCookies([{ name: "crossrate_session", value: who.session, url: site.server.url }]);
        await walk(await openPage("about:blank", { context }), width);
        await context.close();
      }),
    );
  }

  async function look({ page, complaints }: WatchedPage, place: string, width: number): Promise<void> {
    const name = `${place} ${width}`;
    const isWide = width === WIDTHS[0];
    await page.emulateMedia({ colorScheme: "light" });
    expect([name, await violations(page, isWide ? {} : WITHOUT_COLOURS)]).toEqual([name, []]);
    if (isWide) await lookInTheDark(page, place);
    if (width < LEAST_WIDE) await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(`${name} is ${overflow} px too wide`).toBe(`${name} is 0 px too wide`);
    await page.setViewportSize({ width, height: HEIGHT });
    expect([name, complaints.splice(0)]).toEqual([name, []]);
  }

  /** The schemes differ in their colours alone. */
  async function lookInTheDark(page: Page, place: string): Promise<void> {
    await page.emulateMedia({ colorScheme: "dark" });
    // The library asks for the scheme once.
    expect([place, "dark", await violations(page, { runOnly: ["color-contrast"] })]).toEqual([
      place,
      "dark",
      [],
    ]);
  }

  async function lookAtAll(
    who: Resident | null,
    places: readonly Place[],
    { at = site.server.url, address }: { readonly at?: string; readonly address?: string } = {},
  ): Promise<void> {
    const walk = async (watched: WatchedPage, width: number) => {
      const elsewhere: string[] = [];
      watched.page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== at) elsewhere.push(request.url());
      });
      for (const [path, act = null, status = 200] of places) {
        // What differs behind the # alone would load nothing anew.
        if (path.includes("#")) await watched.page.goto("about:blank");
        const answer = await watched.page.goto(at + path, { waitUntil: "load" });
        await act?.(watched.page, width);
        if (act === null) expect([path, answer?.status()]).toEqual([path, status]);
        if (status !== 200) {
          // The browser itself reports the status of a refusal, once.
          const report = watched.complaints.findIndex((text) => text.includes(`a status of ${status}`));
          expect([path, report]).not.toEqual([path, -1]);
          watched.complaints.splice(report, 1);
        }
        await look(watched, path, width);
      }
      expect(elsewhere).toEqual([]);
    };
    await inBothWidths(who, walk, address);
  }

  test("rates: the landing page, a number's provenance, a pair and its chart", () =>
    lookAtAll(null, [
      ["/"],
      ["/?to=JPY"],
      ["/?search=nothing-like-it"],
      [
        "/?base=CHF",
        async (page, width) => {
          await page.click("tbody tr:has-text('NOK') .rate a");
          const place = width < LEAST_WIDE ? "dialog.drawer[open] .provenance" : "#provenance .provenance";
          await page.waitForSelector(place);
        },
      ],
      ["/usd-eur", (page) => page.waitForSelector(".chart canvas")],
    ]));

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
      ["/docs/errors"],
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
    await inBothWidths(null, async (watched, width) => {
      const { page } = watched;
      await page.goto(site.operator.url);
      await look(watched, "the door", width);
      await page.fill("#token", site.operator.token);
      await page.keyboard.press("Enter");
      await page.waitForSelector("h2:has-text('Collections')");
      await look(watched, "overview", width);
      await page.click("text=Accounts");
      await page.waitForSelector("#who");
      await look(watched, "accounts", width);
      await page.click(`tbody >> text=${site.regular.email}`);
      await page.waitForSelector(".audit-table");
      await look(watched, "one account", width);
      for (const path of ["/operator/figures", "/operator/audit"]) {
        await page.goto(site.operator.url + path);
        await look(watched, path, width);
      }
    });
  });

  test("late sources, incidents and held figures", async () => {
    const late = await openLateSite();
    await lookAtAll(null, [["/status/page"], ["/"], ["/usd-brl"]], { at: late.url });
    await late.close();
  });

  test("refusals: nothing there, asked wrongly, no figures yet, asked too often", async () => {
    await lookAtAll(null, [
      ["/nothing", null, 404],
      ["/dashboard/nothing", null, 404],
      ["/?base=XXX", null, 400],
    ]);
    const empty = await openReplica({ dataDir: temporaryDirectory(), clock: fixedClock() });
    await lookAtAll(null, [["/", null, 503], ["/status/page"]], { at: empty.url });
    await empty.close();
    const address = "192.0.2.77";
    for (let status = 200; status !== 429; )
      status = (await fetch(`${site.server.url}/search?q=a`, { headers: { "x-forwarded-for": address } }))
        .status;
    await lookAtAll(null, [["/search?q=b", null, 429]], { address });
  });

  async function openAll(page: Page): Promise<void> {
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("details")) part.open = true;
    });
  }
});
