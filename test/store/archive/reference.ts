/** Bars the plain way, in exact fractions over a list of quotes: what the archive must agree with. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Bar, BarQuery } from "#domain/history/periods.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Decimal, parseDecimal, powerOfTen, roundSignificant } from "#domain/number/decimal.ts";

interface Tick {
  readonly at: number;
  /** The older one of two legs. */
  readonly since: number;
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly computed: boolean;
}

const PLACES = 10n ** 100n;

export function referenceBars(quotes: readonly LiveQuote[], query: BarQuery): readonly Bar[] {
  const { base, symbol, from, to, widthSeconds, order, limit } = query;
  const isCross = base !== "USD" && symbol !== "USD";
  const ticks = isCross ? crossed(quotes, base, symbol) : pairTicks(quotes, base, symbol);
  const groups = new Map<number, Tick[]>();
  for (const tick of ticks.filter(({ at }) => at >= from && at < to)) {
    const start = Math.floor(tick.at / (widthSeconds * 1000)) * widthSeconds * 1000;
    groups.set(start, [...(groups.get(start) ?? []), tick]);
  }
  const bars = [...groups].map(([start, group]): Bar => {
    const digits = group.some(({ computed }) => computed) ? 10 : 15;
    const prices = group.map(({ numerator, denominator }) =>
      Number(roundSignificant(numerator, denominator, digits)),
    );
    // A hundred places: no mean of a few thousand short decimals is as close to a tie without being one.
    const sum = group.reduce(
      (all, { numerator, denominator }) => all + (numerator * PLACES) / denominator,
      0n,
    );
    const [low, high] = [Math.min(...prices), Math.max(...prices)];
    const mean = Number(roundSignificant(sum, BigInt(group.length) * PLACES, 10));
    return {
      start,
      since: Math.min(...group.map(({ since }) => since)),
      open: prices[0] as number,
      high,
      low,
      close: prices.at(-1) as number,
      mean: Math.max(low, Math.min(high, mean)),
      ticks: group.length,
    };
  });
  bars.sort((a, b) => (order === "asc" ? a.start - b.start : b.start - a.start));
  return bars.slice(0, limit);
}

function pairTicks(quotes: readonly LiveQuote[], base: CurrencyCode, symbol: CurrencyCode): readonly Tick[] {
  return [...quotes]
    .sort(
      (a, b) => a.observedAt - b.observedAt || a.retrievedAt - b.retrievedAt || (a.feed < b.feed ? -1 : 1),
    )
    .flatMap((quote): Tick[] => {
      const { units, scale } = parseDecimal(quote.mid) as Decimal;
      const [value, one] = [units, powerOfTen(scale)];
      const at = quote.observedAt;
      if (quote.base === base && quote.quote === symbol)
        return [{ at, since: at, numerator: value, denominator: one, computed: false }];
      if (quote.base === symbol && quote.quote === base)
        return [{ at, since: at, numerator: one, denominator: value, computed: true }];
      return [];
    });
}

function crossed(quotes: readonly LiveQuote[], base: CurrencyCode, symbol: CurrencyCode): readonly Tick[] {
  const [a, b] = [pairTicks(quotes, "USD", base), pairTicks(quotes, "USD", symbol)];
  const instants = [...new Set([...a, ...b].map(({ at }) => at))].sort((x, y) => x - y);
  return instants.flatMap((at): Tick[] => {
    const [legA, legB] = [a, b].map((leg) =>
      leg.findLast((tick) => tick.at <= at && tick.at >= at - 900_000),
    );
    if (legA === undefined || legB === undefined) return [];
    const numerator = legB.numerator * legA.denominator;
    const since = Math.min(legA.at, legB.at);
    return [{ at, since, numerator, denominator: legB.denominator * legA.numerator, computed: true }];
  });
}
