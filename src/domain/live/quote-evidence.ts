/**
 * Live quotes, step two: a printed price becomes a quote or is refused by a named rule; and whether a quote is credible (by
 * itself, by another feed, by a release, or because no feed contradicts it).
 */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type Decimal,
  formatDecimal,
  isDecimalSlip,
  parseDecimal,
  powerOfTen,
  roundSignificant,
} from "#domain/number/decimal.ts";
import { marketSession, openMilliseconds } from "#domain/time/calendar.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import {
  currencyOf,
  isAhead,
  isReleased,
  type LiveQuote,
  QUOTE_DIGITS,
  type QuoteRefusal,
  type QuoteRelease,
  type QuoteRule,
  RANGE,
  type Reference,
  ratioOf,
} from "./live-quote.ts";

export interface Evidence {
  readonly last: LiveQuote | null;
  /** The newest daily reference of the currency, or null. */
  readonly reference: Reference | null;
  /** The doubt about this quote that its answer as a whole raises, or null. */
  readonly ofAnswer: Doubt | null;
  /** The quotes of the other feeds now, believed or held. */
  readonly others: readonly LiveQuote[];
  readonly releases: readonly QuoteRelease[];
}

/** A feed that no other contradicts is believed after so many agreeing polls in a row, except where support is needed. */
const CONVINCING_POLLS = 3;

/**
 * The believed quote, with its supporter where it is far from its reference; or the doubt for which it is held. `polls` is how many
 * polls in a row have agreed on it.
 */
export function judgeByEvidence(quote: LiveQuote, polls: number, evidence: Evidence): LiveQuote | Doubt {
  const { last, reference, ofAnswer, others, releases } = evidence;
  const own = doubtOf(quote, last, reference);
  const doubt = own !== null && NEEDS_SUPPORT.has(own.rule) ? own : (ofAnswer ?? own);
  const witness = others.find((other) => supports(other, quote));
  if (witness !== undefined && isUnconfirmed(quote, reference))
    return { ...quote, supportedBy: witness.feed };
  if (doubt === null || witness !== undefined) return quote;
  if (isReleased(quote, reference, releases)) return quote;
  if (NEEDS_SUPPORT.has(doubt.rule) || reference === null) return doubt;
  // A quote that is itself beyond the reference does not contradict another.
  if (others.some((other) => ratioOf(perDollar(other), reference.perDollar) <= MOST_BEYOND_RATIO))
    return doubt;
  // A market break that was believed before continues.
  const goesOn =
    doubt.rule === "off_reference" &&
    last !== null &&
    isOff(last, reference) &&
    ratioOf(perDollar(last), perDollar(quote)) <= MOST_JUMP_RATIO;
  return goesOn || polls >= CONVINCING_POLLS ? quote : doubt;
}

export function supports(other: LiveQuote, quote: LiveQuote): boolean {
  return ratioOf(perDollar(other), perDollar(quote)) <= SUPPORT_RATIO;
}

/** How a quote differs from the served one of another feed, where minutes between their polls do not explain it; else null. */
export function contradictionOf(quote: LiveQuote, served: LiveQuote): string | null {
  if (supports(quote, served)) return null;
  const as = `the served quote of ${served.feed},`;
  return sentence(perDollar(quote), perDollar(served), as, SUPPORT_RATIO);
}

/** Whether a quote may be served: at most 1.3 times off its reference, supported by another feed when accepted, or released. */
export function isCredible(
  quote: LiveQuote,
  reference: Reference | null,
  releases: readonly QuoteRelease[],
): boolean {
  if (reference !== null && ratioOf(perDollar(quote), reference.perDollar) <= MOST_BEYOND_RATIO) return true;
  return quote.supportedBy !== undefined || isReleased(quote, reference, releases);
}

/** True when one feed alone has a quote that is further from its reference than an ordinary hour moves it. */
export function isUnconfirmed(quote: LiveQuote, reference: Reference | null): boolean {
  if (quote.supportedBy !== undefined) return false;
  return reference === null || ratioOf(perDollar(quote), reference.perDollar) > MOST_JUMP_RATIO;
}

/** True when a quote is young enough, in open market, to count as its feed's present quote. */
export function isYoung({ observedAt }: LiveQuote, oldestSeconds: number, at: Instant): boolean {
  if (isAhead(observedAt, at)) return false;
  const oldest = oldestSeconds * 1000;
  return at - observedAt <= oldest || openMilliseconds(observedAt, at) <= oldest;
}

