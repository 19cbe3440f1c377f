/** The types of collection: what is requested from an upstream, what its documents contain, the state of a collection, and when a whole history is read again. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Figure, Provenance } from "#domain/history/observation.ts";
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

/** The content of one intact document. A document that is not intact is thrown as BrokenDocument instead. */
export type Reading =
  | {
      readonly outcome: "figures";
      /** Ascending by date; several versions of one figure are in order of publication, newest last. */
      readonly figures: readonly Figure[];
      readonly withdrawals: readonly Withdrawal[];
      /** The document covers every day up to this one, including days without a figure. */
      readonly coveredThrough: Day;
      /** What an operator should know about the document although it was read, one clause. */
      readonly note?: string;
    }
  /** Intact, and no figure is due in the window: the authority was closed. */
  | { readonly outcome: "holiday"; readonly coveredThrough: Day | null }
  /** Intact, no figure although one was due: not yet published, or not published. */
  | { readonly outcome: "empty"; readonly reason: string };

/** A figure that acceptance held back: visible, never served, until released or confirmed. */
export interface HeldFigure extends Figure, Provenance {
  /** Name of the rule that held it, e.g. "implausible_jump". */
  readonly rule: string;
  /** One sentence with the numbers that made the rule fire. */
  readonly reason: string;
}

/** Through which day a source's documents reach, and when that was last seen. */
export interface Coverage {
  readonly source: DailySource;
  readonly coveredThrough: Day;
  readonly retrievedAt: Instant;
}

/** How the last collection of a source went; held in memory, published by /status. */
export interface CollectionState {
  readonly source: DailySource;
  readonly lastAttemptAt: Instant | null;
  /** Last attempt in which a route read an intact document, whether or not it held anything new. */
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why the last attempt failed or was empty, one sentence; null when there is nothing to report. */
  readonly detail: string | null;
}

export interface WholeRead {
  /** When it was last read whole; null when that is not known. */
  readonly readAt: Instant | null;
  /** From when on it is due again. */
  readonly dueAt: Instant;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Spreads installations over half a day. */
const JITTER = 12 * HOUR;

/** After a whole read at `now`: a week later, or a day later when not every route of it could be read. */
export function afterWholeRead(now: Instant, isClean: boolean, random: () => number): WholeRead {
  const wait = isClean ? WEEK : DAY;
  return { readAt: now, dueAt: now + wait + Math.floor(random() * JITTER) };
}

/** Where no read is known of, as on a lake of an earlier release: within a day, so that not every upgrade requests it at once. */
export function firstWholeRead(now: Instant, random: () => number): WholeRead {
  return { readAt: null, dueAt: now + Math.floor(random() * DAY) };
}

/** True from the due time on; also when the time lies further ahead than it is ever set, after a clock that was wrong. */
export function isWholeReadDue({ dueAt }: WholeRead, now: Instant): boolean {
  return now >= dueAt || dueAt - now > WEEK + JITTER;
}
