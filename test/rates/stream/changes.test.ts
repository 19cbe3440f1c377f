/** What counts as a change between two answers, member by member. */

import { describe, expect, test } from "bun:test";
import { currencyCode } from "#domain/currency/currency.ts";
import { Digits } from "#domain/net/body.ts";
import { changesBetween, type LatestBody } from "#rates/stream/changes.ts";

const BEFORE = {
  base: "USD",
  source: "ecb_daily",
  sources: { USD: "ecb_daily", EUR: "ecb_daily", JPY: "live" },
  market_session: "open",
  data_updated_at: "2026-04-13T12:15:00Z",
  effective_at: { USD: "2026-04-13T12:15:00Z", EUR: "2026-04-13T12:15:00Z", JPY: "2026-04-13T16:00:00Z" },
  rates: { EUR: new Digits("0.85"), JPY: new Digits("157.70") },
  stale: { EUR: false, JPY: false },
  derived_symbols: [],
  notice: "",
} as unknown as LatestBody;

const LATER = "2026-04-13T16:01:00Z";

function toldOf(change: object): string {
  const told = changesBetween(BEFORE, { ...BEFORE, ...change } as LatestBody);
  return told === "anew" ? told : told.map(currencyCode).join();
}

describe("between two answers", () => {
  test.each([
    ["nothing", {}, ""],
    ["a rate", { rates: { ...BEFORE.rates, EUR: new Digits("0.86") } }, "EUR"],
    ["a digit that is a zero", { rates: { ...BEFORE.rates, EUR: new Digits("0.850") } }, "EUR"],
    ["a source", { sources: { ...BEFORE.sources, EUR: "live" } }, "EUR"],
    ["an observation", { effective_at: { ...BEFORE.effective_at, JPY: LATER } }, "JPY"],
    ["staleness", { stale: { EUR: false, JPY: true } }, "JPY"],
    ["triangulation", { derived_symbols: ["JPY"] }, "JPY"],
    ["the session", { market_session: "weekend" }, "EUR,JPY"],
    ["the base's source", { sources: { ...BEFORE.sources, USD: "live" } }, "EUR,JPY"],
    ["the base's observation", { effective_at: { ...BEFORE.effective_at, USD: LATER } }, "EUR,JPY"],
    ["the summary and the wording alone", { source: "live", data_updated_at: LATER, notice: "!" }, ""],
    ["a base no longer listed", { sources: { EUR: "ecb_daily", JPY: "live" } }, "anew"],
    ["a currency no longer listed", { sources: { USD: "ecb_daily", EUR: "ecb_daily" } }, "anew"],
  ])("%s", (_, change, told) => {
    expect(toldOf(change)).toBe(told);
  });
  test("a currency that is new", () => {
    const change = {
      sources: { ...BEFORE.sources, CHF: "live" },
      rates: { ...BEFORE.rates, CHF: new Digits("0.8") },
    };
    expect(toldOf(change)).toBe("CHF");
  });
  test("a base that was asked for comes along with any other change", () => {
    const rates = { ...BEFORE.rates, USD: new Digits("1") };
    const [before, after] = [
      { ...BEFORE, rates },
      { ...BEFORE, rates: { ...rates, JPY: new Digits("158") } },
    ];
    expect(changesBetween(before as LatestBody, before as LatestBody)).toEqual([]);
    const told = changesBetween(before as LatestBody, after as LatestBody);
    expect(told === "anew" ? told : told.map(currencyCode)).toEqual(["JPY", "USD"]);
  });
});
