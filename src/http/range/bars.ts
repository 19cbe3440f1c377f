/** GET /v1/range with an interval of intraday quotes: pages of bars. */

import { currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { noticeText } from "#domain/history/provenance.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { json } from "#http/response/json.ts";
import { type BarRow, type BarsDeps, type BarsQuestion, barDate, barsPage } from "#rates/bars.ts";
import type { ExportDeps } from "./export.ts";
import type { ArchiveInterval, WindowQuery } from "./query.ts";

/** Failure `invalid_request` for what only files have, or only daily rates. */
export function barsQuestion(
  window: WindowQuery,
  interval: ArchiveInterval,
  estimate: boolean,
): BarsQuestion {
  if (interval === "tick") return refuse("quotes come as files: send format=csv, parquet, ndjson or arrow");
  if (estimate) return refuse("estimate is of files and of daily rates: send a file format");
  return { ...window, interval };
}

/** Failures as of barsPage. */
export async function answerBars(
  deps: BarsDeps & ExportDeps,
  request: Request,
  question: BarsQuestion,
): Promise<Response> {
  return json(request, deps, "public, max-age=5", pageBody(deps, question, await barsPage(deps, question)));
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
    notice: noticeText(simulated, false),
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