export const QUOTE_DOUBTS = [
  /** There is no daily reference to compare the quote with. */
  "no_reference",
  /** Beyond the reference, and close to a power of ten of it. */
  "decimal_slip",
  "beyond_reference",
  /** Away from the reference, but not beyond it. */
  "off_reference",
  /** Away from a quote of the hour before. */
  "jump",
  /** Half of the answer's prices are away from their references. */
  "moved_together",
  /** Two prices of the answer are each near the other's reference, or one is near the inverse of its own. */
  "exchanged",
] as const;
export type QuoteDoubt = (typeof QUOTE_DOUBTS)[number];

/** A feed's repetition does not resolve these doubts: only another feed or an operator does. */
const NEEDS_SUPPORT: ReadonlySet<QuoteDoubt> = new Set([
  "no_reference",
  "decimal_slip",
  "beyond_reference",
  "moved_together",
  "exchanged",
]);
/** Doubts about a whole answer. */
export const DOUBTS_OF_ANSWER: ReadonlySet<QuoteDoubt> = new Set(["moved_together", "exchanged"]);

export interface Doubt {
  readonly rule: QuoteDoubt;
  readonly reason: string;
}

/** A quote more than so many times its reference, either way, is beyond it. */
const MOST_BEYOND_RATIO = 1.3;
/**
 * Between two fixings a few per cent are ordinary. Larger real moves (CHF 17 % on 2015-01-15, TRY 36 % on 2021-12-21) are rare
 * enough to wait for a second opinion.
 */
const MOST_OFF_RATIO = 1.1;
/** Within an hour a price moves this far only on such a day, and from one fixing to the next three or four times a year. */
const MOST_JUMP_RATIO = 1.05;
/** MOST_JUMP_RATIO applies to quotes at most this far apart: the slowest plan is polled every 45 minutes. */
const JUMP_WINDOW_SECONDS = 3600;
/** Two polls of one feed that differ by at most this factor agree. */
export const AGREEMENT_RATIO = 1.01;
/** Two feeds that differ by at most this factor support each other: their polls may be minutes apart. */
const SUPPORT_RATIO = 1.02;

/** Units of the currency per dollar, as a double: for comparing only, never to be stored or served. */
export function perDollar(quote: Pick<LiveQuote, "base" | "mid">): number {
  return quote.base === "USD" ? Number(quote.mid) : 1 / Number(quote.mid);
}

/**
 * Null when the quote is near the daily reference, and near the last quote of the same hour. A last quote far from the
 * reference is no measure of a jump, nor is an unconfirmed one for a quote that returns to the reference.
 */
export function doubtOf(quote: LiveQuote, last: LiveQuote | null, reference: Reference | null): Doubt | null {
  const value = perDollar(quote);
  if (reference === null) {
    return {
      rule: "no_reference",
      reason: `${digits(value)} per dollar: there is no daily reference to hold it against`,
    };
  }
  const off = doubtOfReference(value, reference.perDollar);
  if (off !== null || last === null || isOff(last, reference)) return off;
  if (isUnconfirmed(last, reference) && !isUnconfirmed(quote, reference)) return null;
  if (Math.abs(quote.observedAt - last.observedAt) > JUMP_WINDOW_SECONDS * 1000) return null;
  const before = perDollar(last);
  if (ratioOf(value, before) <= MOST_JUMP_RATIO) return null;
  return { rule: "jump", reason: sentence(value, before, "the last quote", MOST_JUMP_RATIO) };
}

/** True when a quote is further from the reference than an ordinary day moves it. */
function isOff(quote: Pick<LiveQuote, "base" | "mid">, reference: Reference): boolean {
  return ratioOf(perDollar(quote), reference.perDollar) > MOST_OFF_RATIO;
}

function doubtOfReference(value: number, reference: number): Doubt | null {
  const ratio = ratioOf(value, reference);
  if (ratio <= MOST_OFF_RATIO) return null;
  const isBeyond = !(ratio <= MOST_BEYOND_RATIO);
  const most = isBeyond ? MOST_BEYOND_RATIO : MOST_OFF_RATIO;
  const reason = sentence(value, reference, "the reference", most);
  if (!isBeyond) return { rule: "off_reference", reason };
  return isDecimalSlip(value / reference)
    ? { rule: "decimal_slip", reason: `${reason}, close to a power of ten` }
    : { rule: "beyond_reference", reason };
}

function sentence(value: number, reference: number, as: string, most: number): string {
  const ratio = (value / reference).toPrecision(4);
  return `${digits(value)} per dollar is ${ratio} times ${as} ${digits(reference)}: beyond ${most} either way`;
}

function digits(value: number): string {
  return value.toPrecision(6);
}

