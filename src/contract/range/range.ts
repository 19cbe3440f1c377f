/** GET /v1/range: the contract's RangeResponse, page by page, or one file. */

import { Type } from "@sinclair/typebox";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { base, choice, dayParameter, dp, inQuery, requiredSymbols } from "#contract/parameters.ts";
import { asOfParameters, SYNC_EXAMPLE, updatedAfterParameter } from "#contract/point-in-time.ts";
import { EXPORT_FORMATS } from "#domain/history/export-plan.ts";
import { AGGREGATES } from "#domain/history/periods.ts";
import { ESTIMATE_PARAMETER, ExportEstimate } from "./estimate.ts";
import { RANGE_EXAMPLE, RangeResponse } from "./page.ts";

const CSV_EXAMPLE = `date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max
2026-04-13,USD,EUR,0.855871277,ecb_daily,false,false,
2026-04-13,USD,GBP,0.7457206436,ecb_daily,false,true,1.01
`;

const NDJSON_EXAMPLE = `{"date":"2026-04-13","base":"USD","symbol":"EUR","rate":0.855871277,"source":"ecb_daily","is_forward_filled":false,"derived":false,"derivation_bps_max":null}
`;

/** Without a default in its schema: it may only be sent together with a week or month. */
const aggregate = inQuery("aggregate", {
  schema: form.oneOf<string>(AGGREGATES),
  description:
    "With `interval=1w` or `1mo` only: `last` value of the period, which is what an absent one means, or the exact `mean` of its days, rounded half-even to 10 significant digits.",
  example: "last",
  inSampleCall: false,
});

export const RANGE: readonly Operation[] = [
  {
    id: "getRange",
    method: "get",
    path: "/v1/range",
    tag: "Series",
    summary: "Time series, daily or by week or month",
    description:
      "Rates from `start_date` to `end_date`, both included: one row a date on which something was published. JSON comes in pages of at most 366 rows; follow `next_cursor` while `has_more`. `as_of` puts the answer back to what was known at an instant; `updated_after` keeps a copy up to date. Every other format is one file with the whole window: it starts at once, in chunks; once it is finished (a second request, `HEAD`, `Range`) it has its length, its digest and parts.",
    parameters: [
      requiredSymbols,
      dayParameter("start_date", "query", true, "First day, `YYYY-MM-DD`, UTC.", "2026-04-09"),
      dayParameter("end_date", "query", true, "Last day, `YYYY-MM-DD`, UTC.", "2026-04-13"),
      base,
      inQuery("cursor", {
        schema: Type.String({ maxLength: 256 }),
        description:
          "`next_cursor` of the page before, exactly as returned; all other parameters stay the same.",
      }),
      choice(
        "format",
        ["json", ...EXPORT_FORMATS],
        "`json` for pages; `csv`, `parquet`, `ndjson` or `arrow` (IPC stream) for one file. `Accept` does the same.",
      ),
      choice("order", ["asc", "desc"], "Rows by date: `asc` oldest first, `desc` newest first."),
      inQuery("interval", {
        schema: form.oneOf<string>(["1m", "5m", "15m", "1h", "1d", "tick", "1w", "1mo"]),
        description:
          "Absent for daily rates. `1w` and `1mo`: one row an ISO week (dated with its Monday) or calendar month (dated with its first day) of them; only days from `start_date` to `end_date` count. `1m`, `5m`, `15m`, `1h` and `1d`: open, high, low, close, mean and ticks from the intraday archive. `tick`, files only: its quotes as they were delivered; `symbols=*` then means every pair.",
        example: "1w",
        inSampleCall: false,
      }),
      aggregate,
      choice("fill", ["none", "previous"], "`previous` gives every calendar day, filled and flagged."),
      inQuery("limit", {
        schema: Type.Integer({ minimum: 1, maximum: 366, default: 366 }),
        description: "Rows of a JSON page.",
        example: 366,
        inSampleCall: false,
      }),
      choice(
        "layout",
        ["long", "wide"],
        "Files only: `long` has one row a date and symbol, `wide` one column a symbol.",
      ),
      dp,
      ...asOfParameters,
      updatedAfterParameter,
      ESTIMATE_PARAMETER,
    ],
    ok: {
      description: "One page as JSON, or the whole window as a file.",
      schema: form.eitherOf(
        "RangeOrEstimate",
        [RangeResponse, ExportEstimate],
        "A page; with `estimate=true` what a file would be instead.",
      ),
      example: RANGE_EXAMPLE,
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
        {
          mime: "application/x-ndjson",
          description:
            "One object a line with the same members; `layout=wide` gives lines like the rows of the pages.",
          example: NDJSON_EXAMPLE,
        },
        {
          mime: "application/vnd.apache.arrow.stream",
          description: "An Arrow IPC stream with the same columns, codes as dictionaries.",
        },
      ],
      ranged: true,
      headers: [
        {
          name: "Content-Disposition",
          description: "Files only: a telling file name.",
          example: 'attachment; filename="crossrate_USD_EUR-GBP_2026-04-09_2026-04-13.csv"',
        },
        {
          name: "Repr-Digest",
          description: "Finished files only: SHA-256 of the whole file (RFC 9530).",
          example: "sha-256=:4REjxQ4yrqUVicfSKYNO/cF9zNj5ANbzgDZt3/h3Qxo=:",
        },
        {
          name: "X-As-Of",
          description: "Files with `as_of` only: the instant and the basis.",
          example: "2026-04-10T18:00:00Z; basis=published",
        },
        {
          name: "X-Sync-From",
          description: "Files with `updated_after` only: what to send as `updated_after` next time.",
          example: SYNC_EXAMPLE,
        },
        {
          name: "X-Export-Rows",
          description: "HEAD of a file only: how many rows it has.",
          example: "6",
        },
        {
          name: "X-Export-Bytes",
          description:
            "HEAD of a file only: how large it will be; exact where `Content-Length` is there too.",
          example: "417",
        },
        {
          name: "X-Quota-Cost",
          description: "HEAD of a file only: calls that it counts as.",
          example: "1",
        },
      ],
      conditional: true,
    },
    errors: [
      "plan_gated",
      "invalid_request",
      "unsupported_base",
      "base_conflict",
      "missing_parameter",
      "bad_date",
      "no_data_for_date",
      "precondition_failed",
      "range_not_satisfiable",
      "data_unavailable",
      "service_unavailable",
    ],
  },
];
