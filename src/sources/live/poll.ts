/** Live quotes, step one: polls a feed once, and turns every result into an outcome. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import {
  currencyOf,
  type FeedOutcome,
  type FeedReading,
  type LiveQuote,
  type PolledFeed,
} from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Upstream, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock, Feed, FeedPoll, PollFeed } from "#ports.ts";
import { presentable } from "#sources/fetch/address.ts";

/** A wrong key stays wrong until an operator changes it; more requests would look like guessing. */
const CREDENTIALS_PAUSE_SECONDS = 900;
/** A feed is polled again within a day, however long a pause it requests: a mistaken header must not stop it permanently. */
const LONGEST_PAUSE_SECONDS = 86_400;
/** Answers whose prices are remembered: of an hour, when polled every minute. */
const MOST_ANSWERS = 60;
/** An answer with at least this many prices, all as in an earlier answer, is an old copy. */
const LEAST_PRICES = 5;

/**
 * The poller behind PollFeed. `upstream` should try only once: the next poll comes soon, and every retry costs quota. `lastQuotes` are the
 * newest quotes of an earlier process.
 * A broken document or an upstream fault is an outcome. Rejects on any other error, which is a programming error.
 */
export function feedPoller(
  upstream: Upstream,
  clock: Clock,
  lastQuotes: ReadonlyMap<CurrencyCode, LiveQuote> = new Map(),
): PollFeed {
  /** By address, the prices of each answer, the newest last. */
  const answers = new Map<string, readonly string[]>();
  /**
   * True when the prices are those of the answer before, or, from LEAST_PRICES on, of any remembered answer: the feed's caches
   * may send old copies in turn with new ones. The first answer of this process is compared with the known quotes.
   */
  const isRepeat = (url: string, { quotes, printed }: FeedReading): boolean => {
    const before = answers.get(url);
    answers.set(url, [...(before ?? []).filter((one) => one !== printed), printed].slice(-MOST_ANSWERS));
    if (before !== undefined)
      return printed.split("\n").length < LEAST_PRICES ? before.at(-1) === printed : before.includes(printed);
    const pairs = quotes.flatMap((quote) => {
      const last = lastQuotes.get(currencyOf(quote));
      return last?.feed === quote.feed ? [last.mid === quote.mid] : [];
    });
    return pairs.length > 0 && pairs.every((isEqual) => isEqual);
  };
  return async (feed, poll) => {
    const polled = () => ({ feed: feed.id, at: clock.now(), requested: poll.requested });
    try {
      const document = await upstream.get(poll.request);
      if (document === "unchanged") return { kind: "unchanged", ...polled() };
      const reading = feed.parse(document, poll.requested);
      const { quotes, refusals, limited } = reading;
      const here = polled();
      // Without a time per price, the same prices would look newer with every answer. Reported as unchanged, they age. The
      // documents themselves always differ: Coinbase's has crypto-currencies, too.
      if (!feed.timesEachPrice && isRepeat(document.url, reading)) return { kind: "unchanged", ...here };
      const pauseUntil = limited === null ? null : until(here.at, feed.quotaPauseSeconds(limited, here.at));
      return { kind: "quotes", ...here, quotes, refusals, pauseUntil };
    } catch (error) {
      return failure(feed, poll, error, polled());
    }
  };
}

function failure(feed: Feed, { request }: FeedPoll, error: unknown, polled: PolledFeed): FeedOutcome {
  const failed = { kind: "failed", ...polled } as const;
  if (error instanceof BrokenDocument) {
    return { ...failed, fault: "broken_document", detail: reportable(error, request), pauseUntil: null };
  }
  if (!(error instanceof UpstreamFault)) throw error;
  const pauseUntil = pauseAfter(feed, error, polled.at);
  return { ...failed, fault: error.kind, detail: reportable(error, request), pauseUntil };
}

/** Removes credentials that an answer may repeat, and the query of the address: it would push the cause out of the message. */
function reportable(error: Error, request: UpstreamRequest): string {
  return presentable(error.message.replace(request.url, request.url.replace(/\?.*$/, "")), request);
}

function pauseAfter(feed: Feed, fault: UpstreamFault, at: Instant): Instant | null {
  if (fault.retryAfterSeconds !== null) return until(at, fault.retryAfterSeconds);
  if (fault.kind === "rate_limited") return until(at, feed.quotaPauseSeconds(fault.message, at));
  return fault.kind === "refused_credentials" ? until(at, CREDENTIALS_PAUSE_SECONDS) : null;
}

function until(at: Instant, seconds: number): Instant {
  return at + Math.min(Math.max(seconds, 1), LONGEST_PAUSE_SECONDS) * 1000;
}
