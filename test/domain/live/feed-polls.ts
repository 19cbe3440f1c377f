/** What the tests of the feed choice share: polls of one or two feeds in short form. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type ChoiceStep,
  choose,
  type FeedChoice,
  reconsider,
  startChoice,
} from "#domain/live/feed-choice.ts";
import type { FeedId, FeedOutcome, LiveQuote, QuoteRelease, References } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { quoteOfPair } from "./quote.ts";

/** A Tuesday in the afternoon. */
export const START = Date.parse("2026-04-14T12:00:00Z");
export const MINUTE = 60_000;
export const PRIMARY: FeedId = "massive";
export const FALLBACK: FeedId = "oxr";
export const FEEDS = [
  { feed: PRIMARY, oldestSeconds: 180 },
  { feed: FALLBACK, oldestSeconds: 180 },
];

export function quoteOf(
  feed: FeedId,
  mid: string,
  observedAt: Instant,
  currency: CurrencyCode = "JPY",
): LiveQuote {
  return quoteOfPair(`USD/${currency}`, mid, observedAt, { feed });
}

/** A poll that brought these quotes, asked for the yen unless it is said otherwise. */
export function brought(
  feed: FeedId,
  at: Instant,
  quotes: readonly LiveQuote[],
  requested: readonly CurrencyCode[] = ["JPY"],
): FeedOutcome {
  return { kind: "quotes", feed, at, requested, quotes, refusals: [], pauseUntil: null };
}

/** A poll that brought this price of the yen, `age` milliseconds old; null: without the yen; "down": it failed. */
export function poll(
  feed: FeedId,
  at: Instant,
  price: string | null | "down" | "same",
  age = 1000,
): FeedOutcome {
  const polled = { feed, at, requested: ["JPY"] as const };
  if (price === "same") return { kind: "unchanged", ...polled };
  if (price === "down")
    return { kind: "failed", ...polled, fault: "timeout", detail: "slow", pauseUntil: null };
  return brought(feed, at, price === null ? [] : [quoteOf(feed, price, at - age)]);
}

/** Applies outcomes one after the other and records every step. */
export class FeedRun {
  state: FeedChoice;
  readonly steps: (ChoiceStep & { readonly outcome: FeedOutcome })[] = [];
  /** Units per dollar, of the fixing of the day before START unless `referenceAt` is set. */
  references: ReadonlyMap<CurrencyCode, number> = new Map([["JPY", 150]]);
  referenceAt: Instant = START - 86_400_000;
  releases: readonly QuoteRelease[] = [];

  constructor(state: FeedChoice = startChoice(FEEDS, ["JPY"])) {
    this.state = state;
  }

  take(outcome: FeedOutcome): ChoiceStep {
    const step = choose(this.state, outcome, this.known(), this.releases);
    this.state = step.state;
    this.steps.push({ ...step, outcome });
    return step;
  }

  reconsider(at: Instant): ChoiceStep {
    const step = reconsider(this.state, at, this.known(), this.releases);
    this.state = step.state;
    return step;
  }

  known(): References {
    const observedAt = this.referenceAt;
    return new Map([...this.references].map(([code, perDollar]) => [code, { perDollar, observedAt }]));
  }

  both(at: Instant, primary: Parameters<typeof poll>[2], fallback: Parameters<typeof poll>[2]): void {
    this.take(poll(PRIMARY, at, primary));
    this.take(poll(FALLBACK, at + 1, fallback));
  }

  get activeFeed(): FeedId | null | undefined {
    return this.state[0]?.activeFeed;
  }
  get served(): string | undefined {
    return this.state[0]?.served?.mid;
  }
  get switches() {
    return this.steps.flatMap((step) => step.switches);
  }
  get held() {
    return this.steps.flatMap((step) => step.held);
  }
}
