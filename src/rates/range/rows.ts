/** Rows that are made for one page (periods and changes), and the provenance of a page. Daily rows are cut from blocks. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, lessFresh, type Source } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import { DERIVED, FILLED } from "#domain/history/rate-columns.ts";
import { hasValue, type Series } from "#domain/history/series.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface ListedRow {
  readonly date: Day;
  /** Position in DAILY_SOURCES of the least fresh contribution; -1 where every value of the row is withdrawn. */
  readonly source: number;
  readonly filled: boolean;
  readonly rates: readonly {
    readonly symbol: CurrencyIndex;
    readonly text: string;
    /** The last day that counts in the value of a period; absent on rows of changes. */
    readonly to?: Day;
  }[];
  /** Changes of the row's values since an instant; null on rows of periods. */
  readonly changes: {
    readonly updated: readonly {
      readonly symbol: CurrencyIndex;
      readonly at: Instant;
      readonly revision: number;
    }[];
    readonly withdrawn: readonly CurrencyIndex[];
  } | null;
}

/** Facts about all rows of a page together; `source` and its time are null on a page without values. */
export type PageOrigin = ReturnType<typeof originOf>;

export interface ListedPage {
  readonly rows: readonly ListedRow[];
  readonly origin: PageOrigin;
  /** The observations behind the values, looked up on iteration. */
  readonly figures: Iterable<Row>;
  /** Day of the row after the page; null on the last page. */
  readonly next: Day | null;
}

/** The origin of one value; Series describes the members. */
export interface ValueOrigin {
  readonly observedAt: Instant;
  readonly source: number;
  readonly ownSource: number;
  readonly baseSource: number;
  readonly flags: number;
}

/** The origin of a series' value on a day; null without a value. */
export function originOn(series: Series, day: Day): ValueOrigin | null {
  const at = day - series.firstDay;
  if (!hasValue(series, at)) return null;
  return {
    observedAt: series.observedAt[at] as Instant,
    source: series.source[at] as number,
    ownSource: series.ownSource[at] as number,
    baseSource: series.baseSource[at] as number,
    flags: series.flags[at] as number,
  };
}

/** The least fresh of some values (on a tie the slower source), with the flags of all; null without one. */
export function leastFreshOf(values: readonly ValueOrigin[]): ValueOrigin | null {
  let least: ValueOrigin | null = null;
  let flags = 0;
  for (const value of values) {
    flags |= value.flags;
    const { observedAt = Number.POSITIVE_INFINITY, source = -1 } = least ?? {};
    if (value.observedAt < observedAt || (value.observedAt === observedAt && value.source > source))
      least = value;
  }
  return least === null ? null : { ...least, flags };
}

/** The origin of a row: its least fresh source, -1 without values, and whether any value is filled. */
export function originOfRow(values: readonly ValueOrigin[]) {
  const { source, flags } = leastFreshOf(values) ?? { source: -1, flags: 0 };
  return { source, filled: (flags & FILLED) !== 0 };
}

/** Collects the origins of values; `add` takes the position of the symbol in `symbols`. */
export function createOrigins(symbols: readonly CurrencyIndex[]) {
  const oldest = new Map<number, ValueOrigin>();
  const flagged = new Set<number>();
  return {
    add(symbol: number, value: ValueOrigin): void {
      if ((value.flags & DERIVED) !== 0) flagged.add(symbol);
      const before = oldest.get(symbol);
      if (before === undefined || value.observedAt < before.observedAt) oldest.set(symbol, value);
    },
    origin: () => originOf(symbols, oldest, flagged),
  };
}

function originOf(
  symbols: readonly CurrencyIndex[],
  oldest: ReadonlyMap<number, ValueOrigin>,
  flagged: ReadonlySet<number>,
) {
  const symbolSources: Record<string, Source> = {};
  const derivedSymbols: CurrencyCode[] = [];
  const ofBase = leastFreshOf([...oldest.values()].filter(({ baseSource }) => baseSource >= 0));
  let source: Source | null = null;
  let dataUpdatedAt: Instant | null = null;
  for (const [index, symbol] of symbols.entries()) {
    const value = oldest.get(index);
    if (value === undefined) continue;
    const code = currencyCode(symbol);
    const least = DAILY_SOURCES[value.source] as Source;
    symbolSources[code] = DAILY_SOURCES[value.ownSource] as Source;
    if (flagged.has(index)) derivedSymbols.push(code);
    if (
      source === null ||
      dataUpdatedAt === null ||
      lessFresh(least, value.observedAt, source, dataUpdatedAt)
    ) {
      source = least;
      dataUpdatedAt = value.observedAt;
    }
  }
  const baseSource = ofBase === null ? null : (DAILY_SOURCES[ofBase.baseSource] as Source);
  return { source, symbolSources, baseSource, dataUpdatedAt, derivedSymbols };
}
