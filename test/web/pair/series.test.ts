/** What the page of a pair makes of its series: the columns of the chart, and what a bar of live quotes is called. */

import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { dayAt } from "#domain/time/day.ts";
import { HistoryTable, Legend, Summary } from "#web/pair/history.tsx";
import { chartColumns, queryWith, unpacked, viewOf } from "#web/pair/pair-data.ts";

const DAY_SECONDS = 86_400;

function seriesOf(points: Readonly<Record<string, string>>, width: "15m" | null = null) {
  const days = Object.keys(points).map((text) => Date.parse(text) / 1000 / DAY_SECONDS);
  const steps = days.map((day, at) => day - (days[at - 1] ?? 0));
  const marks = { version: null, corrected: [], simulated: [] };
  return unpacked({ ...marks, days: steps, rates: Object.values(points), width });
}

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
