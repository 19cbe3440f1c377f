/** RangeResponse: one page of a time series, with its printers. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { asOfFields, asOfMembers, changeFields, syncFields } from "#api/point-in-time.ts";
import type { Body } from "#api/print.ts";
import { printer } from "#api/print.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import {
  AGGREGATES,
  type Aggregate,
  BAR_SECONDS,
  type BarInterval,
  PERIODS,
  type PeriodInterval,
  QUOTE_SIDES,
  type QuoteSide,
} from "#domain/history/periods.ts";
import { EXPORT_FORMATS } from "#domain/history/rate-columns.ts";
import { PRICE_SIDES, type PriceSide, type QuoteImport } from "#domain/live/quote-file.ts";
import { type RawJson, SERVED_AT } from "#domain/net/message.ts";
import { dayAt, formatDay, formatInstant } from "#domain/time/day.ts";
import type { Estimate } from "#rates/export/estimate.ts";
import type { BarRow, BarsPage } from "#rates/range/bars.ts";
import type { RangePage } from "#rates/range/range.ts";
import { type PrintedRows, rowsJson } from "./rows.ts";

const BarModel = form.named("Bar", "The quotes of one symbol in one interval of time.", {
  open: Type.Number({ description: "First mid of the bar.", examples: [0.85581] }),
  high: Type.Number({ description: "Highest mid.", examples: [0.85602] }),
  low: Type.Number({ description: "Lowest mid.", examples: [0.85577] }),
  close: Type.Number({ description: "Last mid.", examples: [0.85596] }),
  mean: Type.Number({ description: "Arithmetic mean of the mids.", examples: [0.8559] }),
  ticks: form.count("How many quotes there are in the bar.", 5, 1),
});

const periodFields = {
  last_dates: Type.Optional(
    field.byCurrency(
      form.day("A day.", "2026-04-10"),
      "Rows of a week, month, quarter or year only: the last day that counts in each rate.",
      { EUR: "2026-04-10", GBP: "2026-04-10" },
    ),
  ),
};

const ImportModel = form.named("QuoteImport", "A file of quotes that the operator imported.", {
  file: form.text("Its name.", "DAT_ASCII_EURUSD_M1_2025.csv"),
  sha256: form.text("SHA-256 of the file, hexadecimal.", "0c".repeat(32)),
  label: form.textOrNull("What the operator says of its origin; else null.", "HistData.com"),
  base: form.meaning(field.CurrencyCodeModel, "Base of its quotes.", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "Quote currency of them.", "USD"),
  price: form.oneOf<PriceSide>(
    PRICE_SIDES,
    "What it has: `both` is bid and ask, with their mean as mid. Of a file with `bid` or `ask` alone bars are of these prices.",
    "bid",
  ),
  rows: form.oneOf<QuoteImport["rows"]>(
    ["minutes", "ticks"],
    "`minutes`: it has the open, high, low and close of each minute.",
    "minutes",
  ),
  first: form.instant("Its first quote, UTC.", "2025-01-01T22:05:00Z"),
  last: form.instant("Its last quote, UTC.", "2025-12-31T21:59:59.999Z"),
  imported_at: form.instant("When it was imported, UTC.", "2026-04-13T16:30:00Z"),
});

const barFields = {
  start: Type.Optional(
    form.instant("Bars only: first instant of the bar, UTC; its day is `date`.", "2026-04-13T14:05:00Z"),
  ),
  is_complete: Type.Optional(
    form.flag("On the row of a bar that is not over: false. Its figures still change.", false),
  ),
  bars: Type.Optional(
    field.byCurrency(
      BarModel,
      "Rows of bars only: the bar of each symbol that was quoted in it; `rates` has the closes.",
      { EUR: { open: 0.85581, high: 0.85602, low: 0.85577, close: 0.85596, mean: 0.8559, ticks: 5 } },
    ),
  ),
};

const RangeRow = form.named("RangeRow", "The rates of one day, week, month, quarter, year or bar.", {
  date: form.day("Day of the row, UTC; of a week, month, quarter or year its first day.", "2026-04-09"),
  source: form.orNull(
    field.SourceModel,
    "The least fresh contributing source of the row; null only with `updated_after`, on a row with only withdrawn values.",
    "ecb_daily",
  ),
  is_forward_filled: field.isForwardFilled,
  rates: form.meaning(
    field.rates,
    "Units of the currency per 1 unit of `base`; a currency without a value that day is absent, with `updated_after` one without a change too. A mean has 10 significant digits.",
    { EUR: 0.858000858, GBP: 0.7466323466 },
  ),
  ...periodFields,
  ...changeFields,
  ...barFields,
});

export const RangeResponse = form.named("RangeResponse", "One page of a time series.", {
  result: field.result,
  base: field.base,
  symbols: form.list(
    field.CurrencyCodeModel,
    "Currencies requested, in the order given; all but the base for `*`.",
    ["EUR", "GBP"],
  ),
  start_date: form.day("First day requested.", "2026-04-09"),
  end_date: form.day("Last day requested.", "2026-04-13"),
  interval: Type.Optional(
    form.oneOf<PeriodInterval | BarInterval>(
      [...(Object.keys(BAR_SECONDS) as BarInterval[]), ...PERIODS],
      "The `interval` requested: the time of a row. Absent on rows of daily rates.",
      "1w",
    ),
  ),
  aggregate: Type.Optional(
    form.oneOf<Aggregate>(
      AGGREGATES,
      "With `interval=1w`, `1mo`, `1q` or `1y`: how the values of the days became one.",
      "last",
    ),
  ),
  side: Type.Optional(
    form.oneOf<QuoteSide>(QUOTE_SIDES, "Bars with `side=bid` or `ask` only: the price that counts.", "bid"),
  ),
  source: form.orNull(
    field.SourceModel,
    "The least fresh contributing source of the page; null on a page without rates.",
    "ecb_daily",
  ),
  sources: form.meaning(
    field.sources,
    "Source of each symbol's own figure in its oldest rate on the page, and of the base's where one contributes.",
    {
      EUR: "ecb_daily",
      GBP: "ecb_daily",
    },
  ),
  simulated: field.simulated,
  market_session: field.marketSession,
  timestamp: field.timestamp,
  data_updated_at: form.instantOrNull("Oldest observation of it, UTC, or null.", "2026-04-09T12:15:00Z"),
  missing_symbols: field.missingSymbols,
  derived_symbols: field.derivedSymbols,
  notice: field.notice,
  imports: Type.Optional(
    Type.Array(ImportModel, {
      maxItems: 100_000,
      description: "Only where `source` is `imported`: the files that the page rests on.",
    }),
  ),
  ...asOfFields,
  ...syncFields,
  data: Type.Array(RangeRow, {
    maxItems: 366,
    description: "One row a day, week, month, quarter or year, by date in the `order` requested.",
  }),
  has_more: form.flag("True when more rows follow this page.", true),
  next_cursor: form.textOrNull(
    "Send it back as `cursor`, everything else unchanged, for the next page; null on the last one.",
    "MjAyNi0wNC0xMy5hMWIyYzM.bW9yZSByb3dzIGZvbGxvdw",
  ),
});

/** Added to the notice of a window that has no row. */
const NOTHING_PUBLISHED =
  " Nothing was published in this window: on weekends and holidays there is no publication, and fill=previous gives their days the rates in force.";

