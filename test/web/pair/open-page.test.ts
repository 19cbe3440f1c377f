/** A page of a pair in a browser: it stays open while figures are published and corrected, and its chart has whole labels. */

import { expect, test } from "bun:test";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { browser, inBrowser, openPage } from "#test/support/browser.ts";
import { listen } from "#test/support/listen.ts";

inBrowser("a page of a pair that stays open", () => {
  test("has each publication and each correction in its history, beside the rate that follows them", async () => {
    const app = openStreamFixture();
    await app.publish({ EUR: "0.85585" });
    const { url } = listen(app.answer, 0);
    const { page, complaints } = await openPage(`${url}/eur-usd?range=All`);
    await page.waitForSelector(".chart canvas");
    const row = (day: string) => page.textContent(`.history-table tr:has-text('${day}')`);
    expect(await row("7 Apr 2026")).toContain("1.1630");
    expect(await page.textContent(".history-table tbody tr")).toContain("13 Apr 2026");
    await page.click(".history-table tr:has-text('7 Apr 2026') a");
    await page.waitForSelector('.provenance [data-rate="1.163"], .provenance [data-rate="1.1630"]');
    const correction = { ...ecb("2026-04-07", "USD", "1.1777"), revision: 2 };
    const others = WORLD.filter(({ date, quote }) => date !== correction.date || quote !== "USD");
    app.commit([...others, correction, ecb("2026-04-14", "USD", "1.1699")]);
    await app.publish({ EUR: "0.85611" }, NOW + 86_400_000);
    app.setNow(NOW + 86_400_000);
    await app.tick();
    await page.waitForSelector(".history-table tbody tr:first-child:has-text('14 Apr 2026')");
    expect(await page.textContent("#pair-rate")).toBe("1.168074196");
    expect(await row("7 Apr 2026")).toContain("corrected");
    expect(await row("7 Apr 2026")).toContain("1.1777");
    expect(await page.textContent(".summary")).toContain("1.1777");
    await page.waitForSelector('.provenance [data-rate="1.1777"]');
    expect(complaints).toEqual([]);
  });
});

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
  });
});
