/** Rows that are made for one page (periods and changes), and the provenance of a page. Daily rows are cut from blocks. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, lessFresh, type Source } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import { DERIVED, FILLED } from "#domain/history/rate-columns.ts";
import type { ListedRow, PageOrigin } from "#domain/rates/rates.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface ListedPage {
  readonly rows: readonly ListedRow[];
  readonly origin: PageOrigin;
  /** The observations that the values rest on, looked up only by who needs them. */
  readonly figures: Iterable<Row>;
  /** Day of the row after the page. */
  readonly next: Day | null;
}

/** One value as far as its origin goes; see Series for the meaning of the members. */
export interface ValueOrigin {
  readonly observedAt: Instant;
  readonly source: number;
  readonly ownSource: number;
  readonly flags: number;
}

/** The origin of a row: the least fresh source (on a tie the slower one; -1 without values), and whether any is filled. */
export function originOfRow(values: readonly ValueOrigin[]): {
  readonly source: number;
  readonly filled: boolean;
} {
  let source = -1;
  let oldest = Number.POSITIVE_INFINITY;
  let flags = 0;
  for (const value of values) {
    flags |= value.flags;
    if (value.observedAt > oldest || (value.observedAt === oldest && value.source <= source)) continue;
    source = value.source;
    oldest = value.observedAt;
  }
  return { source, filled: (flags & FILLED) !== 0 };
}

/** Collects the origins of values; `add` takes the position of the symbol in `symbols`. */
export function createOrigins(symbols: readonly CurrencyIndex[]) {
  const oldest = new Map<number, ValueOrigin>();
  const flagged = new Set<number>();
  return {
    add(symbol: number, value: ValueOrigin): void {
      if ((value.flags & DERIVED) !== 0) flagged.add(symbol);
      const known = oldest.get(symbol);
      if (known === undefined || value.observedAt < known.observedAt) oldest.set(symbol, value);
    },
    origin: (): PageOrigin => originOf(symbols, oldest, flagged),
  };
}

function originOf(
  symbols: readonly CurrencyIndex[],
  oldest: ReadonlyMap<number, ValueOrigin>,
  flagged: ReadonlySet<number>,
): PageOrigin {
  const symbolSources: Record<string, Source> = {};
  const derivedSymbols: CurrencyCode[] = [];
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
  return { source, symbolSources, dataUpdatedAt, derivedSymbols };
}
