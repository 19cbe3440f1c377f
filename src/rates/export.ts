/** A whole window as CSV text, chunk by chunk: the same digits as the JSON pages. */

import { crossRate, derivationBound } from "#domain/cross.ts";
import { currencyCode } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { DERIVED, FILLED, type Series } from "#domain/series.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import { openView, withDecimals } from "./query.ts";
import { type RangeDeps, type RangeQuery, seriesEnd } from "./range.ts";

/** long: one row a date and symbol. wide: one row a date, one column a symbol. */
export type ExportLayout = "long" | "wide";

export interface ExportRange extends RangeQuery {
  readonly layout: ExportLayout;
  readonly dp: number | null;
}

const DAYS_A_CHUNK = 366;

/** The header line: the documented columns of the layout. */
export function exportHeader({ layout, symbols }: ExportRange): string {
  if (layout === "wide") return `date,base,source,is_forward_filled,${symbols.map(currencyCode).join(",")}\n`;
  return "date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max\n";
}

/**
 * Rows of the window: long ordered by symbol, then date; wide by date. Failures before the first chunk:
 * `invalid_request` for a reversed window, `no_data_for_date` when it holds nothing, `data_unavailable`.
 */
export function exportRows(deps: RangeDeps, query: ExportRange): Generator<string> {
  if (query.start > query.end) {
    throw new Failure("invalid_request", {
      reason: `start_date ${formatDay(query.start)} is after end_date ${formatDay(query.end)}`,
    });
  }
  const view = openView(deps);
  const { dataset } = view;
  const first = Math.max(query.start, COVERAGE_START);
  const shelfEnd = seriesEnd(dataset, view.now);
  const last = Math.min(query.end, shelfEnd);
  const take = (symbol: number) =>
    deps.shelf.take(dataset.history, [query.base, symbol], query.fill, shelfEnd, [first, last]);
  if (!query.symbols.some((symbol) => hasRows(take(symbol), first, last))) {
    throw new Failure("no_data_for_date", { date: `${formatDay(query.start)} to ${formatDay(query.end)}` });
  }
  return query.layout === "wide"
    ? wideRows(query, query.symbols.map(take), first, last)
    : longRows(query, dataset, take, first, last);
}

function hasRows({ text, firstDay }: Series, first: Day, last: Day): boolean {
  for (let day = first; day <= last; day++) if (text[day - firstDay] !== undefined) return true;
  return false;
}

function* longRows(
  query: ExportRange,
  dataset: Dataset,
  take: (symbol: number) => Series,
  first: Day,
  last: Day,
): Generator<string> {
  const base = currencyCode(query.base);
  const inOrder = [...query.symbols].sort((a, b) => (currencyCode(a) < currencyCode(b) ? -1 : 1));
  for (const symbol of inOrder) {
    const series = take(symbol);
    for (let from = first; from <= last; from += DAYS_A_CHUNK) {
      let chunk = "";
      for (let day = from; day <= Math.min(last, from + DAYS_A_CHUNK - 1); day++) {
        const at = day - series.firstDay;
        const text = series.text[at];
        if (text === undefined) continue;
        const flags = series.flags[at] as number;
        const cross = (flags & DERIVED) === 0 ? null : crossRate(dataset.history, day, query.base, symbol);
        const bound = cross === null ? null : derivationBound(dataset.history, cross);
        chunk += `${formatDay(day)},${base},${currencyCode(symbol)},${withDecimals(text, query.dp)},${DAILY_SOURCES[series.source[at] as number]},${(flags & FILLED) !== 0},${cross !== null},${bound ?? ""}\n`;
      }
      if (chunk !== "") yield chunk;
    }
  }
}

function* wideRows(query: ExportRange, columns: readonly Series[], first: Day, last: Day): Generator<string> {
  const base = currencyCode(query.base);
  let chunk = "";
  for (let day = first; day <= last; day++) {
    let [slowest, oldest, filled] = [-1, Number.POSITIVE_INFINITY, false];
    const cells = columns.map((series) => {
      const at = day - series.firstDay;
      const text = series.text[at];
      if (text === undefined) return "";
      if ((series.observedAt[at] as number) < oldest) {
        oldest = series.observedAt[at] as number;
        slowest = series.source[at] as number;
      }
      filled ||= ((series.flags[at] as number) & FILLED) !== 0;
      return withDecimals(text, query.dp);
    });
    if (slowest >= 0)
      chunk += `${formatDay(day)},${base},${DAILY_SOURCES[slowest]},${filled},${cells.join(",")}\n`;
    if (chunk.length > 65_536 || day === last) {
      if (chunk !== "") yield chunk;
      chunk = "";
    }
  }
}
