/** GET /v1/range: the contract's RangeResponse, page by page, or one file. */

import { Type } from "@sinclair/typebox";
import { noticeText } from "#domain/provenance.ts";
import type { Source } from "#domain/source.ts";
import * as field from "./fields.ts";
import type { Operation, Parameter } from "./operation.ts";
import { base, dayParameter, dp, requiredSymbols } from "./parameters.ts";

const RangeRow = Type.Object(
  {
    date: field.day("Day of the row, UTC.", "2026-04-09"),
    source: field.meaning(field.SourceModel, "The least fresh contributing source of the row.", "ecb_daily"),
    is_forward_filled: field.isForwardFilled,
    rates: field.meaning(
      field.rates,
      "Units of the currency per 1 unit of `base`; a currency without a value that day is absent.",
      { EUR: 0.858000858, GBP: 0.7466323466 },
    ),
  },
  { $id: "RangeRow", additionalProperties: false, description: "The rates of one day." },
);

export const RangeResponse = Type.Object(
  {
    result: field.result,
    base: field.meaning(field.CurrencyCodeModel, "Currency that the rates are for 1 unit of.", "USD"),
    symbols: Type.Array(field.CurrencyCodeModel, {
      description: "Currencies asked for, in the order given.",
      examples: [["EUR", "GBP"]],
    }),
    start_date: field.day("First day asked for.", "2026-04-09"),
    end_date: field.day("Last day asked for.", "2026-04-13"),
    source: Type.Unsafe<Source | null>({
      anyOf: [field.SourceModel, { type: "null" }],
      description: "The least fresh contributing source of the page; null on a page without rows.",
      examples: ["ecb_daily"],
    }),
    sources: field.meaning(field.sources, "Least fresh source of each symbol on the page.", {
      EUR: "ecb_daily",
      GBP: "ecb_daily",
    }),
    market_session: field.marketSession,
    timestamp: field.timestamp,
    data_updated_at: field.nullable<string>("string", {
      format: "date-time",
      pattern: field.INSTANT_PATTERN,
      description: "Time of the page's oldest contributing observation, UTC; null on a page without rows.",
      examples: ["2026-04-09T12:15:00Z"],
    }),
    derived_symbols: field.derivedSymbols,
    notice: field.notice,
    data: Type.Array(RangeRow, {
      maxItems: 366,
      description: "One row a day, ascending.",
      examples: [
        [{ date: "2026-04-09", source: "ecb_daily", is_forward_filled: false, rates: { EUR: 0.858000858 } }],
      ],
    }),
    has_more: Type.Boolean({ description: "True when more rows follow this page.", examples: [true] }),
    next_cursor: field.nullable<string>("string", {
      description:
        "Send it back as `cursor`, everything else unchanged, for the next page; null on the last one.",
      examples: ["MjAyNi0wNC0xMy5hMWIyYzM.bW9yZSByb3dzIGZvbGxvdw"],
    }),
  },
  { $id: "RangeResponse", additionalProperties: false, description: "One page of a daily time series." },
);

const EXAMPLE = {
  result: "success",
  base: "USD",
  symbols: ["EUR", "GBP"],
  start_date: "2026-04-09",
  end_date: "2026-04-13",
  source: "ecb_daily",
  sources: { EUR: "ecb_daily", GBP: "ecb_daily" },
  market_session: "open",
  timestamp: "2026-04-13T16:30:00Z",
  data_updated_at: "2026-04-09T12:15:00Z",
  derived_symbols: ["GBP"],
  notice: noticeText(false),
  data: [
    {
      date: "2026-04-09",
      source: "ecb_daily",
      is_forward_filled: false,
      rates: { EUR: 0.858000858, GBP: 0.7466323466 },
    },
    {
      date: "2026-04-10",
      source: "ecb_daily",
      is_forward_filled: false,
      rates: { EUR: 0.856824608, GBP: 0.7462085511 },
    },
    {
      date: "2026-04-13",
      source: "ecb_daily",
      is_forward_filled: false,
      rates: { EUR: 0.855871277, GBP: 0.7457206436 },
    },
  ],
  has_more: false,
  next_cursor: null,
};

const CSV_EXAMPLE = `date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max
2026-04-13,USD,EUR,0.855871277,ecb_daily,false,false,
2026-04-13,USD,GBP,0.7457206436,ecb_daily,false,true,1.01
`;

function choice(name: string, values: readonly string[], description: string): Parameter {
  const schema = Type.Unsafe<string>({ type: "string", enum: [...values], default: values[0] });
  return {
    name,
    in: "query",
    required: false,
    schema,
    description,
    example: values[0] ?? "",
    inSampleCall: false,
  };
}

export const RANGE: readonly Operation[] = [
  {
    id: "getRange",
    method: "get",
    path: "/v1/range",
    tag: "Series",
    summary: "Daily time series",
    description:
      "Rates from `start_date` to `end_date`, both included: one row a date on which something was published. JSON comes in pages of at most 366 rows; follow `next_cursor` while `has_more`. CSV and Parquet are one file with the whole window.",
    parameters: [
      requiredSymbols,
      dayParameter("start_date", "query", true, "First day, `YYYY-MM-DD`, UTC.", "2026-04-09"),
      dayParameter("end_date", "query", true, "Last day, `YYYY-MM-DD`, UTC.", "2026-04-13"),
      base,
      {
        name: "cursor",
        in: "query",
        required: false,
        schema: Type.String({ maxLength: 256 }),
        description:
          "`next_cursor` of the page before, exactly as returned; all other parameters stay the same.",
      },
      choice("format", ["json", "csv", "parquet"], "`json` for pages, `csv` or `parquet` for one file."),
      choice("fill", ["none", "previous"], "`previous` gives every calendar day, filled and flagged."),
      {
        name: "limit",
        in: "query",
        required: false,
        schema: Type.Integer({ minimum: 1, maximum: 366, default: 366 }),
        description: "Rows of a JSON page.",
        example: 366,
        inSampleCall: false,
      },
      choice(
        "layout",
        ["long", "wide"],
        "Files only: `long` has one row a date and symbol, `wide` one column a symbol.",
      ),
      dp,
    ],
    ok: {
      description: "One page as JSON, or the whole window as a file.",
      schema: RangeResponse,
      example: EXAMPLE,
      otherTypes: [
        {
          mime: "text/csv",
          description:
            "Columns date, base, symbol, rate, source, is_forward_filled, derived, derivation_bps_max; by symbol, then date.",
          example: CSV_EXAMPLE,
        },
        {
          mime: "application/vnd.apache.parquet",
          description: "The same columns as DATE, VARCHAR, DOUBLE and BOOLEAN.",
        },
      ],
      headers: [
        {
          name: "Content-Disposition",
          description: "Files only: a telling file name.",
          example: 'attachment; filename="USD_EUR-GBP_2026-04-09_2026-04-13.csv"',
        },
      ],
      conditional: true,
    },
    errors: [
      "invalid_request",
      "unsupported_base",
      "missing_parameter",
      "bad_date",
      "no_data_for_date",
      "data_unavailable",
    ],
  },
];
