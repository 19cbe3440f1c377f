/** The query that a page shows for a number: run by DuckDB on the lake, it returns the number. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Browser, Page } from "playwright-core";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";
import { type LakeDemo, startNewDemo } from "#test/docs/lake-demo.ts";
import { openBrowser, openPage } from "#test/support/browser.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

setDefaultTimeout(300_000);
const program = optionalTool("chromium", "the queries that pages show");
const QUESTIONS = 12;
const TODAY = Date.parse("2026-04-13") / 86_400_000;

describe.skipIf(program === null)("the query in the provenance of a number", () => {
  let browser: Browser;
  let demo: LakeDemo;
  let duckdb: DuckDBConnection;
  beforeAll(async () => {
    demo = await startNewDemo();
    duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    browser = await openBrowser(program as string);
  });
  afterAll(async () => {
    await browser.close();
    duckdb.closeSync();
    await demo.stop();
  });

  /** What a reader of the page has: the number, how it came about, and the query to copy. */
  async function shownOn(page: Page) {
    await page.waitForSelector(".provenance pre code", { state: "attached" });
    return {
      pair: (await page.textContent(".provenance-rate")) ?? "",
      rate: (await page.textContent(".provenance-rate [data-rate]")) ?? "",
      isCross: (await page.locator(".provenance .leg").count()) === 2,
      sql: (await page.textContent(".provenance pre code")) ?? "",
    };
  }

  /** As its reader runs it: with the lake's directory in place of the server's address, as its own comment says. */
  async function run(sql: string): Promise<number> {
    const lines = sql.match(/^SET VARIABLE lake = '.*';$/gm) ?? [];
    if (sql.includes("lake")) expect(lines).toHaveLength(1);
    const script = sql.replace(lines[0] ?? "", `SET VARIABLE lake = '${demo.directory}';`);
    const reader = await duckdb.runAndReadAll(script);
    expect([reader.columnNames(), reader.currentRowCount]).toEqual([["rate"], 1]);
    return (reader.getRowsJS() as number[][])[0]?.[0] as number;
  }

  test(`returns the number for ${QUESTIONS} random pairs and days`, async () => {
    const random = seededRandom(31);
    const pick = () => CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as string;
    const seen = { cross: 0, single: 0, none: 0 };
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (let question = 0; question < QUESTIONS; ) {
      const [from, to] = [pick(), pick()];
      if (from === to) continue;
      question += 1;
      const date = formatDay(COVERAGE_START + Math.floor(random() * (TODAY - COVERAGE_START)));
      const path = `/${from}-${to}?date=${date}`.toLowerCase();
      const answer = await page.goto(demo.url + path, { waitUntil: "domcontentloaded" });
      if (answer?.status() === 404) {
        seen.none += 1;
        continue;
      }
      const { pair, rate, isCross, sql } = await shownOn(page);
      expect(pair, path).toBe(`1 ${from} = ${rate} ${to}`);
      expect(await run(sql), path).toBe(Number(rate));
      seen[isCross ? "cross" : "single"] += 1;
    }
    expect(seen.cross).toBeGreaterThan(4);
    expect(seen.none).toBeLessThan(QUESTIONS / 3);
    await context.close();
  });

  test("returns the number that a click on the table opens, live and cross included", async () => {
    const { page } = await openPage(browser, `${demo.url}/?base=GBP`);
    for (const code of ["USD", "JPY", "ISK"]) {
      await page.click(`tr[data-code="${code}"] .rate a`);
      await page.waitForSelector(`.provenance-rate:has-text("GBP = "):has-text("${code}")`);
      const { rate, sql } = await shownOn(page);
      // The table shows six significant digits of it.
      const shown = await page.textContent(`tr[data-code="${code}"] .rate .figure`);
      expect(Number(shown)).toBe(Number(Number(rate).toPrecision(6)));
      expect(await run(sql), code).toBe(Number(rate));
    }
    await page.close();
  });

  test("is on the page of an inverse and of a day without a publication, too", async () => {
    for (const path of ["/usd-eur?date=2026-04-12", "/eur-usd?date=2026-04-12", "/sek-jpy?date=2011-12-25"]) {
      const { page } = await openPage(browser, demo.url + path);
      const { rate, sql } = await shownOn(page);
      expect(await run(sql), path).toBe(Number(rate));
      await page.close();
    }
  });
});
