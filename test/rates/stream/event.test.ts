/** What counts as a change between two answers, member by member. */

import { describe, expect, test } from "bun:test";
import { currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { LatestRates } from "#domain/rates/rates.ts";
import type { SpotOrigin, SpotRate } from "#domain/spot/rates.ts";
import { changesBetween } from "#rates/stream/stream.ts";

const RATES = { EUR: "0.85", JPY: "157.70" };

const ORIGIN = {
  source: "ecb_daily",
  sources: { USD: "ecb_daily", EUR: "ecb_daily", JPY: "live" },
  dataUpdatedAt: Date.parse("2026-04-13T12:15:00Z"),
  effectiveAt: { USD: "2026-04-13T12:15:00Z", EUR: "2026-04-13T12:15:00Z", JPY: "2026-04-13T16:00:00Z" },
  stale: { EUR: false, JPY: false },
  derivedSymbols: [],
  simulated: { isDemo: false, codes: [], isAll: false },
  isReference: true,
} satisfies SpotOrigin;

interface Change {
  readonly rates?: Readonly<Record<string, string>>;
  readonly origin?: Partial<SpotOrigin>;
  readonly session?: LatestRates["session"];
}

function answer({ rates = RATES, origin = {}, session = "open" }: Change): LatestRates {
  return {
    base: currencyIndex("USD"),
    rates: Object.entries(rates).map(([code, text]) => ({ to: currencyIndex(code), text }) as SpotRate),
    missing: [],
    origin: { ...ORIGIN, ...origin },
    dp: null,
    session,
    simulated: { isDemo: false, codes: [], isAll: false },
  };
}

const LATER = "2026-04-13T16:01:00Z";

function changedBy(change: Change, before: Change = {}): string {
  const changed = changesBetween(answer(before), answer(change));
  return changed === "all" ? changed : changed.map(currencyCode).join();
}

describe("between two answers", () => {
  test.each<[string, Change, string]>([
    ["nothing", {}, ""],
    ["a rate", { rates: { ...RATES, EUR: "0.86" } }, "EUR"],
    ["a digit that is a zero", { rates: { ...RATES, EUR: "0.850" } }, "EUR"],
    ["a source", { origin: { sources: { ...ORIGIN.sources, EUR: "live" } } }, "EUR"],
    ["an observation", { origin: { effectiveAt: { ...ORIGIN.effectiveAt, JPY: LATER } } }, "JPY"],
    ["staleness", { origin: { stale: { EUR: false, JPY: true } } }, "JPY"],
    ["triangulation", { origin: { derivedSymbols: ["JPY"] } }, "JPY"],
    ["the session", { session: "weekend" }, "EUR,JPY"],
    ["the base's source", { origin: { sources: { ...ORIGIN.sources, USD: "live" } } }, "EUR,JPY"],
    ["the base's observation", { origin: { effectiveAt: { ...ORIGIN.effectiveAt, USD: LATER } } }, "EUR,JPY"],
    [
      "the summary and the notice alone",
      { origin: { source: "live", dataUpdatedAt: Date.parse(LATER), isReference: false } },
      "",
    ],
    ["a base no longer listed", { origin: { sources: { EUR: "ecb_daily", JPY: "live" } } }, "all"],
    ["a currency no longer listed", { origin: { sources: { USD: "ecb_daily", EUR: "ecb_daily" } } }, "all"],
  ])("%s", (_, change, expected) => {
    expect(changedBy(change)).toBe(expected);
  });
  test("a currency that is new", () => {
    const sources = { ...ORIGIN.sources, CHF: "live" } as const;
    expect(changedBy({ origin: { sources }, rates: { ...RATES, CHF: "0.8" } })).toBe("CHF");
  });
  test("a change that rounding hides is none", () => {
    const [before, after] = [answer({}), answer({ rates: { ...RATES, EUR: "0.8500001" } })];
    expect(changesBetween({ ...before, dp: 4 }, { ...after, dp: 4 })).toEqual([]);
  });
  test("a base that was requested comes along with any other change", () => {
    const rates = { ...RATES, USD: "1" };
    expect(changedBy({ rates }, { rates })).toBe("");
    expect(changedBy({ rates: { ...rates, JPY: "158" } }, { rates })).toBe("JPY,USD");
  });
});
