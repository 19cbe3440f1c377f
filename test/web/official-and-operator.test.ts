/** The official pages and the operator's room in a browser: from page to page, by keyboard, without a script. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { dayOf } from "#domain/time/day.ts";
import { join, type Member } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { type AdminFixture, openAdminFixture } from "#test/operate/server.ts";
import { openBrowser, openPage } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";

setDefaultTimeout(300_000);
const program = optionalTool("chromium", "the official pages and the operator's room in a browser");

describe.skipIf(program === null)("official pages and the operator's room", () => {
  let browser: Browser;
  let server: AdminFixture;
  let member: Member;

  beforeAll(async () => {
    server = await openAdminFixture({ OFFICIAL_TABLES: "pol_a" });
    member = await join(server.replica.url);
    await publish(1, [row("EUR", "4.2500"), row("USD", "3.6400")]);
    await publish(2, [row("EUR", "4.2600"), row("JPY", "0.0243")]);
    browser = await openBrowser(program as string);
  });

  afterAll(async () => {
    await browser.close();
    await server.replica.close();
  });

  const row = (base: string, rate: string): OfficialRow => ({
    base,
    quote: "PLN",
    rate,
    unit: 1,
    kind: "mid",
  });
  async function publish(number: number, rows: readonly OfficialRow[]): Promise<void> {
    const validFrom = dayOf(2026, 4, 13) as number;
    const content = { rows, validFrom, validTo: null };
    const version: PublicationVersion = {
      ...content,
      table: "pol_a",
      publication: "071-A-NBP-2026",
      version: number,
      publishedAt: null,
      retrievedAt: NOON + number,
      sourceUrl: "https://api.nbp.pl/api/exchangerates/tables/A/",
      documentSha256: "ab".repeat(32),
      fingerprint: fingerprintOf(content),
    };
    const event = {
      id: `evt_pol_a_071-A-NBP-2026_v${number}`,
      type: number === 1 ? "official.published" : "official.corrected",
      createdAt: NOON + number,
      body: JSON.stringify({
        data: { country: "POL", types: ["a", "daily"], publication: "071-A-NBP-2026", version: number },
      }),
    } as const;
    await server.replica.crossrate.accounts?.ledger.outbox.publish([{ version, event }], NOON);
  }

  test("from all tables to the differences of a correction", async () => {
    const { page, complaints } = await openPage(browser, `${server.replica.url}/official`);
    await page.click(".official-tables >> text=Table A");
    await page.waitForSelector(".official-rows");
    await page.click(".official-publications >> text=071-A-NBP-2026");
    await page.waitForSelector(".official-differences");
    expect(await page.textContent(".official-differences caption")).toBe("1 changed, 1 added, 1 removed");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an operator signs in, finds an account, suspends it, and sees that in the log; by keyboard, without a script", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await openPage(browser, server.url, { context });
    await page.focus("#token");
    await page.keyboard.type(server.token);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h2:has-text('Collections')");
    await page.click("text=Accounts");
    await page.waitForSelector("#who");
    await page.focus("#who");
    await page.keyboard.type(member.email);
    await page.keyboard.press("Enter");
    await page.waitForSelector('a:has-text("All accounts")');
    await page.click(`tbody >> text=${member.email}`);
    server.clock.at += 1000;
    await page.click("summary:has-text('Suspend the organization')");
    await page.check("details[open] [name=confirm]");
    await page.click("details[open] button");
    await page.waitForSelector('[role="status"]');
    expect(await page.textContent('[role="status"]')).toBe("Suspended.");
    expect(await page.textContent(".audit-table tbody tr")).toContain("operator");
    expect((await server.called(member.key)).status).toBe(403);
    await page.click("text=Sign out");
    await page.waitForSelector("#token");
    await context.close();
  });
});
