/** Live quotes, step two: a printed price becomes a quote, or is refused by a named rule. Pure; `sources/live` calls it. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type Decimal,
  formatDecimal,
  parseDecimal,
  powerOfTen,
  roundSignificant,
} from "#domain/number/decimal.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { marketSession, openMilliseconds } from "#domain/time/session.ts";
import {
  currencyOf,
  type FeedId,
  type LiveQuote,
  QUOTE_DIGITS,
  type QuoteRefusal,
  type QuoteRule,
} from "./live-quote.ts";

/** A pair's price as the feed printed it: one number, or a bid and an ask. */
export type PrintedQuote = { readonly price: string } | { readonly bid: string; readonly ask: string };

interface QuoteOrigin {
  readonly feed: FeedId;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** null: the feed gives no time of the price, and the response none either. */
  readonly observedAt: Instant | null;
  readonly retrievedAt: Instant;
}

/** A time this far ahead of ours is a clock that is a little off, and read as the moment of arrival; beyond it nothing is believed. */
const MOST_AHEAD_SECONDS = 300;
/** Beyond this age in open market a quote may not be served as live at all, so it is not worth keeping. */
export const OLDEST_OPEN_HOURS = 24;
/** Half a unit over 2 bps of the value is the same as fewer units than this: 0.5 / units > 2 / 10,000. */
const FEWEST_UNITS = 2500n;
/** Far above what a working market shows: a few basis points between majors, some tens elsewhere. */
const WIDEST_SPREAD_BPS = { majors: 100n, others: 300n };
const MAJORS = new Set<CurrencyCode>(["USD", "EUR", "JPY", "GBP", "CHF", "AUD", "CAD", "NZD"]);
/** Between USD and any of the catalog a price lies from 0.00004 to 20,000 either way round; a factor of 40 is left. */
const RANGE = { least: 1e-6, most: 1e6 };
const HOUR = 3_600_000;

/** The quote, or the first rule that it breaks: numbers first, then their precision and spread, then the time. */
export function judgeQuote(origin: QuoteOrigin, printed: PrintedQuote): LiveQuote | QuoteRefusal {
  const refuse = (rule: QuoteRule, reason: string): QuoteRefusal => ({
    currency: currencyOf(origin),
    rule,
    reason: `${origin.base}/${origin.quote} ${reason}`,
  });
  const texts = "price" in printed ? [printed.price] : [printed.bid, printed.ask];
  const prices: PrintedPrice[] = [];
  for (const text of texts) {
    const price = readPrice(text);
    if (price === null) return refuse("not_a_number", `${quotedText(text)} is not a number`);
    if (price.units <= 0n) return refuse("not_positive", `${quotedText(text)} is not above zero`);
    const value = Number(text);
    if (!(value > RANGE.least && value < RANGE.most)) {
      return refuse("out_of_range", `${quotedText(text)} is not between ${RANGE.least} and ${RANGE.most}`);
    }
    prices.push(price);
  }
  const [bid, ask = bid] = prices as [PrintedPrice, PrintedPrice?];
  const two = onOneScale(bid, ask);
  const written = texts.map(quotedText).join(" / ");
  if (isCoarse(bid, ask))
    return refuse("too_coarse", `${written} has an error of over 2 bps in its last digit`);
  if (two.a > two.b) return refuse("crossed", `has a bid above its ask: ${written}`);
  const widest =
    MAJORS.has(origin.base) && MAJORS.has(origin.quote) ? WIDEST_SPREAD_BPS.majors : WIDEST_SPREAD_BPS.others;
  // spread / mid = 2 (ask − bid) / (ask + bid)
  if ((two.b - two.a) * 20_000n > widest * (two.a + two.b)) {
    return refuse("wide_spread", `${written} has a spread of more than ${widest} bps`);
  }
  const observedAt = inTime(origin);
  if (typeof observedAt !== "number") return refuse(...observedAt);
  return {
    feed: origin.feed,
    base: origin.base,
    quote: origin.quote,
    ...("price" in printed
      ? { bid: null, ask: null, mid: plainDigits(bid) }
      : withMid(plainDigits(bid), plainDigits(ask))),
    observedAt,
    retrievedAt: origin.retrievedAt,
  };
}

