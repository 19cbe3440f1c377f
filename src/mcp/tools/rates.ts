/** The catalog, and the rates now, of one day or of a period. */

import { type Static, Type } from "@sinclair/typebox";
import { RangeResponse } from "#api/range/page.ts";
import { PARAMETERS } from "#api/range/parameters.ts";
import { AverageResponse, method, period } from "#api/rates/average.ts";
import { CurrenciesResponse } from "#api/rates/currencies.ts";
import { FluctuationResponse } from "#api/rates/fluctuation.ts";
import { HistoricalResponse } from "#api/rates/historical.ts";
import { LatestResponse } from "#api/rates/latest.ts";
import { RateResponse } from "#api/rates/rate.ts";
import { PERIODS, printedLastDates } from "#domain/history/periods.ts";
import type { Exact, ExactNumber } from "#domain/net/message.ts";
import { marked, missingText, periodProvenance, provenance, rowsText } from "#mcp/text.ts";
import { restTool } from "#mcp/tool.ts";
import {
  asOf,
  base,
  currency,
  cursor,
  day,
  decimals,
  inputOf,
  parameter,
  queryOf,
  symbols,
} from "./arguments.ts";

export const listCurrencies = restTool({
  name: "list_currencies",
  title: "List currencies",
  description:
    "The catalog: every currency with its code, name, minor units, published decimals, sources, whether it is live now, and the first day of its history. Use it to find a code or to see what is covered. It holds no rates: for those use get_rate or get_latest.",
  input: inputOf({}),
  output: CurrenciesResponse,
  request: () => "/v1/currencies",
  summary: ({ currencies, count, pairs }) => {
    const live = currencies.filter((one) => one.live).map(({ code }) => code);
    const rows = currencies.map(({ code, name, minor_units, sources, history_start }) => [
      ...[code, name, minor_units.rawJSON, sources.join(" "), history_start ?? ""],
    ]);
    const table = rowsText(["code", "name", "minor_units", "sources", "history_start"], rows);
    return `${count.rawJSON} currencies, ${pairs.rawJSON} pairs. Live now: ${live.join(", ") || "none, all are daily reference rates"}.\n\n${table}`;
  },
});

export const getRate = restTool({
  name: "get_rate",
  title: "Latest rate of a pair",
  description:
    "The newest rate of one pair of currencies. Use it for one pair now; for several currencies use get_latest, for a past day get_historical, for an amount of money convert (it multiplies exactly). With `fixing` it gives the official value of USD/MXN as the authority published it.",
  input: inputOf({
    base: currency("Currency that the rate is for 1 unit of.", "USD"),
    quote: currency("Currency that the rate is in units of.", "JPY"),
    fixing: Type.Optional(
      Type.Union([Type.Literal("banxico"), Type.Literal("dof")], {
        description:
          "Only with base USD and quote MXN: `banxico` for the FIX of Banco de México, `dof` for the value in the Diario Oficial. Absent for the ordinary rate.",
      }),
    ),
    decimals,
  }),
  output: RateResponse,
  request: ({ base, quote, fixing, decimals }) => {
    const slug = [base, quote, ...(fixing === undefined ? [] : [fixing])].join("-");
    return `/v1/rate/${slug}${queryOf({ dp: decimals })}`;
  },
  summary: (rate) =>
    `1 ${rate.base} = ${rate.rate.rawJSON} ${rate.quote}${rate.derived ? ", triangulated through a third currency" : ""}. ${provenance(rate, rate.stale)}`,
});

export const getLatest = restTool({
  name: "get_latest",
  title: "Latest rates",
  description:
    "The newest rates of several currencies, or of all, on one base: live where a currency is served live, else the daily reference. Each has its own source and observation time (`sources`, `effective_at`). Use it for two currencies or more; for one pair get_rate is shorter, for a past day use get_historical.",
  input: inputOf({ base, symbols: Type.Optional(symbols), decimals }),
  output: LatestResponse,
  request: ({ base, symbols, decimals }) => `/v1/latest${queryOf({ base, symbols, dp: decimals })}`,
  summary: (latest) =>
    `Latest rates per 1 ${latest.base}. ${provenance(latest, marked(latest.stale))} These are the least fresh source and time.${missingText(latest.missing_symbols)}\n\n${ratesText(latest)}`,
});

interface Rates {
  readonly base: string;
  readonly rates: Readonly<Record<string, ExactNumber>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly effective_at: Readonly<Record<string, string>>;
}

