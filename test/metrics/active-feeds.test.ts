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

const spoken = (choice: FeedChoice) => Object.fromEntries(activeFeeds(choice));
const NONE = { primary: 0, fallback: 0 };

test("before any poll no feed is active for any currency", () => {
  expect(spoken(after())).toEqual({ coinbase: NONE, massive: NONE });
});

test("the primary feed is active as primary, and the second one for what the first does not quote", () => {
  const choice = after({ coinbase: ["EUR", "GBP"], massive: CURRENCIES });
  expect(spoken(choice)).toEqual({
    coinbase: { primary: 2, fallback: 0 },
    massive: { primary: 1, fallback: 0 },
  });
});

test("a feed that fails is replaced", () => {
  const failing = { coinbase: "failed", massive: CURRENCIES } as const;
  const choice = after({ coinbase: ["EUR", "GBP"], massive: CURRENCIES }, failing, failing, failing);
  expect(spoken(choice)).toEqual({ coinbase: NONE, massive: { primary: 1, fallback: 2 } });
});

test("a primary feed that is down from the start is replaced for every currency", () => {
  const choice = after({ coinbase: "failed", massive: CURRENCIES });
  expect(spoken(choice)).toEqual({ coinbase: NONE, massive: { primary: 0, fallback: 3 } });
});
