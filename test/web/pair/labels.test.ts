/** What is written beside the chart of a pair: whole numbers, and days that can be read in one way. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { browser, inBrowser } from "#test/support/browser.ts";
import { listen } from "#test/support/listen.ts";

const DAYS = ["2026-04-07", "2026-04-08", "2026-04-09", "2026-04-10", "2026-04-13"];

inBrowser("the chart of a pair", () => {
  test("writes each label in full, days by their names, and no hours of daily rates", async () => {
    const figures = DAYS.flatMap((day, nth) => [ecb(day, "USD", "1.17"), ecb(day, "IDR", `1980${nth}.55`)]);
    const app = openTestApp({ world: datasetOf(figures) });
    const { url } = listen(app.answer);
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const written: [text: string, left: number][] = [];
      Object.assign(globalThis, { written });
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const { width } = this.measureText(text);
        written.push([text, x - (this.textAlign === "right" ? width : width / 2)]);
        fillText.call(this, text, x, y);
      };
    });
    await page.goto(`${url}/idr-eur?start=2026-04-07&end=2026-04-09`);
    await page.waitForSelector(".chart canvas");
    const written = await page.evaluate(
      () => (globalThis as unknown as { written: [string, number][] }).written,
    );
    const labels = [...new Set(written.map(([text]) => text))].filter((text) => text !== "");
    expect(Math.min(...written.map(([, left]) => left))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...labels.map((text) => text.length))).toBeGreaterThanOrEqual(10);
    expect(labels.filter((text) => !/^0\.0000\d+$/.test(text))).toEqual(["7 Apr", "2026", "8 Apr", "9 Apr"]);
    await page.close();
  });
});
