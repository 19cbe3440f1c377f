/** Fields shared by several answers: each with its meaning, its unit and an example. */

import { type TProperties, Type } from "@sinclair/typebox";
import {
  CURRENCY_CODES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
} from "#domain/currency/currency.ts";
import { SOURCES, type Source } from "#domain/currency/source.ts";
import { noticeText, type RatesOrigin, type Simulated } from "#domain/dataset/dataset.ts";
import { type ExactNumber, printedNumber, SERVED_AT } from "#domain/net/message.ts";
import { type Decimal, formatShortest } from "#domain/number/decimal.ts";
import { type SpotRate, spreadInBps } from "#domain/spot/rates.ts";
import { MARKET_SESSIONS, type MarketSession } from "#domain/time/calendar.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import * as form from "./forms.ts";
import { printedBy } from "./print.ts";

export const CurrencyCodeModel = printedBy(
  form.vocabulary<CurrencyCode>(
    "CurrencyCode",
    CURRENCY_CODES,
    "ISO 4217 code of a currency of the catalog, upper case.",
  ),
  (currency: CurrencyIndex | CurrencyCode) =>
    typeof currency === "number" ? currencyCode(currency) : currency,
);

export const SourceModel = form.vocabulary<Source>(
  "Source",
  SOURCES,
  "Where a rate comes from: `live` intraday indicative; `imported` quotes of a file that the operator imported, in bars only; `ecb_daily` euro reference rates of the ECB; `fred_daily` H.10 noon rates of the Federal Reserve; `banxico_daily` and `dof_daily` only on the slugs `usd-mxn-banxico` and `usd-mxn-dof`; `market_daily` is reserved. Values may be added: treat an unknown one as a source you do not know.",
);

export const MarketSessionModel = form.vocabulary<MarketSession>(
  "MarketSession",
  MARKET_SESSIONS,
  "State of the interbank market when the answer was served, by the New York clock: `open`; `weekend` from Friday 17:00 to Sunday 17:00; `interbank_closed` on the trade dates 25 December and 1 January.",
);

export function instantOrNull(at: Instant | null | undefined): string | null {
  return at === null || at === undefined ? null : formatInstant(at);
}

export const byCurrency = form.keyedBy(CurrencyCodeModel);

export const result = printedBy(
  form.constant("success", "`success` on every answer that is not an error.", { default: "success" }),
  (_: never) => "success",
);

/** Describes the answer of an operation, named in the document. Its first member is `result`. */
export function answer<T extends TProperties>($id: string, description: string, members: T) {
  return form.named($id, description, { result, ...members });
}

export const source = form.meaning(
  SourceModel,
  "The least fresh contributing source: that of the oldest observation.",
  "ecb_daily",
);

export const sources = byCurrency(
  SourceModel,
  "Source of each returned currency's own figure; the base is listed too when its own observation contributes.",
  { USD: "ecb_daily", EUR: "ecb_daily", GBP: "ecb_daily" },
);

export const simulated = Type.Optional(
  printedBy(
    byCurrency(
      Type.Boolean(),
      "Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.",
      { TWD: true },
    ),
    (simulated: Simulated) => simulatedMember(simulated).simulated,
  ),
);

export function simulatedMember({ codes }: Simulated) {
  if (codes.length === 0) return {};
  return { simulated: Object.fromEntries(codes.map((code) => [code, true as const])) };
}

export const marketSession = { ...MarketSessionModel, examples: ["open"] };

export const timestamp = printedBy(
  form.instant("When the answer was served, UTC, to the second.", "2026-04-13T16:30:00Z"),
  (_: never) => SERVED_AT,
);

export const dataUpdatedAt = form.instant(
  "Time of the oldest contributing observation, UTC.",
  "2026-04-13T12:15:00Z",
);

const effectiveAt = byCurrency(
  Type.String({ format: "date-time", pattern: form.INSTANT_PATTERN }),
  "Observation time of each currency, UTC; the base's is that of the oldest of its figures.",
  { USD: "2026-04-13T12:15:00Z", EUR: "2026-04-13T12:15:00Z", GBP: "2026-04-13T12:15:00Z" },
);

