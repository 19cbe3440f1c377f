/** A caller and its limits: one organization with all its keys, or one client address without a key. */

/** From the shortest to the longest. */
export const WINDOWS = ["minute", "hour", "month"] as const;
export type Window = (typeof WINDOWS)[number];

/** Of the sliding windows, in milliseconds; the month is one of the calendar. */
export const WIDTHS = { minute: 60_000, hour: 3_600_000 } as const;

/** Calls per window; null where the window does not apply. Whole numbers from 1 to LARGEST_LIMIT. */
export interface Allowance {
  readonly minute: number;
  readonly hour: number | null;
  readonly month: number | null;
}

/** Up to here products of a limit and the milliseconds of an hour are exact in a double. */
export const LARGEST_LIMIT = 1_000_000_000;

export interface Caller {
  readonly kind: "org" | "address";
  /**
   * Of an organization the id of the identity that owns it, which outlives it: deleting the account and beginning anew
   * resets nothing. Else the text that clientAddress gives.
   */
  readonly id: string;
  readonly allowance: Allowance;
}
