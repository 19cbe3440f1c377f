/** Reads a feed's document: each requested currency becomes a quote or a refusal. Also the pairs and times as feeds print them. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { FeedId, FeedReading, LiveQuote, QuoteRefusal, QuoteRule } from "#domain/live/live-quote.ts";
import { judgeQuote, type PrintedQuote } from "#domain/live/quote-evidence.ts";
import { type Instant, parseDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import type { FeedPoll } from "#ports.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";

/** Quoted in dollars for one unit; all others in units for one dollar. */
const IN_DOLLARS = new Set<CurrencyCode>(["EUR", "GBP", "AUD", "NZD"]);

export type Pair = readonly [base: CurrencyCode, quote: CurrencyCode];

export const AGAINST_DOLLAR: readonly CurrencyCode[] = CURRENCY_CODES.filter((code) => code !== "USD");

export function marketPair(currency: CurrencyCode): Pair {
  return IN_DOLLARS.has(currency) ? [currency, "USD"] : ["USD", currency];
}

/** Both directions, the market's first. */
export function bothPairs(currency: CurrencyCode): readonly [Pair, Pair] {
  const [base, quote] = marketPair(currency);
  return [marketPair(currency), [quote, base]];
}

/** One request, answered in JSON, for the `currencies` that are offered; empty where nothing is offered. */
export function singlePoll(
  offer: readonly CurrencyCode[],
  currencies: readonly CurrencyCode[],
  requestOf: (requested: readonly CurrencyCode[]) => Omit<UpstreamRequest, "accept" | "timeoutSeconds">,
): readonly FeedPoll[] {
  const requested = offer.filter((currency) => currencies.includes(currency));
  if (requested.length === 0) return [];
  const request = { accept: "application/json", timeoutSeconds: 10, ...requestOf(requested) };
  return [{ request, requested }];
}

/** The objects of a list by one of their members. Throws BrokenDocument where it is missing, or equal in two objects. */
export function objectsBy(
  member: string,
  objects: readonly JsonObject[],
  what: string,
): ReadonlyMap<string, JsonObject> {
  const byName = new Map<string, JsonObject>();
  for (const object of objects) {
    const name = textAt(object, member);
    if (name === null) throw new BrokenDocument(`${what}: an object without ${member}`);
    if (byName.has(name)) throw new BrokenDocument(`${what}: one ${member} is there twice`);
    byName.set(name, object);
  }
  return byName;
}

/** A pair in a document: its price and time, or why it has no price; null when the document lacks the pair. */
export type PairEntry =
  | { readonly printed: PrintedQuote; readonly observedAt: Instant | null }
  | { readonly rule: QuoteRule; readonly reason: string }
  | null;

/**
 * One quote or one refusal for each requested currency. `pairsOf` lists the pairs under which the feed may quote a currency,
 * best first. The first good quote is taken; without one, the first refusal is returned.
 */
export function readQuotes(
  feed: FeedId,
  document: UpstreamDocument,
  requested: readonly CurrencyCode[],
  pairsOf: (currency: CurrencyCode) => readonly Pair[],
  find: (pair: Pair) => PairEntry,
): FeedReading {
  const quotes: LiveQuote[] = [];
  const refusals: QuoteRefusal[] = [];
  const printed: string[] = [];
  for (const currency of requested) {
    const verdict = firstGood(currency);
    if ("rule" in verdict) refusals.push(verdict);
    else quotes.push(verdict);
  }
  return { quotes, refusals, printed: printed.join("\n"), limited: null };

  function firstGood(currency: CurrencyCode): LiveQuote | QuoteRefusal {
    let refusal: QuoteRefusal | null = null;
    for (const [base, quote] of pairsOf(currency)) {
      const entry = find([base, quote]);
      if (entry === null) continue;
      if ("printed" in entry) printed.push(`${base}/${quote} ${Object.values(entry.printed).join(" ")}`);
      const origin = { feed, base, quote, retrievedAt: document.retrievedAt };
      const verdict =
        "rule" in entry
          ? { currency, rule: entry.rule, reason: `${base}/${quote} ${entry.reason}` }
          : judgeQuote({ ...origin, observedAt: entry.observedAt }, entry.printed);
      if (!("rule" in verdict)) return verdict;
      refusal ??= verdict;
    }
    return refusal ?? { currency, rule: "missing", reason: `${currency} is not in the document` };
  }
}

/** Reads units per dollar by currency code, all observed at one time. Throws BrokenDocument where the dollar itself does not cost 1. */
export function readDollarRates(
  feed: FeedId,
  document: UpstreamDocument,
  requested: readonly CurrencyCode[],
  rates: JsonObject,
  observedAt: Instant | null,
): FeedReading {
  if (rates.has("USD") && Number(digitsAt(rates, "USD")) !== 1)
    throw new BrokenDocument(`${feed}: the rates are of another base than the dollar`);
  return readQuotes(
    feed,
    document,
    requested,
    (currency) => [["USD", currency]],
    ([, currency]) => {
      const price = digitsAt(rates, currency);
      if (price !== null) return { printed: { price }, observedAt };
      return rates.has(currency) ? { rule: "no_price", reason: "has no price" } : null;
    },
  );
}

const COUNT = /^(\d+)(?:\.(\d+))?$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads a count since 1970 and returns whole milliseconds; null for anything else. The number of whole digits says whether it
 * counts seconds, milliseconds, microseconds or nanoseconds: for times from 1973 to 5138 their ranges do not overlap.
 */
export function instantOfCount(printed: string): Instant | null {
  const match = COUNT.exec(printed);
  if (match === null) return null;
  const [, whole = "", fraction = ""] = match;
  if (whole.startsWith("0")) return null;
  if (whole.length >= 9 && whole.length <= 11) return Number(whole + fraction.slice(0, 3).padEnd(3, "0"));
  if (whole.length >= 12 && whole.length <= 14) return Number(whole);
  if (whole.length >= 15 && whole.length <= 17) return Number(whole.slice(0, -3));
  if (whole.length >= 18 && whole.length <= 20) return Number(whole.slice(0, -6));
  return null;
}

/** `2023-12-29T15:27:26.635352820Z`, or a count since 1970, as whole milliseconds; null for anything else. */
export function instantOfText(printed: string): Instant | null {
  const match = RFC_3339.exec(printed);
  if (match === null) return instantOfCount(printed);
  const [, day = "", time, fraction = "", zone] = match;
  // Date.parse would take 30 February for 2 March.
  if (parseDay(day) === null) return null;
  const at = Date.parse(`${day}${time}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`);
  return Number.isNaN(at) ? null : at;
}
