/** What the chart of a pair shows is in the address of its page. */

import { expect, test } from "bun:test";
import { queryWith, viewOf } from "#web/pair/pair-data.ts";

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
