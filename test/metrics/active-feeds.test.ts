/** A fall-back is counted as one exactly when a better placed feed ought to be active. */

import { expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { choose, type FeedChoice, startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, FeedOutcome } from "#domain/live/live-quote.ts";
import { activeFeeds } from "#metrics/gauges.ts";
import { liveQuote, NOON } from "./sample-events.ts";

const MINUTE = 60_000;
const CURRENCIES: readonly CurrencyCode[] = ["EUR", "GBP", "IDR"];
const REFERENCES = new Map(
  CURRENCIES.map((code) => [code, { perDollar: 1.25, observedAt: NOON - 86_400_000 }]),
);

/** The choice after one minute's polls in turn; each entry is what the feed delivers, or that it failed. */
function after(
  ...minutes: readonly Partial<Record<FeedId, readonly CurrencyCode[] | "failed">>[]
): FeedChoice {
  const feeds = (["coinbase", "massive"] as const).map((feed) => ({ feed, oldestSeconds: 180 }));
  let state = startChoice(feeds, CURRENCIES);
  for (const [nth, polls] of minutes.entries()) {
    const at = NOON + nth * MINUTE;
    for (const [feed, delivered] of Object.entries(polls) as [FeedId, readonly CurrencyCode[] | "failed"][]) {
      const polled = { feed, at, requested: CURRENCIES, pauseUntil: null };
      const outcome: FeedOutcome =
        delivered === "failed"
          ? { ...polled, kind: "failed", fault: "connection", detail: "" }
          : {
              ...polled,
              kind: "quotes",
              quotes: delivered.map((currency) => liveQuote(feed, currency, (NOON - at) / 1000)),
              refusals: [],
            };
      state = choose(state, outcome, REFERENCES).state;
    }
  }
  return state;
}

const NONE = { primary: 0, fallback: 0 };
const TWO = { coinbase: ["EUR", "GBP"], massive: CURRENCIES } as const;
const FAILING = { coinbase: "failed", massive: CURRENCIES } as const;

test.each([
  ["before any poll no feed is active for any currency", [], NONE, NONE],
  [
    "the primary feed is active as primary, and the second one for what the first does not quote",
    [TWO],
    { primary: 2, fallback: 0 },
    { primary: 1, fallback: 0 },
  ],
  ["a feed that fails is replaced", [TWO, FAILING, FAILING, FAILING], NONE, { primary: 1, fallback: 2 }],
  ["a primary feed that is down from the start is replaced", [FAILING], NONE, { primary: 0, fallback: 3 }],
])("%s", (_, minutes, coinbase, massive) => {
  expect(Object.fromEntries(activeFeeds(after(...minutes)))).toEqual({ coinbase, massive });
});