/** A pair's price as the feed printed it: one number, or a bid and an ask. */
export type PrintedQuote = { readonly price: string } | { readonly bid: string; readonly ask: string };

interface QuoteOrigin extends Pick<LiveQuote, "feed" | "base" | "quote" | "retrievedAt"> {
  /** Null where neither the feed nor the response states the time of the price. */
  readonly observedAt: Instant | null;
}

/** A time up to this far ahead is of a slightly wrong clock and read as the moment of arrival; one further ahead is refused. */
export const MOST_AHEAD_SECONDS = 300;
/** Beyond this age in open market a quote may not be served as live at all, so it is not worth keeping. */
export const OLDEST_OPEN_HOURS = 24;
/** With fewer units than this, half a unit is over 2 bps of the value: 0.5 / units > 2 / 10,000. */
const FEWEST_UNITS = 2500n;
/** Far above what a working market shows: a few basis points between majors, some tens elsewhere. */
const WIDEST_SPREAD_BPS = { majors: 100n, others: 300n };
const MAJORS = new Set<CurrencyCode>(["USD", "EUR", "JPY", "GBP", "CHF", "AUD", "CAD", "NZD"]);
const HOUR = 3_600_000;

/** The quote, or the first rule that it breaks: numbers first, then their precision and spread, then the time. */
export function judgeQuote(origin: QuoteOrigin, printed: PrintedQuote): LiveQuote | QuoteRefusal {
  const refuse = (rule: QuoteRule, reason: string): QuoteRefusal => ({
    currency: currencyOf(origin),
    rule,
    reason: `${origin.base}/${origin.quote} ${reason}`,
  });
  const texts = "price" in printed ? [printed.price] : [printed.bid, printed.ask];
  const prices: Decimal[] = [];
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
  const [bid, ask = bid] = prices as [Decimal, Decimal?];
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
  const stored =
    "price" in printed
      ? { bid: null, ask: null, mid: plainDigits(bid) }
      : withMid(plainDigits(bid), plainDigits(ask));
  return { ...origin, ...stored, observedAt };
}

/**
 * The price with more decimals counts for both: JSON numbers have no trailing zeros. A single price that happens to end in zeros
 * is refused for that poll.
 */
function isCoarse(bid: Decimal, ask: Decimal): boolean {
  const scale = Math.max(bid.scale, ask.scale);
  return bid.units * powerOfTen(scale - bid.scale) < FEWEST_UNITS;
}

/** Exact mean of bid and ask as they are stored; half-even where it has more than QUOTE_DIGITS digits. */
function withMid(bid: string, ask: string): { bid: string; ask: string; mid: string } {
  const two = onOneScale(parseDecimal(bid) as Decimal, parseDecimal(ask) as Decimal);
  return { bid, ask, mid: roundSignificant(two.a + two.b, 2n * powerOfTen(two.scale), QUOTE_DIGITS) };
}

/** The time of the price, never later than our own clock; or the rule that it breaks. */
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

/** Quotes a text that is short or looks like a price: a key that a feed sends by mistake must not be logged. */
function quotedText(text: string): string {
  return /^[\d.eE+-]{1,40}$|^[\w.,+-]{0,12}$/.test(text) ? JSON.stringify(text) : "its text";
}

/** JSON's grammar for numbers, which feeds that print text follow too. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** More characters than any price needs: a longer text is refused unread. */
const MOST_CHARACTERS = 60;

/** The number that a text prints, or null when it is not one. The scale is negative where an exponent says so. */
function readPrice(text: string): Decimal | null {
  if (text.length > MOST_CHARACTERS) return null;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  const magnitude = BigInt(`${whole}${fraction}`);
  return { units: sign === "-" ? -magnitude : magnitude, scale: fraction.length - Number(exponent) };
}

/** As printed, zeros at the end included; rounded half-even beyond QUOTE_DIGITS significant digits. */
function plainDigits({ units, scale }: Decimal): string {
  if (scale < 0) return plainDigits({ units: units * powerOfTen(-scale), scale: 0 });
  const text = formatDecimal(units, scale);
  const significant = (units < 0n ? -units : units).toString().length;
  return significant <= QUOTE_DIGITS ? text : roundSignificant(units, powerOfTen(scale), QUOTE_DIGITS);
}

/** The same two numbers on the finer of their scales, which is at least 0. */
function onOneScale(a: Decimal, b: Decimal): { a: bigint; b: bigint; scale: number } {
  const scale = Math.max(a.scale, b.scale, 0);
  return {
    a: a.units * powerOfTen(scale - a.scale),
    b: b.units * powerOfTen(scale - b.scale),
    scale,
  };
}
