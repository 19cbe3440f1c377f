/** The answer of ohlc.json: open, high, low, close and average of the intraday quotes of one period. */

import { Type } from "@sinclair/typebox";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Query } from "#api/parameters.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import { oxrRefusal } from "#api/response/failures.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { simulatedAmong } from "#domain/dataset/dataset.ts";
import { BAR_SECONDS, type Bar, periodEnd, periodStart } from "#domain/history/periods.ts";
import { dayAt, formatInstant, type Instant, MILLISECONDS_PER_DAY, readInstant } from "#domain/time/day.ts";
import { archiveOf, publishedUntil } from "#rates/archive.ts";
import * as oxr from "./model.ts";

const price = (description: string) => Type.Number({ minimum: 0, description, examples: [0.8558] });

const OhlcBar = form.named("OxrBar", "The rates of one period.", {
  open: price("First rate of the period."),
  high: price("Highest."),
  low: price("Lowest."),
  close: price("Last."),
  average: price("Arithmetic mean of all."),
});

const BARS = { EUR: { open: 0.8558, high: 0.8562, low: 0.8557, close: 0.856, average: 0.8559 } };

export const OxrOhlc = form.named("OxrOhlc", "Open, high, low, close and average of a period.", {
  ...oxr.frameFields,
  start_time: form.instant("First second of the period.", "2026-04-13T12:00:00Z"),
  end_time: form.instant("Last second of the period.", "2026-04-13T12:29:59Z"),
  base: oxr.baseField,
  rates: field.byCurrency(OhlcBar, "Bars by currency, units per 1 base.", BARS),
});

export const withoutQuotes = () =>
  oxrRefusal(
    "access_restricted",
    "This server keeps no intraday quotes, and daily reference rates have no open, high, low or close.",
    403,
  );

const MINUTE = 60_000;
/** Milliseconds of the periods with a fixed width; `1w` and `1mo` follow the calendar. */
const WIDTHS: Readonly<Record<string, number>> = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "30m": 30 * MINUTE,
  "1h": 60 * MINUTE,
  "12h": 720 * MINUTE,
  "1d": MILLISECONDS_PER_DAY,
};
const MOST_BARS = 31;
/** Means of bars have ten digits: a mean of means is right to nine. */
const DIGITS = 9;

/**
 * Sends quoted symbols only: a symbol without a quote in the period is absent, because a daily reference rate is no
 * bar. Refuses with `invalid_start_time`, `invalid_period`, `invalid_period_for_start_time`, `not_available`, and
 * `access_restricted` without stored quotes.
 */
export async function bars(deps: oxr.OxrDeps, sent: Query, caller: Charge): Promise<compat.Answer> {
  const { base, symbols, unavailable } = oxr.readOxrQuery(sent);
  const start = startOf(sent("start_time") ?? sent("start"));
  const end = endOf(start, sent("period") ?? "");
  caller.reach(earliestOf(dayAt(start)));
  const now = deps.clock.now();
  const until = publishedUntil(now, caller.delayMinutes);
  if (end > now) {
    throw oxrRefusal("not_available", "The combination of start time and period used ends in the future.");
  }
  // Without its last quotes a period would have a close that changes later.
  if (until !== null && end > until)
    throw oxrRefusal("not_available", "The last quotes of the requested period are not shown yet.");
  if (deps.archive === null) throw withoutQuotes();
  const archive = archiveOf({ ...deps, publishedUntil: until });
  const rates: Record<string, object> = {};
  const all: Bar[] = [];
  const width = { from: start, to: end, widthSeconds: widthWithin((end - start) / 1000) };
  for (const symbol of symbols) {
    if (symbol === base) continue;
    const pair = { base: currencyCode(base), symbol: currencyCode(symbol) };
    const rows = await archive.bars({ ...pair, ...width, order: "asc", limit: MOST_BARS });
    if (rows.length > 0) rates[pair.symbol] = joined(rows);
    all.push(...rows);
  }
  if (all.length === 0) throw oxrRefusal("not_available", "Nothing was quoted in the requested period.");
  const simulated = simulatedAmong(deps.simulated, symbols, () => true);
  const text = JSON.stringify({
    ...oxr.frame(simulated),
    start_time: formatInstant(start),
    end_time: formatInstant(end - 1000),
    base: currencyCode(base),
    rates,
  });
  const source = all.some(({ imported }) => imported === true) ? "imported" : "live";
  const origin = { source, dataUpdatedAt: Math.min(...all.map(({ since }) => since)), simulated };
  return { text, origin, maxAgeSeconds: compat.LATEST_SECONDS, unavailable };
}

function startOf(text: string | undefined): Instant {
  const instant = readInstant(text ?? "");
  if (instant !== null && instant % MINUTE === 0) return instant;
  throw oxrRefusal(
    "invalid_start_time",
    "Invalid start: `start_time` must be in ISO 8601 format with 0 seconds and a time zone, such as YYYY-MM-DDTHH:MM:00Z.",
  );
}

/** Returns the instant after the period; periods begin at whole hours, days, Mondays, or firsts of a month. */
function endOf(start: Instant, period: string): Instant {
  const width = WIDTHS[period];
  const isOfCalendar = period === "1w" || period === "1mo";
  if (width === undefined && !isOfCalendar) {
    throw oxrRefusal(
      "invalid_period",
      `Invalid period: \`period\` must be one of ${[...Object.keys(WIDTHS), "1w", "1mo"].join(", ")}.`,
    );
  }
  const day = dayAt(start);
  const [first, next] = isOfCalendar
    ? [periodStart(period, day) * MILLISECONDS_PER_DAY, (periodEnd(period, day) + 1) * MILLISECONDS_PER_DAY]
    : [start - (start % (width ?? 1)), start + (width ?? 0)];
  if (first === start) return next;
  throw oxrRefusal(
    "invalid_period_for_start_time",
    `Invalid period for start time: a period of ${period} does not begin at ${formatInstant(start)}.`,
  );
}

/** Returns the seconds of the widest bars that fill a period exactly: 15 minutes for half an hour, a day for a month. */
function widthWithin(seconds: number): number {
  const fitting = Object.values(BAR_SECONDS).filter((width) => seconds % width === 0);
  return Math.max(...fitting);
}

function joined(bars: readonly Bar[]): object {
  return {
    open: bars[0]?.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: bars.at(-1)?.close,
    average: meanOf(bars),
  };
}

function meanOf(bars: readonly Bar[]): number {
  if (bars.length === 1) return (bars[0] as Bar).mean;
  const ticks = bars.reduce((sum, bar) => sum + bar.ticks, 0);
  const sum = bars.reduce((total, bar) => total + bar.mean * bar.ticks, 0);
  return Number((sum / ticks).toPrecision(DIGITS));
}
