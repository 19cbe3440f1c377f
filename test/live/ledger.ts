/** Every figure that a feed really delivered, read off the wire without the product's parsers: what may be served is in here, or invented. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { asNumber, type Fraction, fractionOf, isSame, meanOf, ONE, over } from "./exact.ts";

/** Units per dollar at the moment of a delivery; null for a currency that is not followed. */
type MarketOf = (code: CurrencyCode) => number | null;

/** One price in a delivered document, in units per dollar. */
export interface Delivered {
  readonly perDollar: Fraction;
  /** False for a price that lies: more than a hundredth off the market of its moment. */
  readonly isHonest: boolean;
}

const PLAIN = /^\d+(\.\d+)?$/;

export type Ledger = ReturnType<typeof newLedger>;

export function newLedger() {
  const entries = new Map<string, Map<Instant, Delivered[]>>();
  let size = 0;
  return {
    /** Notes a price beside what the market of that moment is, in units per dollar; null for a currency that is not followed. */
    note(base: string, quote: string, price: () => Fraction, observedAt: Instant, market: MarketOf) {
      const code = (base === "USD" ? quote : base) as CurrencyCode;
      const moment = market(code);
      if (moment === null) return;
      const perDollar = base === "USD" ? price() : over(ONE, price());
      const times = entries.get(code) ?? new Map<Instant, Delivered[]>();
      entries.set(code, times);
      const known = times.get(observedAt) ?? [];
      times.set(observedAt, known);
      if (known.some((one) => isSame(one.perDollar, perDollar))) return;
      const ratio = asNumber(perDollar) / moment;
      known.push({ perDollar, isHonest: Math.abs(ratio - 1) < 0.01 });
      size += 1;
    },
    /** What was delivered of a currency under an observation time, by whichever feed. */
    of: (code: CurrencyCode, observedAt: Instant) => entries.get(code)?.get(observedAt) ?? [],
    size: () => size,
  };
}

type Reader = (ledger: Ledger, text: string, market: MarketOf) => void;

/** The tickers of a Massive snapshot as it prints them. */
export const TICKER =
  /\{"ticker":"C:([A-Z]{3})([A-Z]{3})","lastQuote":\{"a":([^,]+),"b":([^,]+),"x":48,"t":(\d+)\},"updated":\d+\}/g;

function readMassive(ledger: Ledger, text: string, market: MarketOf): void {
  for (const [, base = "", quote = "", ask = "", bid = "", time] of text.matchAll(TICKER)) {
    if (!PLAIN.test(bid) || !PLAIN.test(ask) || Number(bid) === 0) continue;
    ledger.note(base, quote, () => meanOf(bid, ask), Number(time), market);
  }
}

function readOxr(ledger: Ledger, text: string, market: MarketOf): void {
  const seconds = /"timestamp":(\d+),/.exec(text)?.[1];
  for (const [, code, price = ""] of text.matchAll(/"([A-Z]{3})":([\d.]+)/g))
    if (Number(price) > 0)
      ledger.note("USD", code as string, () => fractionOf(price), Number(seconds) * 1000, market);
}

export const READERS: Readonly<Record<"massive" | "oxr", Reader>> = { massive: readMassive, oxr: readOxr };

/** What makes a quote of the archive this one and no other. */
export function nameOf({ feed, base, quote, mid, observedAt }: LiveQuote): string {
  return `${feed} ${base}/${quote} ${mid} ${observedAt}`;
}
