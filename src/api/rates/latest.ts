/** GET /v1/latest[/{path_base}]: the newest rates on one base, as JSON or CSV. */

import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import * as parameter from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { Body } from "#api/print.ts";
import type { Charge } from "#api/request/metering.ts";
import { modeOf } from "#api/response/headers.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { printedNumber } from "#domain/net/message.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { isOfTwoDays, leastFresh, type SpotRate } from "#domain/spot/rates.ts";
import { formatInstant } from "#domain/time/day.ts";
import { type LatestRates, latest as latestRates } from "#rates/latest.ts";
import type { RatesDeps } from "#rates/query.ts";
import { ratesCsv, ratesCsvType } from "./csv.ts";
import { format, inForm, prefersJson, type TableDeps, type TableForm, tableWords } from "./tables.ts";

export const LatestResponse = field.answer(
  "LatestResponse",
  "The newest rate of every currency on one base.",
  {
    base: field.base,
    ...field.originFields,
    rates: field.rates,
    missing_symbols: field.missingSymbols,
    stale: field.staleByCurrency,
    derived_symbols: field.derivedSymbols,
    notice: field.notice,
    spread_bps: field.spreadBps,
  },
);

export function latestBody({ base, rates, missing, origin, dp, session, simulated }: LatestRates) {
  return {
    result: "success",
    base: currencyCode(base),
    ...field.originMembers(origin, session),
    rates: Object.fromEntries(
      rates.map(({ to, text }) => [currencyCode(to), printedNumber(withDecimals(text, dp))]),
    ),
    ...field.missingMember(missing),
    stale: origin.stale,
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(simulated, origin.isReference),
    ...field.spreadMember(rates),
  } satisfies Body<typeof LatestResponse>;
}

/** An example with live and daily rates. */
export const LATEST_EXAMPLE = {
  ...form.exampleOf(LatestResponse, "answer"),
  sources: { USD: "ecb_daily", EUR: "live", GBP: "ecb_daily", JPY: "live" },
  effective_at: {
    USD: "2026-04-13T12:15:00Z",
    EUR: "2026-04-13T16:29:58Z",
    GBP: "2026-04-13T12:15:00Z",
    JPY: "2026-04-13T16:29:58Z",
  },
  rates: { EUR: 0.85585, GBP: 0.7457206436, JPY: 157.698 },
  stale: { EUR: false, GBP: false, JPY: false },
  spread_bps: { EUR: 0.93, JPY: 0.51 },
};

/** Live quotes come about every minute: caches revalidate after a quarter of one. */
export const LATEST = { maxAgeSeconds: 15, turnsWith: "spot" } as const;

const SHARED = {
  metered: true,
  reply: { ...LATEST, isJson: prefersJson },
  tag: "Rates",
  ok: {
    description:
      "The rates; a currency without a value within the last 14 days is absent, and named in `missing_symbols`.",
    schema: LatestResponse,
    example: LATEST_EXAMPLE,
    ...tableWords(
      ratesCsvType(
        "latest",
        "`source` and `effective_at` are those of the least fresh figure in the rate; `date` is the UTC day of `effective_at`; `is_forward_filled` is true where that figure meets one of a later day.",
        [
          "2026-04-13,USD,EUR,0.85585,live,2026-04-13T16:29:58Z,false,false,false",
          "2026-04-13,USD,GBP,0.7457206436,ecb_daily,2026-04-13T12:15:00Z,false,true,false",
        ],
      ),
      {},
    ),
  },
} as const;

const { base, baseBesidePath, dp, queryPathBase, symbols } = parameter;

export const latest = ({
  house,
  spot,
  ...deps
}: Pick<RatesDeps, "spot"> & TableDeps & { readonly house: House }) => {
  type Query = Omit<Parameters<typeof latestRates>[1], "delayMinutes"> & { format: TableForm | null };
  const answer = (request: Request, { format, ...wanted }: Query, { delayMinutes }: Charge) => {
    const rates = latestRates({ spot }, { ...wanted, delayMinutes });
    const body = latestBody(rates);
    return inForm(deps, request, format, {
      name: `${body.base}_latest`,
      body,
      csv: () =>
        ratesCsv(body, (_, nth) => {
          const rate = rates.rates[nth] as SpotRate;
          const { source, observedAt } = leastFresh(rate.figures);
          const effectiveAt = formatInstant(observedAt);
          return { date: effectiveAt.slice(0, 10), source, effectiveAt, isFilled: isOfTwoDays(rate) };
        }),
      headers: modeOf(rates.simulated),
    });
  };
  return new Elysia({ name: "latest" })
    .use(house)
    .get(
      "/v1/latest",
      async ({ request, query, caller }) => answer(request, query, caller),
      operation({
        ...SHARED,
        query: parameter.query({ base, path_base: queryPathBase, symbols, dp, format }),
        id: "getLatest",
        summary: "Latest rates",
        description: "The newest rate of every currency, or of `symbols`, on a base (USD by default).",
        errors: NO_LATEST_RATE,
      }),
    )
    .get(
      "/v1/latest/:path_base",
      async ({ request, params, query, caller }) =>
        answer(request, { ...query, base: parameter.onlyBase(params.path_base, query.base) }, caller),
      operation({
        ...SHARED,
        params: parameter.path({ path_base: parameter.pathBase }),
        query: parameter.query({ base: baseBesidePath, symbols, dp, format }),
        id: "getLatestOnBase",
        summary: "Latest rates on the base in the path",
        description: "The same as `/v1/latest`, with the base in the path.",
        errors: [...NO_LATEST_RATE, "not_found"],
      }),
    );
};
