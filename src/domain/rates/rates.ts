/** The results of the rates use cases, as values. src/api/rates prints them. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import type { Provenance } from "#domain/dataset/provenance.ts";
import type { Simulated } from "#domain/dataset/simulated.ts";
import type { Cross } from "#domain/history/cross.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Decimal } from "#domain/number/decimal.ts";
import type { SpotOrigin, SpotRate } from "#domain/spot/rates.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { MarketSession } from "#domain/time/session.ts";

/** What every answer with rates states beside them. */
export interface Served {
  /** State of the market when the answer was made. */
  readonly session: MarketSession;
  readonly simulated: Simulated;
}

/** The limit of knowledge of an answer. */
export interface KnownAsOf extends AsOf {
  /** True when a contributing figure came to this server only after the instant. */
  readonly reconstructed: boolean;
}

export interface LatestRates extends Served {
  readonly base: CurrencyIndex;
  /** At least one. */
  readonly rates: readonly SpotRate[];
  /** Requested currencies without a rate. */
  readonly missing: readonly CurrencyIndex[];
  readonly origin: SpotOrigin;
  /** Decimals to round to; null: all digits. */
  readonly dp: number | null;
}

export interface HistoricalRates extends Served {
  readonly base: CurrencyIndex;
  readonly day: Day;
  /** At least one. */
  readonly rates: readonly (readonly [CurrencyIndex, Cross])[];
  /** Requested currencies without a rate. */
  readonly missing: readonly CurrencyIndex[];
  readonly origin: Provenance;
  readonly dp: number | null;
  /** Null where nothing limits what is known. */
  readonly asOf: KnownAsOf | null;
}

/** One pair: the rate in decimal digits, and where it comes from. */
export interface PairRate extends Served {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** Units of `quote` per one `base`. */
  readonly rate: string;
  /** True when the rate goes through a third currency. */
  readonly derived: boolean;
  /** Ceiling of the error of a derived rate in basis points; null where there is none to state. */
  readonly boundBps: number | null;
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  /** Time of the oldest contributing observation. */
  readonly dataUpdatedAt: Instant;
  /** As in the answers of several rates. */
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: boolean;
  /** True when any daily reference figure contributes. */
  readonly isReference: boolean;
}

export interface Conversion extends PairRate {
  readonly amount: Decimal;
  /** `rate` times `amount`, to at most 15 significant digits. */
  readonly converted: string;
  /** The past day whose rates were used; null for the latest. */
  readonly day: { readonly date: Day; readonly forwardFilled: boolean } | null;
}

export interface ConversionBatch extends Served {
  readonly from: CurrencyIndex;
  /** Targets without a rate. */
  readonly missing: readonly CurrencyIndex[];
  /** In the order of the query, without these. */
  readonly conversions: readonly {
    readonly rate: SpotRate;
    readonly amount: Decimal;
    readonly converted: string;
    readonly boundBps: number | null;
  }[];
  readonly origin: SpotOrigin;
}

/** A currency of the catalog with what is known about its data. */
export interface CurrencyFacts {
  readonly currency: CurrencyIndex;
  /** Decimals in which its daily reference rate is published; null before anything was collected. */
  readonly decimals: number | null;
  /** True when its rate from the dollar is triangulated. */
  readonly derived: boolean;
  readonly live: boolean;
  /** The preferred one first. */
  readonly sources: readonly Source[];
  /** First day with a rate against the dollar; null before anything was collected. */
  readonly historyStart: Day | null;
  /** Last date with a published figure; null before anything was collected. */
  readonly lastDate: Day | null;
}
