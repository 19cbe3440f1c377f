/** get_range: GET /v1/range, pages as JSON */

import { Type } from "@sinclair/typebox";
import { RangeResponse } from "#api/range/page.ts";
import { periodProvenance } from "#mcp/provenance.ts";
import { restTool } from "#mcp/tool.ts";
import { asOf, base, cursor, day, decimals, inputOf, queryOf, symbols } from "./arguments.ts";
import { ratesText } from "./rates.ts";

/** Half a year of weeks, or a quarter of days: what a model can still read at once. */
const USUAL_ROWS = 100;

const INTERVALS = ["1d", "1w", "1mo", "1m", "5m", "15m", "1h"] as const;

export const getRange = restTool({
  name: "get_range",
  title: "Rates over a period",
  description:
    "Rates over a period: one row a publication day, ISO week, month, or bar of intraday quotes. Use it for trends, comparisons and averages instead of many calls of get_historical; it counts as one call a page. Choose `interval` 1w or 1mo for long periods. When `has_more` is true send `next_cursor` as `cursor`. The whole history as one file (CSV, Parquet) is a download of GET /v1/range?format=…, not a tool.",
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
            "Absent: one row a day on which rates were published. `1w`, `1mo`: the last of each week or month (see `aggregate`). `1m`, `5m`, `15m`, `1h`, `1d`: open, high, low, close and mean of live quotes, where the server stores them.",
        },
      ),
    ),
    aggregate: Type.Optional(
      Type.Union([Type.Literal("last"), Type.Literal("mean")], {
        description: "Only with `1w` and `1mo`: the last rate of the period, or the mean of its days.",
      }),
    ),
    fill: Type.Optional(
      Type.Union([Type.Literal("none"), Type.Literal("previous")], {
        description: "`previous` gives every calendar day, weekends filled and flagged.",
      }),
    ),
    order: Type.Optional(
      Type.Union([Type.Literal("asc"), Type.Literal("desc")], { description: "Oldest first unless `desc`." }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, description: `Rows of a page; ${USUAL_ROWS} when absent.` }),
    ),
    cursor,
    as_of: asOf,
    decimals,
  }),
  output: RangeResponse,
  request: ({ decimals, limit = USUAL_ROWS, ...given }) => ({
    method: "GET",
    path: `/v1/range${queryOf({ ...given, limit, dp: decimals })}`,
  }),
  summary: (page) => {
    const { data } = page;
    const [first, last] = [data[0], data.at(-1)];
    const period = `${page.base} from ${page.start_date} to ${page.end_date}`;
    if (first === undefined || last === undefined) return `${period}: no rows. ${periodProvenance(page)}`;
    const more = page.has_more ? " More rows follow: send next_cursor as cursor." : "";
    return `${period}: ${data.length} rows. ${first.date}: ${ratesText(first.rates)}. ${last.date}: ${ratesText(last.rates)}.${more} ${periodProvenance(page)}`;
  },
});
