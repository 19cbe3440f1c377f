/** The rate of one pair, and the limit of knowledge of an answer: values that several use cases share. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import type { Simulated } from "#domain/dataset/dataset.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { MarketSession } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";

export interface KnownAsOf extends AsOf {
  /** True when a figure came to this server only after the instant. */
  readonly reconstructed: boolean;
}

export interface PairRate {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** Units of `quote` per one `base`. */
  readonly rate: string;
  /** True when the rate goes through a third currency. */
  readonly derived: boolean;
  /** Ceiling of the error of a derived rate in basis points; null where no bound is stated. */
  readonly boundBps: number | null;
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  /** Time of the oldest contributing observation. */
  readonly dataUpdatedAt: Instant;
  /** As in answers with several rates. */
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: boolean;
  /** True when any daily reference figure contributes. */
  readonly isReference: boolean;
  readonly session: MarketSession;
  readonly simulated: Simulated;
}
