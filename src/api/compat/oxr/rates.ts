/** The answers of latest.json, historical/YYYY-MM-DD.json, time-series.json (every calendar day of a window, with forward fill) and convert. */

import { Type } from "@sinclair/typebox";
import * as compat from "#api/compat/compat.ts";
import { printMembers, withRates } from "#api/compat/series.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Query } from "#api/parameters.ts";
import type { Body } from "#api/print.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import { oxrRefusal } from "#api/response/failures.ts";
import { type CurrencyIndex, currencyCode, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { exactNumber } from "#domain/net/message.ts";
import { parseAmount } from "#domain/number/amount.ts";
import { COVERAGE_START, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import { convert } from "#rates/convert.ts";
import { type HistoricalRates, historical } from "#rates/historical.ts";
import { latest } from "#rates/latest.ts";
import * as oxr from "./model.ts";

const timestamp = Type.Integer({
  description: "Time of the newest observation that contributes to one of the rates, Unix seconds.",
  examples: [1776082500],
});
const mid = form.named("OxrMid", "A rate with `show_bid_ask`.", {
  mid: Type.Number({ minimum: 0, description: "The rate.", examples: [0.855871277] }),
});
const rateOrMid = form.eitherOf(
  "OxrRate",
  [Type.Number({ minimum: 0 }), mid],
  "A rate; with `show_bid_ask` as an object.",
);

export const OxrRates = form.named("OxrRates", "The rates of an instant or a day.", {
  ...oxr.frameFields,
  timestamp,
  base: oxr.baseField,
  rates: field.byCurrency(rateOrMid, "Units of each currency per 1 base; `{mid}` each with `show_bid_ask`.", {
    EUR: 0.855871277,
    GBP: 0.7457206436,
  }),
});

export function newest(deps: oxr.OxrDeps, sent: Query, delayMinutes: number | undefined): compat.Answer {
  const query = oxr.readOxrQuery(sent);
  const { rates, origin } = latest(deps, { ...query, dp: null, delayMinutes });
  return print(sent, query, { rates, origin }, compat.LATEST_SECONDS);
}

/** `file` is the last segment of the path, with its ending. */
export function day(deps: oxr.OxrDeps, sent: Query, file: string, caller: Charge): compat.Answer {
  const query = oxr.readOxrQuery(sent);
  const text = file.replace(/\.json$/, "");
  const date = text === file ? null : parseDay(text);
  if (date === null) throw new Failure("bad_date", { date: text });
  caller.reach(earliestOf(date));
  const { rates, origin } = historical(deps, { ...query, day: date, dp: null });
  const listed = rates.map(([to, { text }]) => ({ to, text }));
  return print(sent, query, { rates: listed, origin }, compat.PAST_SECONDS);
}

interface Listed {
  readonly rates: readonly { readonly to: CurrencyIndex; readonly text: string }[];
  readonly origin: Pick<HistoricalRates["origin"], "source" | "dataUpdatedAt" | "effectiveAt" | "simulated">;
}

function print(
  sent: Query,
  { base, unavailable }: oxr.OxrQuery,
  { rates, origin }: Listed,
  maxAgeSeconds: number,
): compat.Answer {
  // Without bid and ask only the mid is listed, as in that service.
  const asMid = !["0", "false", "no", "off"].includes((sent("show_bid_ask") ?? "off").toLowerCase());
  const printed = rates.map(({ to, text }) => [
    currencyCode(to),
    asMid ? { mid: exactNumber(text) } : exactNumber(text),
  ]);
  const text = JSON.stringify({
    ...oxr.frame(origin.simulated),
    timestamp: oxr.newestSeconds(origin.effectiveAt),
    base: currencyCode(base),
    rates: Object.fromEntries(printed),
  } satisfies Body<typeof OxrRates>);
  return { text, origin, maxAgeSeconds, unavailable };
}

// ── Time series ──────────────────────────────────────────────────────────────────────────────────

const plainRates = field.byCurrency(Type.Number({ minimum: 0 }), "Units of each currency per 1 base.", {
  EUR: 0.855871277,
});

export const OxrTimeSeries = form.named("OxrTimeSeries", "The rates of every day of a window.", {
  ...oxr.frameFields,
  start_date: form.day("First day requested.", "2026-04-10"),
  end_date: form.day("Last day requested.", "2026-04-11"),
  base: oxr.baseField,
  rates: form.byDay(plainRates, "The rates by day, ascending.", {
    "2026-04-10": { EUR: 0.856824608, GBP: 0.7462085511 },
    "2026-04-11": { EUR: 0.856824608, GBP: 0.7462085511 },
  }),
});

/** Refuses with `invalid_date_range` for an invalid window, `not_available` for one that leaves coverage. */
export async function series(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  caller: Charge,
): Promise<compat.Answer> {
  const [start, end] = [parseDay(sent("start") ?? ""), parseDay(sent("end") ?? "")];
  if (start === null || end === null || start > end) {
    throw oxrRefusal(
      "invalid_date_range",
      "Invalid date range: `start` and `end` dates must be valid days, in the format 'YYYY-MM-DD', `start` not after `end`.",
    );
  }
  const { base, symbols, unavailable } = oxr.readOxrQuery(sent);
  caller.reach(earliestOf(start, end));
  if (start < COVERAGE_START || end > dayAt(deps.clock.now())) throw outside();
  const question = { base, symbols, start, end, fill: "previous" } as const;
  const { text, origin, first } = await compat.runSteps(deps, request, printMembers(deps, question));
  if (first === null) throw outside();
  const head = {
    ...oxr.frame(origin.simulated ?? false),
    start_date: formatDay(start),
    end_date: formatDay(end),
    base: currencyCode(base),
  };
  return { text: withRates(head, text), origin, maxAgeSeconds: compat.PAST_SECONDS, unavailable };
}

function outside() {
  return oxrRefusal(
    "not_available",
    "Historical rates for one or more of your requested dates are not available here: coverage runs from 1999-01-04 to today, UTC.",
  );
}

// ── Conversions ──────────────────────────────────────────────────────────────────────────────────

export const OxrConversion = form.named("OxrConversion", "An amount in another currency.", {
  ...oxr.frameFields,
  request: form.closed("The request.", {
    query: form.text("The path.", "/convert/100/USD/EUR"),
    amount: Type.Number({ description: "The amount.", examples: [100] }),
    from: form.meaning(field.CurrencyCodeModel, "Currency of the amount.", "USD"),
    to: form.meaning(field.CurrencyCodeModel, "Currency wanted.", "EUR"),
  }),
  meta: form.closed("The rate used.", {
    timestamp: Type.Integer({
      description: "Time of the newest observation in the rate, Unix seconds.",
      examples: [1776082500],
    }),
    rate: { ...field.rate, examples: [0.855871277] },
  }),
  response: Type.Number({ description: "The amount times the rate.", examples: [85.5871277] }),
});

/** Refuses with `invalid_amount`, or `invalid_currency` naming the side. */
export function conversion(
  deps: oxr.OxrDeps,
  asked: { readonly value: string; readonly from: string; readonly to: string },
  delayMinutes: number | undefined,
): compat.Answer {
  const [from, to] = [sideOf("from", asked.from), sideOf("to", asked.to)];
  const amount = amountOf(asked.value);
  const { pair: made, converted } = convert(deps, { from, to, amount, day: null, dp: null, delayMinutes });
  const pair = { from: currencyCode(from), to: currencyCode(to) };
  const query = `/convert/${asked.value}/${pair.from}/${pair.to}`;
  const text = JSON.stringify({
    ...oxr.frame(made.simulated),
    request: { query, amount: field.amountDigits(amount), ...pair },
    meta: { timestamp: oxr.newestSeconds(made.effectiveAt), rate: exactNumber(made.rate) },
    response: exactNumber(converted),
  } satisfies Body<typeof OxrConversion>);
  return { text, origin: made, maxAgeSeconds: compat.LATEST_SECONDS };
}

function sideOf(side: "from" | "to", code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index >= 0) return index;
  throw oxrRefusal(
    "invalid_currency",
    `Invalid \`${side}\` currency symbol: ${mixedCaseHint(code) ?? code.slice(0, 20)}; see currencies.json`,
  );
}

function amountOf(value: string) {
  try {
    return parseAmount(value);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw oxrRefusal("invalid_amount", thrown.message);
  }
}