/** Makes the body of a page; rows as printed in `cache`, rounded to `dp` decimals unless that is null. */
export function rangeBody(page: RangePage, dp: number | null, cache: PrintedRows) {
  const { interval, aggregate, origin, sync } = page;
  const missing = page.symbols.filter((symbol) => !(currencyCode(symbol) in origin.symbolSources));
  const isEmpty = sync === null && origin.source === null;
  const ofBase = origin.baseSource === null ? {} : { [currencyCode(page.base)]: origin.baseSource };
  return {
    ...requested(page),
    ...(interval === "1d" ? {} : { interval, aggregate }),
    source: origin.source,
    sources: { ...ofBase, ...origin.symbolSources },
    ...served(page),
    data_updated_at: field.instantOrNull(origin.dataUpdatedAt),
    // An answer with changes may lack a currency because it has no change.
    ...field.missingMember(sync === null ? missing : []),
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(page.simulated) + (isEmpty ? NOTHING_PUBLISHED : ""),
    ...asOfMembers(page.asOf),
    ...(sync === null ? {} : { updated_after: sync.updatedAfter, sync_from: sync.from }),
    data: rowsJson(cache, page, dp),
    ...following(page),
  } satisfies PageBody;
}

function requested({ base, symbols, start, end }: RangePage | BarsPage) {
  const [start_date, end_date] = [formatDay(start), formatDay(end)];
  const asked = { base: currencyCode(base), symbols: symbols.map(currencyCode), start_date, end_date };
  return { result: "success", ...asked } as const;
}

