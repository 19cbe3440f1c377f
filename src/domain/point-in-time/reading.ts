/** What is asked of an upstream, and what its documents say. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** Which part of an upstream's history is wanted; both days inclusive. */
export interface Window {
  /** history: everything since coverage start. recent: the last 90 days, for corrections. latest: the newest figures. */
  readonly reach: "history" | "recent" | "latest";
  readonly from: Day;
  readonly to: Day;
}

/** A figure the authority took back without a replacement. */
export interface Withdrawal {
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly publishedAt: Instant | null;
}

/** What one intact document says. A document that is not intact is thrown as BrokenDocument instead. */
export type Reading =
  | {
      readonly outcome: "figures";
      /** Ascending by date; several versions of one figure stand in order of publication, newest last. */
      readonly figures: readonly Figure[];
      readonly withdrawals: readonly Withdrawal[];
      /** The document speaks for every day up to this one, including days without a figure. */
      readonly coveredThrough: Day;
      /** What an operator should know about the document although it was read, one clause. */
      readonly note?: string;
    }
  /** Intact, and no figure is due in the window: the authority was closed. */
  | { readonly outcome: "holiday"; readonly coveredThrough: Day | null }
  /** Intact, no figure although one was due: not yet published, or not published. */
  | { readonly outcome: "empty"; readonly reason: string };
