/** Figures and quotes that are not believed, and an operator's decisions about them. Types only. */

import type { Verdict } from "#domain/acceptance/judgement.ts";
import type { HeldEvidence } from "#domain/acceptance/statements.ts";
import type { Contradictions } from "#domain/acceptance/unsettled.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { FeedId, QuoteRelease, Reference } from "#domain/live/live-quote.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** One figure of a source; `currency` is the one that the source's other figures are not in. */
export interface HeldName {
  readonly source: DailySource;
  readonly date: Day;
  readonly currency: CurrencyCode;
}

/** Held publications of official tables, where these are collected. Each rejects with LedgerUnavailable. */
export interface PublicationReview {
  list(): Promise<readonly HeldPublication[]>;
  /** The next collection follows it, where the authority still states the same. */
  decide(readings: readonly HeldPublication[], verdict: "release" | "discard"): Promise<void>;
}

export interface FigureReview {
  /** Null where official tables are switched off. */
  publications(): Promise<PublicationReview | null>;
  held(): readonly HeldFigure[];
  evidence(held: HeldFigure): HeldEvidence;
  /** What routes state differently from what is served, by source. */
  contradictions(): readonly Contradictions[];
  /** False when no such figure is held any more. Rejects with LakeBusy. */
  decide(name: HeldName, verdict: Verdict): Promise<boolean>;
  /**
   * Releases the held figures of a document, by its SHA-256, that only miss a witness and are plausible, or discards all of them. How
   * many it decided on, and how many stay held; null where there are none. Rejects with LakeBusy.
   */
  decideDocument(
    document: string,
    verdict: Verdict,
  ): Promise<{ readonly decided: number; readonly remaining: number } | null>;
  /** Quotes that the collecting server refused, as of `at`; null before any server has collected. */
  refused(): { readonly at: Instant; readonly refused: readonly RefusedQuote[] } | null;
  /** Releases that are in force. */
  releases(): readonly QuoteRelease[];
  /** Accepts the quotes of a feed near a price; the reference that it holds against, null where there is none. */
  release(feed: FeedId, currency: CurrencyCode, price: string): { readonly reference: Reference | null };
}
