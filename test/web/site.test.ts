/** The site in a browser: what a page shows is what the API says, and the pages are light. */

import { expect, test } from "bun:test";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { openReplica, runningClock } from "#test/metered/replica.ts";
import { inBrowser, openPage } from "#test/support/browser.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { parquetRows } from "#test/support/parquet-rows.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { textOf } from "#test/web/dashboard/dashboard-server.ts";

inBrowser("the site", () => {
  // Open: callers without a key have the whole history, and may ask for it.
  const settings = { ACCESS: "open" };
  const server = ofAllTests(() => openReplica({ reach: "history", clock: runningClock(), settings }));

  test("the landing page paints at once, moves nothing, and needs few requests", async () => {
    const { page, requests } = await openPage(server.url);
    const measured = await page.evaluate(async () => {
      await document.fonts.ready;
      const shifts = await new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      });
      const scripts = performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
      return { shifts, scripts };
    });
    expect(measured.shifts).toBeLessThan(0.01);
    expect(measured.scripts).toBeLessThan(60 * 1024);
    expect(requests.length).toBeLessThanOrEqual(25);
  });

  test("on paper a dark page has dark letters and lines, and nothing to press", async () => {
    const { page } = await openPage(`${server.url}/usd-eur`, { scheme: "dark" });
    await page.waitForSelector(".chart canvas");
    await page.emulateMedia({ media: "print" });
    const [letters, hasLine, pressed] = await page.evaluate(() => {
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      const isDark = (_: number, at: number) => pixels[4 * at + 3] === 255 && (pixels[4 * at] as number) < 64;
      return [
        getComputedStyle(document.body).color,
        Array.from({ length: width * height }).some(isDark as never),
        [...document.querySelectorAll(".site-nav, .button")].filter((part) => part.checkVisibility()).length,
      ];
    });
    expect([letters, hasLine, pressed]).toEqual(["rgb(20, 22, 26)", true, 0]);
  });

  test("12 random pairs and days: the number, its provenance and its query of the lake are the API's, digit for digit", async () => {
    const random = seededRandom(4);
    let shown = 0;
    for (let index = 0; index < 12; index++) {
      const day = Date.UTC(2000, 0, 1) + Math.floor(random() * 9500) * 86_400_000;
      const place = `${pick(random)}/${pick(random)}?date=${new Date(day).toISOString().slice(0, 10)}`;
      // As many visitors: one of them may not ask so much in a minute.
      const headers = { "X-Forwarded-For": `198.51.100.${index}` };
      const [api, page] = await Promise.all(
        ["v1/explain", "site/provenance"].map((part) => fetch(`${server.url}/${part}/${place}`, { headers })),
      );
      const explained = (await api?.text()) ?? "";
      const printed = /"rate":([\d.eE+-]+)/.exec(explained)?.[1] ?? null;
      expect([200, 404], place).toContain(api?.status as number);
      if (api?.status === 200) shown++;
      const html = page?.ok === true ? await page.text() : "";
      expect(/data-rate="[^"]*">([^<]*)</.exec(html)?.[1] ?? null, place).toBe(printed);
      if (printed !== null)
        expect(queryOn(html), place).toBe(JSON.parse(explained).query.sql.replace(/\s+/g, " "));
    }
    expect(shown).toBeGreaterThan(8);
  });

  test("the chart of a pair changes its stretch, its table and its files together", async () => {
    const { page } = await openPage(`${server.url}/eur-gbp`);
    await page.waitForSelector(".chart canvas");
    await page.click('.tabs button:has-text("5Y")');
    await page.waitForFunction(() =>
      document.querySelector(".history-table caption")?.textContent?.includes("2021"),
    );
    const file = (await page.getAttribute('.history-files a:has-text("CSV")', "href")) ?? "";
    expect(file).toContain("start_date=2021-04-12&end_date=2026-04-13&format=csv");
    await page.selectOption(".chart-controls select", "USD");
    await page.waitForFunction(() =>
      document.querySelector(".chart-legend")?.textContent?.includes("EUR/USD"),
    );
    expect(page.url()).toEndWith("/eur-gbp?range=5Y&compare=USD");
    await page.reload();
    await page.waitForFunction(() =>
      document.querySelector(".chart-legend")?.textContent?.includes("EUR/USD"),
    );
  });

  test("every download link of a pair page in a short, a long and the longest range is there, and has the rows of the API", async () => {
    const random = seededRandom(7);
    const { page } = await openPage(`${server.url}/usd-eur`);
    for (const [index, range] of ["1M", "5Y", "All"].entries()) {
      const from = pick(random);
      const to =
        CURRENCY_CODES.find((code) => code !== from && random() < 0.1) ?? (from === "EUR" ? "USD" : "EUR");
      // As many visitors: one of them may not ask so much in a minute.
      const headers = { "X-Forwarded-For": `198.51.101.${index}` };
      const text = async (path: string) => {
        const answer = await fetch(server.url + path, { headers });
        return [answer.status, await answer.text()] as const;
      };
      await page.setExtraHTTPHeaders(headers);
      await page.goto(`${server.url}/${`${from}-${to}`.toLowerCase()}?range=${range}`);
      await page.waitForSelector(".chart canvas");
      const links = await page.$$eval(".history-files a", (all) =>
        all.map((link) => link.getAttribute("href") ?? ""),
      );
      expect(links).toHaveLength(3);
      const [csv = "", xlsx = "", parquet = ""] = links;
      const file = await fetch(server.url + parquet, { headers });
      expect([parquet, file.status]).toEqual([parquet, 200]);
      const cells = await parquetRows(await file.bytes(), "date::VARCHAR AS date, base, symbol, rate");
      const workbook = await fetch(server.url + xlsx, { headers });
      expect([workbook.status, workbook.headers.get("content-disposition")]).toEqual([
        200,
        expect.stringMatching(/\.xlsx"$/),
      ]);
      const [status, rows] = await text(csv);
      expect([csv, status]).toEqual([csv, 200]);
      const columns = rows
        .trim()
        .split("\n")
        .slice(1)
        .map((row) => row.split(","));
      // The series that the page draws, in its whole length, from the first row of the file on.
      const drawn = JSON.parse((await text(`/site/series/${from}/${to}`))[1]) as {
        readonly rates: readonly string[];
      };
      expect(
        columns.map((row) => row[3]),
        `${from} ${to} ${range}`,
      ).toEqual(drawn.rates.slice(-columns.length) as never);
      expect(cells).toEqual(
        columns.map(([date, base, symbol, rate]) => ({ date, base, symbol, rate: Number(rate) })),
      );
      const recent = "start_date=2026-03-20&end_date=2026-04-13";
      const api = await text(`/v1/range?base=${from}&symbols=${to}&${recent}&format=csv`);
      expect(api[0]).toBe(200);
      const apiRows = api[1].trim().split("\n").slice(1);
      expect(rows.trim().split("\n").slice(-apiRows.length)).toEqual(apiRows.slice(-columns.length));
      expect(await text(`/site/series/${from}/${to}/file?${recent}&format=csv`)).toEqual(api);
    }
  });
});

/** The query that a page shows for its number, with its white space folded. */
const queryOn = (html: string) => textOf(/<pre><code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? "");

function pick(random: () => number): string {
  return CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as string;
}
