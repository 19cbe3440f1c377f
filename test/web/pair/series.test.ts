/** What the page of a pair makes of its series: the columns of the chart, and what a bar of live quotes is called. */

import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { dayAt } from "#domain/time/day.ts";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { browser, inBrowser, openPage } from "#test/support/browser.ts";
import { listen } from "#test/support/listen.ts";
import { HistoryTable, Legend, Summary } from "#web/pair/history.tsx";
import { PairOrigin } from "#web/pair/now.tsx";
import {
  chartColumns,
  type PairNow,
  pairTitle,
  queryWith,
  shownRate,
  summaryOf,
  unpacked,
  viewOf,
  windowStart,
  zoomedBy,
} from "#web/pair/pair-data.ts";

const DAY_SECONDS = 86_400;

const dayOf = (text: string) => Date.parse(text) / 1000 / DAY_SECONDS;

function seriesOf(points: Readonly<Record<string, string>>, width: "15m" | null = null, more = {}) {
  const days = Object.keys(points).map(dayOf);
  const steps = days.map((day, at) => day - (days[at - 1] ?? 0));
  const marks = { version: null, corrected: [], simulated: [], ...more };
  return unpacked({ ...marks, days: steps, rates: Object.values(points), width });
}

const textOf = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/ +/g, " ");

test("a bar that begins at midnight has its time, and is no link to the reference rate of a day", () => {
  const points = {
    "2026-11-02T23:45:00Z": "0.8837",
    "2026-11-03T00:00:00Z": "0.8835",
    "2026-11-03T00:15:00Z": "0.884",
  };
  const series = seriesOf(points, "15m");
  const span = { first: series.days[0] as number, last: series.days[2] as number };
  const table = renderToString(h(HistoryTable, { base: "USD", quote: "EUR", series, span, rows: 2 }));
  expect(table).toContain(
    '<th scope="row"><time datetime="2026-11-03T00:00:00Z">3 Nov 2026, 00:00 UTC</time></th>',
  );
  expect(table).not.toContain("data-explain");
  expect(renderToString(h(Summary, { series, span }))).toContain(">3 Nov 2026, 00:00 UTC<");
  const lines = [{ name: "USD/EUR", series }];
  for (const [at, [instant, rate]] of Object.entries(points).entries()) {
    // As the chart says it, in seconds and back.
    const day = ((series.days[at] as number) * DAY_SECONDS) / DAY_SECONDS;
    const legend = renderToString(h(Legend, { lines, span, at: { day, values: [Number(rate)] } }));
    expect(legend).toContain(`<strong>${rate}</strong>`);
    expect(legend).toContain(`datetime="${instant}"`);
  }
  const more = h(HistoryTable, {
    ...{ base: "USD", quote: "EUR", series, span, rows: 2 },
    on: { setWindow: () => undefined, showMore: () => undefined },
  });
  expect(renderToString(more)).toContain("Show more of 3 bars");
});

test("a line ends where an authority had no figures for more than 14 days, alone and in a comparison", () => {
  const krona = seriesOf({
    "2008-12-02": "280",
    "2008-12-03": "290",
    "2018-02-01": "125.5",
    "2018-02-15": "124",
  });
  const dollar = seriesOf({ "2008-12-03": "1.25", "2010-01-04": "1.44", "2018-02-01": "1.2459" });
  const span = { first: 0, last: dayAt(Date.parse("2020-01-01")) };
  const at = (text: string) => Date.parse(text) / 1000;
  const alone = chartColumns({ series: krona, other: null, span });
  expect(alone[0]).toEqual(["2008-12-02", "2008-12-03", "2008-12-04", "2018-02-01", "2018-02-15"].map(at));
  expect(alone[1]).toEqual([280, 290, null, 125.5, 124]);
  // From the end of the figures on the line is interrupted on each day of the other pair; before its own ends it is not.
  const [days, first, second] = chartColumns({ series: krona, other: dollar, span });
  const both = Object.fromEntries(days.map((day, nth) => [day, [first?.[nth], second?.[nth]]]));
  expect(both[at("2010-01-04")]?.[0]).toBeNull();
  expect(both[at("2018-02-15")]?.[0]).toBeCloseTo((124 / 280) * 100, 10);
  expect(both[at("2018-02-15")]?.[1]).toBeUndefined();
  const { 0: none } = chartColumns({ series: krona, other: null, span: { first: 0, last: 1 } });
  expect(none).toEqual([]);
});

test("the lines of a comparison say since when each has changed", () => {
  const lines = [
    { name: "USD/EUR", series: seriesOf({ "1999-01-04": "0.8", "2026-04-13": "0.9" }) },
    { name: "USD/TRY", series: seriesOf({ "2005-01-03": "1.4", "2026-04-13": "42" }) },
  ];
  const text = renderToString(h(Legend, { lines, span: { first: 0, last: 30_000 }, at: null }));
  expect(text.replace(/<[^>]*>/g, "")).toBe(
    "USD/EUR +12.50 % since 4 Jan 1999USD/TRY +2900.00 % since 3 Jan 2005",
  );
});

test("a view survives its address, and leaves the rest of the query alone", () => {
  const view = { window: "5Y", zoom: null, compared: "GBP", isLogarithmic: true } as const;
  const query = queryWith(new URLSearchParams("date=2026-04-10"), view);
  expect(query.toString()).toBe("date=2026-04-10&range=5Y&compare=GBP&scale=log");
  expect(viewOf(query)).toEqual(view);
  const zoomed = { ...view, window: null, zoom: { first: 20_000, last: 20_100 } };
  expect(viewOf(queryWith(query, zoomed))).toEqual(zoomed);
});