function served({ simulated, session }: RangePage | BarsPage) {
  return { ...field.simulatedMember(simulated), market_session: session, timestamp: SERVED_AT };
}

function following({ nextCursor }: RangePage | BarsPage) {
  return { has_more: nextCursor !== null, next_cursor: nextCursor };
}

/** Rows may be JSON text already. */
type PageBody = Omit<Body<typeof RangeResponse>, "data"> & {
  readonly data: Body<typeof RangeResponse>["data"] | RawJson;
};

export function barsBody(page: BarsPage) {
  const { rows, symbols } = page;
  const quoted = symbols.filter((symbol) => rows.some(({ bars }) => bars.some(([one]) => one === symbol)));
  const times = rows.flatMap(({ bars }) => bars.map(([, { since }]) => since));
  return {
    ...requested(page),
    interval: page.interval,
    ...(page.side === "mid" ? {} : { side: page.side }),
    source: rows.length === 0 ? null : sourceOf(rows.flatMap(({ bars }) => bars)),
    sources: Object.fromEntries(
      quoted.map((symbol) => [
        currencyCode(symbol),
        sourceOf(rows.flatMap(({ bars }) => bars.filter(([one]) => one === symbol))),
      ]),
    ),
    ...served(page),
    data_updated_at: times.length === 0 ? null : formatInstant(Math.min(...times)),
    ...field.missingMember(symbols.filter((symbol) => !quoted.includes(symbol))),
    derived_symbols: page.derivedSymbols.map(currencyCode),
    notice: noticeText(page.simulated, false),
    ...(page.imports.length === 0 ? {} : { imports: page.imports.map(printImport) }),
    data: rows.map((row) => barsRow(row, row.start + BAR_SECONDS[page.interval] * 1000 <= page.now)),
    ...following(page),
  } satisfies Body<typeof RangeResponse>;
}

/** A bar with one imported quote is imported. */
function sourceOf(bars: BarRow["bars"]): "live" | "imported" {
  return bars.some(([, { imported }]) => imported === true) ? "imported" : "live";
}

const printImport = printer(ImportModel);

function barsRow({ start, bars }: BarRow, isOver: boolean) {
  return {
    date: formatDay(dayAt(start)),
    start: formatInstant(start),
    ...(isOver ? {} : { is_complete: false }),
    source: sourceOf(bars),
    is_forward_filled: false,
    rates: Object.fromEntries(bars.map(([symbol, { close }]) => [currencyCode(symbol), close])),
    bars: Object.fromEntries(
      bars.map(([symbol, { open, high, low, close, mean, ticks }]) => [
        currencyCode(symbol),
        { open, high, low, close, mean, ticks },
      ]),
    ),
  } satisfies Body<typeof RangeRow>;
}

export const ExportEstimate = form.named("ExportEstimate", "How much an export will be.", {
  result: field.result,
  estimate: Type.Literal(true, {
    description: "Marks the answer: nothing was exported.",
    examples: [true],
  }),
  format: form.oneOf<string>(["json", ...EXPORT_FORMATS], "The format requested.", "csv"),
  rows: form.count("Rows of the file or all pages: exact for daily rates, at most for quotes and bars.", 6),
  bytes: form.count("Size of the file, or of all pages.", 417),
  exact: form.flag("True when the file is finished; else `bytes` is from the usual size of a row.", false),
  requests: form.count("Calls that it counts as: 1 for a file, however long; of JSON one a page.", 1, 1),
});

const printEstimate = printer(ExportEstimate);
export const estimateBody = (estimate: Estimate) => printEstimate({ ...estimate, estimate: true });
