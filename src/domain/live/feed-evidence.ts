/** What a poll, a reference or a release means for the feeds of one currency: each is judged beside what the others say. Used by feed-choice.ts. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { currencyOf, type FeedOutcome } from "./feed-outcome.ts";
import { afterFailure, afterPoll, type FeedStanding, latestWord, reweigh } from "./feed-standing.ts";
import type { LiveQuote } from "./live-quote.ts";
import type { Evidence } from "./quote-evidence.ts";
import type { References } from "./reference.ts";
import type { QuoteRelease } from "./release.ts";

/** The part of a currency's choice that judgements rest on. */
export interface CurrencyFeeds {
  readonly currency: CurrencyCode;
  /** The last quote shown, of whichever feed. */
  readonly shown: LiveQuote | null;
  readonly feeds: readonly FeedStanding[];
}

/** The currency after a poll; the same object where the poll did not ask for it. */
export function afterOutcome<C extends CurrencyFeeds>(
  choice: C,
  outcome: FeedOutcome,
  references: References,
  releases: readonly QuoteRelease[],
): C {
  if (!outcome.asked.includes(choice.currency)) return choice;
  const feeds = choice.feeds.map((standing) => {
    if (standing.feed !== outcome.feed) return standing;
    if (outcome.kind === "failed") return afterFailure(standing, outcome.at);
    const quotes = outcome.kind === "quotes" ? outcome.quotes : [];
    const quote = quotes.find((one) => currencyOf(one) === choice.currency) ?? null;
    // In an intact document without the currency the feed has nothing to say; "unchanged" repeats what it said.
    if (quote === null && outcome.kind === "quotes") return afterFailure(standing, outcome.at);
    const evidence = evidenceOf(choice, standing, outcome.at, references, releases);
    return afterPoll(standing, quote, evidence, outcome.at);
  });
  return reweighed({ ...choice, feeds }, outcome.at, references, releases);
}

/** Each feed by what the others say now: one that has just spoken may bear out or contradict another. The same object when nothing follows. */
export function reweighed<C extends CurrencyFeeds>(
  choice: C,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): C {
  const feeds = choice.feeds.map((standing) =>
    reweigh(standing, evidenceOf(choice, standing, at, references, releases), at),
  );
  return feeds.every((feed, place) => feed === choice.feeds[place]) ? choice : { ...choice, feeds };
}

function evidenceOf(
  { currency, shown, feeds }: CurrencyFeeds,
  { feed }: FeedStanding,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): Evidence {
  const others = feeds.filter((other) => other.feed !== feed);
  return {
    last: shown,
    reference: references.get(currency) ?? null,
    words: others.flatMap((other) => latestWord(other, at) ?? []),
    releases,
  };
}