test("a view that makes no sense is the first one, which adds nothing to the address", () => {
  const first = viewOf(new URLSearchParams("range=2Y&compare=euro&start=2026-04-10&end=2026-04-01&scale=x"));
  expect(first).toEqual({ window: "1Y", zoom: null, compared: "", isLogarithmic: false });
  expect(queryWith(new URLSearchParams(), first).toString()).toBe("");
});

const WEEK = seriesOf(
  {
    "2026-04-07": "1.10",
    "2026-04-08": "1.30",
    "2026-04-09": "1.20",
    "2026-04-10": "1.0",
    "2026-04-13": "1.50",
  },
  null,
  { corrected: [dayOf("2026-04-09")], simulated: [dayOf("2026-04-08")] },
);

test("a period has its own first, last, lowest and highest rate as printed, and the days before and after count for nothing", () => {
  const span = { first: dayOf("2026-04-08"), last: dayOf("2026-04-11") };
  const [start, end] = [
    { day: dayOf("2026-04-08"), rate: "1.30" },
    { day: dayOf("2026-04-10"), rate: "1.0" },
  ];
  expect(summaryOf(WEEK, span)).toMatchObject({ start, end, low: end, high: start });
  expect(textOf(renderToString(h(Summary, { series: WEEK, span })))).toContain(
    "First 1.30 8 Apr 2026 simulated Last 1.0 10 Apr 2026 Low 1.0 10 Apr 2026 High 1.30 8 Apr 2026 simulated Change −23.08 %",
  );
  expect(summaryOf(WEEK, { first: dayOf("2026-04-11"), last: dayOf("2026-04-12") })).toBeNull();
  const table = renderToString(h(HistoryTable, { base: "EUR", quote: "USD", series: WEEK, span, rows: 9 }));
  // The newest first, each with its change since the day before, also where that is outside.
  expect(textOf(table.slice(table.indexOf("<tbody>"), table.indexOf("</tbody>")))).toBe(
    " 10 Apr 2026 1 .0 −16.67 % 9 Apr 2026 corrected 1 .20 −7.69 % 8 Apr 2026 simulated 1 .30 +18.18 % ",
  );
  for (const format of ["csv", "xlsx", "parquet"])
    expect(table).toContain(
      `href="/site/series/EUR/USD/file?interval=1d&amp;start_date=2026-04-08&amp;end_date=2026-04-10&amp;format=${format}"`,
    );
});

test("keys make the period of the chart narrower, wider, earlier and later, never beyond the figures", () => {
  const [whole, span] = [
    { first: 0, last: 400 },
    { first: 100, last: 200 },
  ];
  for (const [key, from, to] of [
    ["+", span, { first: 125, last: 175 }],
    ["=", { first: 100, last: 127 }, { first: 100, last: 127 }],
    ["-", span, { first: 50, last: 250 }],
    ["-", { first: 10, last: 390 }, whole],
    ["ArrowLeft", span, { first: 75, last: 175 }],
    ["ArrowLeft", { first: 10, last: 110 }, { first: 0, last: 100 }],
    ["ArrowRight", span, { first: 125, last: 225 }],
    ["ArrowRight", { first: 290, last: 390 }, { first: 300, last: 400 }],
    ["a", span, null],
  ] as const)
    expect(zoomedBy(key, from, whole), key).toEqual(to);
});

test("a window ends with the figures and is as long as its name, or begins with the first figure", () => {
  const starts = (["1D", "1W", "1M", "6M", "1Y", "5Y", "10Y", "All"] as const).map((window) =>
    windowStart(window, 6000, 10_000),
  );
  expect(starts).toEqual([9999, 9993, 9969, 9817, 9634, 8173, 6347, 6000]);
  expect(windowStart("1Y", 9900, 10_000)).toBe(9900);
});

const LATEST: PairNow = {
  ...{ base: "EUR", quote: "TWD", baseName: "euro", quoteName: "new Taiwan dollar", mark: "" },
  ...{ rate: "36.81523", inverse: "0.02716266", source: "ecb_daily", effectiveAt: "2026-04-13T14:15:00Z" },
  ...{ isStale: false, isDerived: true, boundBps: 3, apart: [] },
};

test("a rate of figures of different days has four digits and names the days; any other has all its digits", () => {
  const origin = (now: PairNow) => textOf(renderToString(h(PairOrigin, now)));
  expect(shownRate(LATEST, LATEST.rate)).toBe("36.81523");
  expect(origin(LATEST)).toContain(
    "ECB 13 Apr cross through a third currency, error ≤ 3 bps 1 TWD = 0.02716266 EUR",
  );
  const apart: PairNow["apart"] = [
    ["EUR", "2026-04-13T14:15:00Z"],
    ["TWD", "2026-04-10T16:00:00Z"],
  ];
  expect(pairTitle({ ...LATEST, apart })).toBe("EUR to TWD: 36.82 of 13 Apr 2026 · Crossrate");
  expect(origin({ ...LATEST, apart })).toContain(
    "Figures of different days: EUR of 13 Apr 2026, TWD of 10 Apr 2026. The rate is rounded; all digits are in its source.",
  );
  expect(origin({ ...LATEST, apart })).toContain("1 TWD = 0.02716 EUR");
  const live = { ...LATEST, source: "live", isDerived: false, isStale: true, mark: "SIMULATED " };
  expect(pairTitle(live)).toBe("SIMULATED EUR to TWD: 36.81523 of 13 Apr 2026, 14:15 UTC · Crossrate");
  expect(origin(live)).toContain("simulated, stale 13 Apr 2026 14:15:00 as of 13 Apr 2026, 14:15:00 UTC");
});

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
