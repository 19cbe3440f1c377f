/** GET /v1/range: a time series, page by page or as one file. */

import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import { commonQuery } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { SYNC_EXAMPLE } from "#api/point-in-time.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import { respondTagged } from "#api/response/json.ts";
import { NO_PAST_RATE, operation } from "#api/words.ts";
import { XLSX } from "#domain/text/workbook.ts";
import { publishedUntil } from "#rates/archive.ts";
import { estimatePages } from "#rates/export/estimate.ts";
import { type BarsDeps, type BarsQuery, barsPage } from "#rates/range/bars.ts";
import type { DailyExport, RangeQuery } from "#rates/range/query.ts";
import {
  type RangeDeps,
  type RangePage,
  rangeSteps,
  recallFor,
  range as wholePage,
} from "#rates/range/range.ts";
import { type ExportDeps, sendExport } from "./export.ts";
import { barsBody, ExportEstimate, estimateBody, RangeResponse, rangeBody } from "./page.ts";
import { PARAMETERS, readRange, types } from "./parameters.ts";
import { newPrintedRows } from "./rows.ts";

/** Without `format`, the preferred type of Accept is the format. */
const formatOfAccept = (context: { readonly request: Request; query: object }): void => {
  const format = types.preferred(context.request.headers.get("accept"));
  if (format !== "json" && !("format" in context.query)) context.query = { ...context.query, format };
};

/** Up to this many symbols, days are cut from blocks, and a missing block is made fast enough. */
const FEW_SYMBOLS = 8;

function isLong({ interval = "1d", updatedAfter = null, asOf = null, symbols }: RangeQuery): boolean {
  return interval !== "1d" || updatedAfter !== null || asOf !== null || symbols.length > FEW_SYMBOLS;
}

/** Limits quotes to those that the caller's plan publishes by now. */
function publishedTo(deps: RangeRouteDeps, { delayMinutes }: Charge): RangeRouteDeps {
  return { ...deps, publishedUntil: publishedUntil(deps.clock.now(), delayMinutes) };
}

const CSV_EXAMPLE = `date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max
2026-04-13,USD,EUR,0.855871277,ecb_daily,false,false,
2026-04-13,USD,GBP,0.7457206436,ecb_daily,false,true,1.01
`;

const NDJSON_EXAMPLE = `{"date":"2026-04-13","base":"USD","symbol":"EUR","rate":0.855871277,"source":"ecb_daily","is_forward_filled":false,"derived":false,"derivation_bps_max":null}
`;

export interface RangeRouteDeps extends RangeDeps, BarsDeps, ExportDeps {}

export const range = ({ house, ...deps }: RangeRouteDeps & { readonly house: House }) => {
  const pageOf = async (request: Request, daily: DailyExport): Promise<RangePage> => {
    const recalled = recallFor(deps, daily);
    if (recalled !== null) await recalled;
    if (!isLong(daily)) return wholePage(deps, daily);
    return await deps.turns.run(request, rangeSteps(deps, daily));
  };
  const estimated = async (request: Request, daily: DailyExport): Promise<Response> => {
    const steps = estimatePages(deps, daily);
    const estimate = await deps.turns.run(request, steps);
    return respondTagged(request, deps, "no-store", estimateBody(estimate));
  };
  const bars = async (request: Request, asked: BarsQuery, caller: Charge): Promise<Response> =>
    await deps.turns.slot(request, async () => {
      const page = await barsPage(publishedTo(deps, caller), asked);
      // Reading the bars and printing them take tens of milliseconds each.
      await deps.turns.take(request, "continues");
      return respondTagged(request, deps, "public, max-age=5", barsBody(page));
    });
  return new Elysia({ name: "range" }).use(house).get(
    "/v1/range",
    async ({ request, query, caller }) => {
      const { start, end, interval } = query.asked;
      caller.reach(earliestOf(start, end), interval);
      if (query.kind === "bars") return await bars(request, query.asked, caller);
      if (query.kind === "file") {
        const { file, form } = query;
        const reach = file.kind === "daily" ? deps : publishedTo(deps, caller);
        return await sendExport(reach, request, file, form);
      }
      const { asked: daily, estimate } = query;
      if (estimate) return await estimated(request, daily);
      return rangeBody(await pageOf(request, daily), daily.dp, newPrintedRows(deps.caches));
    },
    operation({
      // A page is one call, and so is a file of any length.
      metered: { isLarge: true },
      reply: { maxAgeSeconds: 60, turnsWith: "session", isJson: types.isJson },
      transform: formatOfAccept,
      query: commonQuery(PARAMETERS, readRange),
      id: "getRange",
      tag: "Series",
      summary: "Time series, daily or by week, month, quarter or year",
      description:
        "Rates from `start_date` to `end_date`, both included: one row a date on which something was published. JSON comes in pages of at most 366 rows; follow `next_cursor` while `has_more`. `as_of` puts the answer back to what was known at an instant; `updated_after` keeps a copy up to date. Every other format is one file with the whole window: it starts at once, in chunks; once it is finished (a second request, `HEAD`, `Range`) it has its length, its digest and parts.",
      ok: {
        description: "One page as JSON, or the whole window as a file.",
        schema: form.eitherOf(
          "RangeOrEstimate",
          [RangeResponse, ExportEstimate],
          "A page; with `estimate=1` what a file would be instead.",
        ),
        otherTypes: [
          {
            mime: "text/csv",
            description:
              "Columns date, base, symbol, rate, source, is_forward_filled, derived, derivation_bps_max, and last_date of periods; by symbol, then date. `layout=wide` has date, base, source, is_forward_filled, a column a symbol, and last_date of periods, as text.",
            example: CSV_EXAMPLE,
          },
          {
            mime: "application/vnd.apache.parquet",
            description: "The same columns as DATE, VARCHAR, DOUBLE and BOOLEAN.",
          },
          {
            mime: "application/x-ndjson",
            description: "One object a line; `layout=wide` gives lines like the rows of the pages.",
            example: NDJSON_EXAMPLE,
          },
          {
            mime: "application/vnd.apache.arrow.stream",
            description: "An Arrow IPC stream with the same columns, codes as dictionaries.",
          },
          {
            mime: XLSX,
            description:
              "An Excel workbook of at most 25,000 rows: the same columns with real dates and numbers, and a second sheet with units, sources, terms, the version of the data and the address asked.",
          },
        ],
        ranged: true,
        headers: {
          "Content-Disposition": [
            "Files only: a telling file name.",
            'attachment; filename="crossrate_USD_EUR-GBP_2026-04-09_2026-04-13.csv"',
          ],
          "Repr-Digest": [
            "Finished files only: SHA-256 of the whole file (RFC 9530).",
            "sha-256=:4REjxQ4yrqUVicfSKYNO/cF9zNj5ANbzgDZt3/h3Qxo=:",
          ],
          "X-Missing-Symbols": ["Files of rates only: as `missing_symbols` of the JSON.", "ISK"],
          "X-As-Of": [
            "Files with `as_of` only: the instant and the basis.",
            "2026-04-10T18:00:00Z; basis=published",
          ],
          "X-Sync-From": [
            "Files with `updated_after` only: what to send as `updated_after` next time.",
            SYNC_EXAMPLE,
          ],
          "X-Export-Rows": ["HEAD of a file only: how many rows it has.", "6"],
          "X-Export-Bytes": [
            "HEAD of a file only: its size; exact where `Content-Length` is there too.",
            "417",
          ],
          "X-Quota-Cost": ["HEAD of a file only: calls that it counts as.", "1"],
        },
      },
      errors: [...NO_PAST_RATE, "service_unavailable"],
    }),
  );
};