export const pairSources = { ...sources, examples: [{ USD: "ecb_daily", JPY: "ecb_daily" }] };
export const pairEffectiveAt = {
  ...effectiveAt,
  examples: [{ USD: "2026-04-13T12:15:00Z", JPY: "2026-04-13T12:15:00Z" }],
};

/** Members of an answer of several rates that state their origin, in the order sent. */
export const originFields = {
  source,
  sources,
  simulated,
  market_session: marketSession,
  timestamp,
  data_updated_at: dataUpdatedAt,
  effective_at: effectiveAt,
};

export function originMembers(
  {
    source,
    sources,
    simulated,
    dataUpdatedAt,
    effectiveAt,
  }: Pick<RatesOrigin, "source" | "sources" | "simulated" | "dataUpdatedAt" | "effectiveAt">,
  session: MarketSession,
) {
  return {
    source,
    sources,
    ...simulatedMember(simulated),
    market_session: session,
    timestamp: SERVED_AT as typeof SERVED_AT,
    data_updated_at: formatInstant(dataUpdatedAt),
    effective_at: effectiveAt,
  };
}

export const base = form.meaning(CurrencyCodeModel, "Currency that the rates are for 1 unit of.", "USD");

export const rates = byCurrency(
  Type.Number({ minimum: 0 }),
  "Units of the currency per 1 unit of `base`. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.",
  { EUR: 0.855871277, GBP: 0.7457206436 },
);

export const rate = form.digits(
  "Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.",
  157.6942828,
  { minimum: 0 },
);

export const staleByCurrency = byCurrency(
  Type.Boolean(),
  "True for a currency with a rate outside its source's freshness window: a newer publication was due and has not been seen.",
  { EUR: false, GBP: false },
);

export const spreadBps = Type.Optional(
  byCurrency(
    Type.Number({ minimum: 0 }),
    "Spread between bid and ask in basis points of the mid, of the live quote behind the rate. Only of rates made of one quote with both; absent where there is no such rate.",
    { EUR: 0.93, JPY: 0.51 },
  ),
);

export function spreadMember(rates: readonly SpotRate[]) {
  const spreads = rates.flatMap((rate) => {
    const spread = spreadInBps(rate);
    return spread === null ? [] : [[currencyCode(rate.to), spread] as const];
  });
  return spreads.length === 0 ? {} : { spread_bps: Object.fromEntries(spreads) };
}

export const stale = form.flag(
  "True when the rate is outside its source's freshness window: a newer publication was due and has not been seen.",
  false,
);

export const derivedSymbols = Type.Array(CurrencyCodeModel, {
  description:
    "Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.",
  examples: [["GBP"]],
});

export const missingSymbols = Type.Optional(
  printedBy(
    form.list(
      CurrencyCodeModel,
      "Currencies requested that have no value here, those of the catalog where all were; absent where there is none.",
      ["ISK"],
    ),
    (missing: readonly CurrencyIndex[]) => missingMember(missing).missing_symbols,
  ),
);

export function missingMember(missing: readonly CurrencyIndex[]) {
  return missing.length === 0 ? {} : { missing_symbols: missing.map(currencyCode) };
}

export const derived = form.flag(
  "True when the rate is triangulated through a third currency. An inverse is not.",
  true,
);

export const derivationBpsMax = form.numberOrNull(
  "Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.",
  0.7,
);

export const isForwardFilled = form.flag(
  "True when any contributing figure is of an earlier day than `date`: at most 14 days earlier.",
  false,
);

export const notice = form.text(
  "Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.",
  noticeText(false),
);

export const OpenApiDocument = Type.Object(
  { openapi: form.text("Version of OpenAPI.", "3.1.0") },
  { $id: "OpenApiDocument", additionalProperties: true, description: "An OpenAPI document." },
);

export const amount = printedBy(
  Type.Number({
    minimum: -1e15,
    maximum: 1e15,
    description: "Amount that was converted, in units of `from`.",
    examples: [250],
  }),
  amountDigits,
);

/** Returns an amount in its shortest exact digits. */
export function amountDigits({ units, scale }: Decimal): number | ExactNumber {
  return printedNumber(formatShortest(units, scale));
}