/** The first row is the base, where the rates rest on a figure of its own: that figure may be older than the others. */
function ratesText({ base, rates, sources, effective_at }: Rates): string {
  const own: readonly (readonly [string, { readonly rawJSON: string }])[] =
    sources[base] === undefined || rates[base] !== undefined ? [] : [[base, { rawJSON: "1" }]];
  const rows = [...own, ...Object.entries(rates)].map(([code, rate]) => [
    ...[code, rate.rawJSON, sources[code] ?? "", effective_at[code] ?? ""],
  ]);
  return rowsText(["symbol", "rate", "source", "effective_at"], rows);
}

export const getHistorical = restTool({
  name: "get_historical",
  title: "Rates of a past day",
  description:
    "The daily reference rates of one past day (UTC), since 1999-01-04. On a weekend or holiday those published before it, with `is_forward_filled` true. Use it for one day; for several days use get_range (one call instead of many), for now get_latest, for an amount on that day convert with `date`. A plan shows only so many days back: `plan_gated` says which plans reach further.",
  input: inputOf({
    date: day("The day wanted.", "2026-04-10"),
    base,
    symbols: Type.Optional(symbols),
    as_of: asOf,
    decimals,
  }),
  output: HistoricalResponse,
  request: ({ date, base, symbols, as_of, decimals }) =>
    `/v1/${date}${queryOf({ base, symbols, as_of, dp: decimals })}`,
  summary: (rates) => {
    const filled = rates.is_forward_filled ? " (carried forward from an earlier publication)" : "";
    return `Rates of ${rates.date}${filled} per 1 ${rates.base}. ${provenance(rates)}${missingText(rates.missing_symbols)}\n\n${ratesText(rates)}`;
  },
});

/** Half a year of weeks, or a quarter of days: a model can still read it at once. */
const USUAL_ROWS = 100;

const INTERVALS = ["1d", ...PERIODS, "1m", "5m", "15m", "1h"] as const;

export const getRange = restTool({
  name: "get_range",
  title: "Rates over a period",
  description:
    "Rates over a period: one row a publication day, ISO week, month, quarter, year, or bar of intraday quotes. Use it for trends instead of many calls of get_historical; it counts as one call a page. For the mean of a period use average_rate; for its change, highest and lowest rate get_fluctuation: a row of a week or month has one rate of it. Choose `interval` 1w, 1mo, 1q or 1y for long periods. When `has_more` is true send `next_cursor` as `cursor`. The whole history as one file (CSV, Parquet) is a download of GET /v1/range?format=…, not a tool.",
  input: inputOf({
    symbols,
    start_date: day("First day, included.", "2026-01-01"),
    end_date: day("Last day, included.", "2026-04-13"),
    base,
    interval: Type.Optional(
      Type.Union(
        INTERVALS.map((interval) => Type.Literal(interval)),
        {
          description:
            "Absent: one row a day on which rates were published. `1w`, `1mo`, `1q`, `1y`: the last of each week, month, quarter or year (see `aggregate`). `1m`, `5m`, `15m`, `1h`, `1d`: open, high, low, close and mean of live quotes, where the server stores them.",
        },
      ),
    ),
    aggregate: Type.Optional(parameter(PARAMETERS.aggregate)),
    fill: Type.Optional(parameter(PARAMETERS.fill)),
    side: Type.Optional(parameter(PARAMETERS.side)),
    order: Type.Optional(parameter(PARAMETERS.order)),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, description: `Rows of a page; ${USUAL_ROWS} when absent.` }),
    ),
    cursor,
    as_of: asOf,
    decimals,
  }),
  output: RangeResponse,
  request: ({ decimals, limit = USUAL_ROWS, ...given }) =>
    `/v1/range${queryOf({ ...given, limit, dp: decimals })}`,
  summary: (page) => {
    const { data } = page;
    const period = `${page.base} from ${page.start_date} to ${page.end_date}`;
    if (data.length === 0) return `${period}: no rows. ${periodProvenance(page)}`;
    const more = page.has_more
      ? ` More rows follow: send cursor ${page.next_cursor}, with the same arguments.`
      : "";
    const hasBars = data.some(({ bars }) => bars !== undefined);
    const running = data.find((row) => row.is_complete === false);
    const last = running === undefined ? "" : ` The bar of ${running.start} is not over.`;
    const head = `${period}: ${data.length} rows, units per 1 ${page.base}.${meaningOfRow(page)}${more}${last}`;
    return `${head} ${periodProvenance(page)}${missingText(page.missing_symbols)}\n\n${hasBars ? barsText(page) : seriesText(page)}`;
  },
});

