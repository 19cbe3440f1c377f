/** The contract's RangeResponse: one page of a time series, with an example of it. */

import { Type } from "@sinclair/typebox";
import type { Aggregate, DailyInterval } from "#domain/export-plan.ts";
import { AGGREGATES, INTERVALS } from "#domain/periods.ts";
import { noticeText } from "#domain/provenance.ts";
import type { Source } from "#domain/source.ts";
import * as field from "./fields.ts";
import { asOfFields, changeFields, syncFields } from "./point-in-time.ts";

const RangeRow = Type.Object(
  {
    date: field.day("Day of the row, UTC; of a week or month its first calendar day.", "2026-04-09"),
    source: Type.Unsafe<Source | null>({
      anyOf: [field.SourceModel, { type: "null" }],
      description:
        "The least fresh contributing source of the row; null only with `updated_after`, on a row whose every value is withdrawn.",
      examples: ["ecb_daily"],
    }),
    is_forward_filled: field.isForwardFilled,
    rates: field.meaning(
      field.rates,
      "Units of the currency per 1 unit of `base`; a currency without a value that day is absent, with `updated_after` one without a change too. A mean has 10 significant digits.",
      { EUR: 0.858000858, GBP: 0.7466323466 },
    ),
    ...changeFields,
  },
  { $id: "RangeRow", additionalProperties: false, description: "The rates of one day, week or month." },
);

export const RangeResponse = Type.Object(
  {
    result: field.result,
    base: field.meaning(field.CurrencyCodeModel, "Currency that the rates are for 1 unit of.", "USD"),
    symbols: Type.Array(field.CurrencyCodeModel, {
      description: "Currencies asked for, in the order given; all but the base for `*`.",
      examples: [["EUR", "GBP"]],
    }),
    start_date: field.day("First day asked for.", "2026-04-09"),
    end_date: field.day("Last day asked for.", "2026-04-13"),
    interval: Type.Optional(
      Type.Unsafe<DailyInterval>({
        type: "string",
        enum: INTERVALS.filter((interval) => interval !== "1d"),
        description: "With `interval=1w` or `1mo`: what a row stands for. Absent on daily rows.",
        examples: ["1w"],
      }),
    ),
    aggregate: Type.Optional(
      Type.Unsafe<Aggregate>({
        type: "string",
        enum: [...AGGREGATES],
        description: "With `interval=1w` or `1mo`: how the values of the days became one.",
        examples: ["last"],
      }),
    ),
    source: Type.Unsafe<Source | null>({
      anyOf: [field.SourceModel, { type: "null" }],
      description: "The least fresh contributing source of the page; null on a page without rates.",
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
      description: "Time of the page's oldest contributing observation, UTC; null on a page without rates.",
      examples: ["2026-04-09T12:15:00Z"],
    }),
    derived_symbols: field.derivedSymbols,
    notice: field.notice,
    ...asOfFields,
    ...syncFields,
    data: Type.Array(RangeRow, {
      maxItems: 366,
      description: "One row a day, week or month, by date in the `order` asked for.",
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
  { $id: "RangeResponse", additionalProperties: false, description: "One page of a time series." },
);

/** What the sample call of the document answers. */
export const RANGE_EXAMPLE = {
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
