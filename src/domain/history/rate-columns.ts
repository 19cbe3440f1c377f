/** Rows of rates as parallel columns: what exports are printed from. */

/** Set beside DERIVED and FILLED: the digits are the published ones, with the zeros that `scale` implies. */
export const AS_PUBLISHED = 4;
/** There was a value once, and there is none now: `rate` is NaN. */
export const WITHDRAWN = 8;

/** `rate` is the double nearest to its decimal of `scale` places. */
export interface RateColumns {
  count: number;
  /** CurrencyIndex. */
  readonly symbol: Uint8Array;
  readonly date: Int32Array;
  readonly rate: Float64Array;
  readonly scale: Uint8Array;
  /** Position in DAILY_SOURCES of the least fresh leg. */
  readonly source: Uint8Array;
  /** DERIVED, FILLED, AS_PUBLISHED, WITHDRAWN. */
  readonly flags: Uint8Array;
  /** derivation_bps_max; NaN where there is none. */
  readonly bound: Float64Array;
  /** Observation time of the least fresh leg. */
  readonly observedAt: Float64Array;
  /** Highest revision among the legs and their latest retrieval; of changes alone, else 0. */
  readonly revision: Uint16Array;
  readonly updatedAt: Float64Array;
}

export function emptyRateColumns(capacity: number): RateColumns {
  return {
    count: 0,
    symbol: new Uint8Array(capacity),
    date: new Int32Array(capacity),
    rate: new Float64Array(capacity),
    scale: new Uint8Array(capacity),
    source: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    bound: new Float64Array(capacity),
    observedAt: new Float64Array(capacity),
    revision: new Uint16Array(capacity),
    updatedAt: new Float64Array(capacity),
  };
}

/** Copies one row to the end of other columns. */
export function copyRow(from: RateColumns, row: number, to: RateColumns): number {
  const at = to.count++;
  to.symbol[at] = from.symbol[row] as number;
  to.date[at] = from.date[row] as number;
  to.rate[at] = from.rate[row] as number;
  to.scale[at] = from.scale[row] as number;
  to.source[at] = from.source[row] as number;
  to.flags[at] = from.flags[row] as number;
  to.bound[at] = from.bound[row] as number;
  to.observedAt[at] = from.observedAt[row] as number;
  to.revision[at] = from.revision[row] as number;
  to.updatedAt[at] = from.updatedAt[row] as number;
  return at;
}

/** Turns the order of the rows around, in place. */
export function reverseRows(columns: RateColumns): void {
  const { count, symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt } = columns;
  for (const column of [symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt]) {
    column.subarray(0, count).reverse();
  }
}
