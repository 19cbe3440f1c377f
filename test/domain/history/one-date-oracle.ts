/** What the rate of a day must be, computed slowly from the text of the rule: figures in plain maps, exact fractions, one day after the other. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Day } from "#domain/time/day.ts";
import { type Fraction, fractionOf, ONE, over, rounded } from "#test/live/exact.ts";
import type { PlainObservation } from "./columns.ts";

/** A forward fill reaches back at most this many days. */
const FILL = 14;

type SourceName = PlainObservation["source"];

/** A figure that a rate needs: which one, and on which side of the pair it is. */
interface Need {
  readonly source: SourceName;
  readonly code: CurrencyCode;
}

export interface OracleRate {
  readonly text: string;
  readonly exact: Fraction;
  /** The figures that the rate rests on, in no order. */
  readonly figures: readonly PlainObservation[];
  /** Something that contributes is of an earlier day. */
  readonly filled: boolean;
}

function pivotOf(source: SourceName): CurrencyCode {
  return source === "ecb_daily" ? "EUR" : "USD";
}

export function subjectOf({ source, base, quote }: PlainObservation): CurrencyCode {
  return base === pivotOf(source) ? quote : base;
}

export type Oracle = ReturnType<typeof oracleOf>;

export function oracleOf(figures: readonly PlainObservation[]) {
  const byKey = new Map<string, PlainObservation>();
  for (const figure of figures) byKey.set(`${figure.source} ${subjectOf(figure)} ${figure.date}`, figure);
  const figureOf = ({ source, code }: Need, date: Day) => byKey.get(`${source} ${code} ${date}`) ?? null;
  const stands = (need: Need, day: Day) => newestDay([need], day) !== null;

  /** The newest day, at most the fill ago, on which every one of the figures was published. */
  const newestDay = (needs: readonly Need[], day: Day): Day | null => {
    for (let date = day; date >= day - FILL; date--) {
      if (needs.every((need) => figureOf(need, date) !== null)) return date;
    }
    return null;
  };

  /** The pivot that a currency is quoted against: the ECB's where its figure is in force, else H.10's. */
  const pivotFor = (code: CurrencyCode, day: Day): CurrencyCode | null => {
    if (code === "EUR" || code === "USD") return code;
    if (stands({ source: "ecb_daily", code }, day)) return "EUR";
    return stands({ source: "fred_daily", code }, day) ? "USD" : null;
  };

  const needsOf = (day: Day, from: CurrencyCode, to: CurrencyCode): readonly Need[] | null => {
    const sides = [from, to].map((code) => ({ code, pivot: pivotFor(code, day) }));
    if (sides.some(({ pivot }) => pivot === null)) return null;
    const own = sides
      .filter(({ code, pivot }) => code !== pivot)
      .map(({ code, pivot }): Need => ({ source: pivot === "EUR" ? "ecb_daily" : "fred_daily", code }));
    if (sides[0]?.pivot === sides[1]?.pivot) return own;
    const dollar: Need = { source: "ecb_daily", code: "USD" };
    return [...own, stands(dollar, day) ? dollar : { source: "fred_daily", code: "EUR" }];
  };

  /** One date for all; where there is none and the figures are of two sources, one date for each source. */
  const figuresOf = (needs: readonly Need[], day: Day): PlainObservation[] | null => {
    const whole = newestDay(needs, day);
    const sources = [...new Set(needs.map(({ source }) => source))];
    const ofOne = (source: SourceName) => needs.filter((need) => need.source === source);
    const found = needs.map((need) => {
      const ofSource = sources.length === 1 ? null : newestDay(ofOne(need.source), day);
      const date = whole ?? ofSource;
      return date === null ? null : figureOf(need, date);
    });
    return found.includes(null) ? null : (found as PlainObservation[]);
  };

  const print = (
    figuresUsed: readonly PlainObservation[],
    day: Day,
    from: CurrencyCode,
    to: CurrencyCode,
  ): OracleRate => ({
    ...exactValue(figuresUsed, from, to),
    figures: figuresUsed,
    filled: figuresUsed.some(({ date }) => date < day),
  });

  const daily = (day: Day, from: CurrencyCode, to: CurrencyCode): OracleRate | null => {
    const needs = needsOf(day, from, to);
    const used = needs === null ? null : figuresOf(needs, day);
    return used === null ? null : print(used, day, from, to);
  };

  const latest = (day: Day, from: CurrencyCode, to: CurrencyCode): OracleRate | null => {
    const needs = needsOf(day, from, to);
    if (needs === null) return null;
    const crosses = new Set(needs.map(({ source }) => source)).size > 1;
    // H.10's euro replaces a dollar that the ECB has not published for so long: then the whole is of one date too.
    const overDollar = needs.some(({ source, code }) => source === "ecb_daily" && code === "USD");
    if (!crosses || !overDollar) return daily(day, from, to);
    // Each side by its own newest value against the dollar.
    const [left, right] = [from, to].map((code) => daily(day, code, "USD"));
    if (!left || !right) return null;
    return print([...left.figures, ...right.figures], day, from, to);
  };
  return {
    /** The rate of a day, on days, ranges and exports; null where there is none. */
    daily,
    latest,
  };
}

/** Walks from one currency to the other over the figures, each used once. */
function exactValue(figures: readonly PlainObservation[], from: CurrencyCode, to: CurrencyCode) {
  const left = [...figures];
  let at = from;
  let value: Fraction = ONE;
  while (at !== to) {
    const next = left.findIndex(({ base, quote }) => base === at || quote === at);
    if (next < 0) throw new Error(`no way from ${at} to ${to}`);
    const [{ base, quote, printed }] = left.splice(next, 1) as [PlainObservation];
    const figure = fractionOf(printed);
    if (figures.length === 1 && base === from) return { text: printed, exact: figure };
    value =
      base === at
        ? { top: value.top * figure.top, bottom: value.bottom * figure.bottom }
        : over(value, figure);
    at = base === at ? quote : base;
  }
  return { text: rounded(value), exact: value };
}