type Page = Exact<Static<typeof RangeResponse>>;

const ROWS: Readonly<Record<string, string>> = {
  "1w": "week",
  "1mo": "month",
  "1q": "quarter",
  "1y": "year",
};

/** The date of a period is not the day of its rate. */
function meaningOfRow({ interval, aggregate }: Page): string {
  const period = ROWS[interval ?? ""];
  if (period === undefined) return "";
  const value = aggregate === "mean" ? "the mean of its days, up to" : "its last rate, that of";
  return ` Each row is a ${period} from the day \`from\` on, with ${value} \`last_date\`; only days within the two days asked count.`;
}

function seriesText({ data, symbols, aggregate }: Page): string {
  const isPeriod = aggregate !== undefined;
  const rows = data.map(({ date, rates, last_dates = {}, source, is_forward_filled }) => [
    date,
    ...symbols.map((code) => rates[code]?.rawJSON ?? ""),
    ...(isPeriod ? [printedLastDates(last_dates)] : []),
    source ?? "",
    String(is_forward_filled),
  ]);
  const heads = isPeriod ? ["from", ...symbols, "last_date"] : ["date", ...symbols];
  return rowsText([...heads, "source", "is_forward_filled"], rows);
}

function barsText({ data }: Page): string {
  const rows = data.flatMap(({ date, start = date, source, bars = {} }) =>
    Object.entries(bars).map(([code, { open, high, low, close, mean, ticks }]) => [
      ...[start, code],
      ...[open, high, low, close, mean, ticks].map(({ rawJSON }) => rawJSON),
      source ?? "",
    ]),
  );
  return rowsText(["start", "symbol", "open", "high", "low", "close", "mean", "ticks", "source"], rows);
}

export const averageRate = restTool({
  name: "average_rate",
  title: "Mean of a period",
  description:
    "The exact mean of rates over a period, for tax returns and accounts: of the days with published figures, or of all calendar days, with the first, last, lowest and highest rate. Give a `period` (a year, quarter, month, or a tax year such as GBR-2025-26), or both days.",
  input: inputOf({
    period: Type.Optional(parameter(period)),
    start_date: Type.Optional(day("First day.", "2026-04-01")),
    end_date: Type.Optional(day("Last day.", "2026-04-13")),
    method: Type.Optional(parameter(method)),
    base,
    symbols: Type.Optional(symbols),
    as_of: asOf,
  }),
  output: AverageResponse,
  request: (input) => `/v1/average${queryOf(input)}`,
  summary: (means) =>
    `Means of the rates per 1 ${means.base} from ${means.start_date} to ${means.end_date}, ${means.method} days${means.is_complete ? "" : ", not complete: figures of the period are still to come"}. ${periodProvenance(means)}${missingText(means.missing_symbols)}\n\n${summaryRows(means.rates)}`,
});

/** One row a currency, with the members in the order of the answer. */
function summaryRows(
  rates: Readonly<Record<string, Readonly<Record<string, string | ExactNumber>>>>,
): string {
  const rows = Object.entries(rates).map(([code, members]) => [
    code,
    ...Object.values(members).map((value) => (typeof value === "string" ? value : value.rawJSON)),
  ]);
  return rowsText(["symbol", ...Object.keys(Object.values(rates)[0] ?? {})], rows);
}

export const getFluctuation = restTool({
  name: "get_fluctuation",
  title: "Change between two days",
  description:
    "How rates changed between two days: both rates with the days of their figures, the change, exact and in percent, and the lowest and highest rate between them. Use it for one change over a period instead of get_range; for the course of a rate use get_range.",
  input: inputOf({
    start_date: day("First day.", "2026-04-10"),
    end_date: day("Last day.", "2026-04-13"),
    base,
    symbols: Type.Optional(symbols),
    as_of: asOf,
  }),
  output: FluctuationResponse,
  request: (input) => `/v1/fluctuation${queryOf(input)}`,
  summary: (changes) =>
    `Change of the rates per 1 ${changes.base} from ${changes.start_date} to ${changes.end_date}. ${periodProvenance(changes)}${missingText(changes.missing_symbols)}\n\n${summaryRows(changes.rates)}`,
});
