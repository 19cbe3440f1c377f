/** GET /v1/range with an interval inside a day: pages of bars, or quotes and bars as one file. */

import { BAR_SECONDS, type BarInterval } from "#domain/bars.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Day, formatDay, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { ExportFormat, Order } from "#domain/export-plan.ts";
import { noticeText } from "#domain/provenance.ts";
import { type BarRow, type BarsDeps, type BarsQuestion, barDate, barsPage } from "#rates/bars.ts";
import type { ExportDeps } from "./export.ts";
import { json } from "./json.ts";
import type { Query } from "./query.ts";
import { exportArchive } from "./range-export.ts";

export const ARCHIVE_INTERVALS = [...(Object.keys(BAR_SECONDS) as BarInterval[]), "tick"] as const;
export type ArchiveInterval = (typeof ARCHIVE_INTERVALS)[number];

/** The part of a range question that quotes and daily rates share. */
export interface WindowQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
}

/** What only daily rates have. */
const DAILY_ONLY = ["fill", "layout", "dp", "aggregate", "as_of", "as_of_basis", "updated_after"] as const;

/** Failures as of barsPage and planArchiveExport; `invalid_request` for parameters that mean nothing here. */
export async function answerArchive(
  deps: BarsDeps & ExportDeps,
  request: Request,
  query: Query,
  window: WindowQuery,
  interval: ArchiveInterval,
  form: { readonly format: ExportFormat | "json"; readonly estimate: boolean },
): Promise<Response> {
  const senseless = DAILY_ONLY.find((name) => query(name) !== undefined);
  if (senseless !== undefined)
    refuse(`${senseless} is of daily rates: leave it out with interval=${interval}`);
  const { format, estimate } = form;
  if (format !== "json") {
    if (window.cursor !== null) refuse("a file holds the whole window: send no cursor with a file format");
    const all = query("symbols") === "*";
    return await exportArchive(deps, request, { ...window, all, interval, format, estimate });
  }
  if (interval === "tick") return refuse("quotes come as files: send format=csv, parquet, ndjson or arrow");
  if (estimate) return refuse("estimate is of files and of daily rates: send a file format");
  const question = { ...window, interval };
  return json(
    request,
    deps.simulated,
    "public, max-age=5",
    pageBody(deps, question, await barsPage(deps, question)),
  );
}

function refuse(reason: string): never {
  throw new Failure("invalid_request", { reason });
}

/** RangeResponse of a page of bars. */
function pageBody(
  { simulated, clock }: BarsDeps & ExportDeps,
  question: BarsQuestion,
  page: Awaited<ReturnType<typeof barsPage>>,
): object {
  const { rows, derivedSymbols, session, nextCursor } = page;
  const symbols = question.symbols.map(currencyCode);
  const present = symbols.filter((_, index) =>
    rows.some(({ bars }) => bars.some(([symbol]) => symbol === question.symbols[index])),
  );
  const starts = rows.map(({ start }) => start);
  return {
    result: "success",
    base: currencyCode(question.base),
    symbols,
    start_date: formatDay(question.start),
    end_date: formatDay(question.end),
    interval: question.interval,
    source: rows.length === 0 ? null : "live",
    sources: Object.fromEntries(present.map((code) => [code, "live"])),
    market_session: session,
    timestamp: formatInstant(Math.floor(clock.now() / 1000) * 1000),
    data_updated_at: starts.length === 0 ? null : formatInstant(Math.min(...starts)),
    derived_symbols: derivedSymbols,
    notice: noticeText(simulated),
    data: rows.map(rowBody),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  };
}

function rowBody({ start, bars }: BarRow): object {
  return {
    ...barDate(start),
    source: "live",
    is_forward_filled: false,
    rates: Object.fromEntries(bars.map(([symbol, { close }]) => [currencyCode(symbol), close])),
    bars: Object.fromEntries(
      bars.map(([symbol, { open, high, low, close, mean, ticks }]) => [
        currencyCode(symbol),
        { open, high, low, close, mean, ticks },
      ]),
    ),
  };
}