/**
 * The finer printed of two counts for both: JSON numbers come without zeros at their end, and both sides of a pair
 * have the same number of decimals. A single number that happens to end in zeros is refused for that one poll.
 */
function isCoarse(bid: PrintedPrice, ask: PrintedPrice): boolean {
  const scale = Math.max(bid.scale, ask.scale);
  return bid.units * powerOfTen(scale - bid.scale) < FEWEST_UNITS;
}

/** Exact mean of bid and ask as they are stored; half-even where it has more than QUOTE_DIGITS digits. */
function withMid(bid: string, ask: string): { bid: string; ask: string; mid: string } {
  const two = onOneScale(parseDecimal(bid) as PrintedPrice, parseDecimal(ask) as PrintedPrice);
  return { bid, ask, mid: roundSignificant(two.a + two.b, 2n * powerOfTen(two.scale), QUOTE_DIGITS) };
}

/** When the price was, never later than our own clock; or the rule that its time breaks. */
function inTime({ observedAt: printed, retrievedAt }: QuoteOrigin): Instant | [QuoteRule, string] {
  if (printed === null) return ["no_time", "comes without a time"];
  const time = `is of ${new Date(printed).toISOString()}`;
  if (printed > retrievedAt + MOST_AHEAD_SECONDS * 1000) {
    return ["future_time", `${time}, more than ${MOST_AHEAD_SECONDS} s in the future`];
  }
  const observedAt = Math.min(printed, retrievedAt);
  // The market is never closed for a week, so counting its open hours stops there.
  const old =
    retrievedAt - observedAt > 7 * MILLISECONDS_PER_DAY ||
    openMilliseconds(observedAt, retrievedAt) > OLDEST_OPEN_HOURS * HOUR;
  if (old) return ["too_old", `${time}, more than ${OLDEST_OPEN_HOURS} hours of open market ago`];
  if (marketSession(observedAt) !== "open") return ["market_closed", `${time}, when the market was closed`];
  return observedAt;
}

/** Only a text that looks like a price or is short: a key that a feed sends in place of a price must not be logged. */
function quotedText(text: string): string {
  return /^[\d.eE+-]{1,40}$|^[\w.,+-]{0,12}$/.test(text) ? JSON.stringify(text) : "its text";
}

/** JSON's grammar for numbers, which feeds that print text follow too. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** More characters than any price needs; a bound, so that a long run of digits costs nothing. */
const MOST_CHARACTERS = 60;
const LARGEST_EXPONENT = 30;

/** `units` × 10^-`scale`; the scale is negative where an exponent says so, and the digits are as many as were printed. */
interface PrintedPrice extends Decimal {}

/** The number that a text prints, or null when it is not one. */
function readPrice(text: string): PrintedPrice | null {
  if (text.length > MOST_CHARACTERS) return null;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) return null;
  const magnitude = BigInt(`${whole}${fraction}`);
  return { units: sign === "-" ? -magnitude : magnitude, scale: fraction.length - Number(exponent) };
}

/**
 * The price in plain digits: as printed, zeros at the end included; rounded half-even where more than QUOTE_DIGITS
 * significant digits are printed.
 */
function plainDigits({ units, scale }: PrintedPrice): string {
  if (scale < 0) return plainDigits({ units: units * powerOfTen(-scale), scale: 0 });
  const text = formatDecimal(units, scale);
  const significant = (units < 0n ? -units : units).toString().length;
  return significant <= QUOTE_DIGITS ? text : roundSignificant(units, powerOfTen(scale), QUOTE_DIGITS);
}

/** The same two numbers on the finer of their scales, which is at least 0. */
function onOneScale(a: PrintedPrice, b: PrintedPrice): { a: bigint; b: bigint; scale: number } {
  const scale = Math.max(a.scale, b.scale, 0);
  return {
    a: a.units * powerOfTen(scale - a.scale),
    b: b.units * powerOfTen(scale - b.scale),
    scale,
  };
}
