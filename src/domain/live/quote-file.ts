/** Files of quotes from elsewhere (HistData, Dukascopy, plain CSV): their forms, and a strict reader of their lines. Pure. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { type Day, dayOf, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { QUOTE_DIGITS, RANGE, ratioOf } from "./live-quote.ts";

/** What the prices of a file are; `both`: each row has a bid and an ask. */
export const PRICE_SIDES = ["bid", "ask", "mid", "both"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

export interface QuoteImport {
  /** The name of the file, without its folder. */
  readonly file: string;
  /** Lower-case hex, of the whole file. */
  readonly sha256: string;
  /** What the importer says of its origin, or null. */
  readonly label: string | null;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** `minutes`: each row has the open, high, low and close of a minute. */
  readonly rows: "minutes" | "ticks";
  readonly price: PriceSide;
  readonly first: Instant;
  readonly last: Instant;
  readonly quotes: number;
  readonly importedAt: Instant;
}

/** A line that makes the whole file unusable; `line` counts from 1. */
export class QuoteFileFault extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.name = "QuoteFileFault";
  }
}

/** Throws QuoteFileFault for a line, by default the first. */
function refuse(reason: string, line = 1): never {
  throw new QuoteFileFault(line, reason);
}

export interface FileWishes {
  /** Null: the pair in the name of the file. */
  readonly pair: readonly [base: CurrencyCode, quote: CurrencyCode] | null;
  /** Minutes east of UTC for times without a zone of their own; null where the form must say it. */
  readonly offsetMinutes: number | null;
  /** What a single price per row is; null where the form must say it. */
  readonly side: "bid" | "ask" | "mid" | null;
  /** The names of columns by what they mean, such as time → Date. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface QuoteFileForm extends Pick<QuoteImport, "base" | "quote" | "rows" | "price"> {
  readonly separator: string;
  readonly hasHeader: boolean;
  readonly time: number;
  /** Positions of open, high, low, close; of bid, ask; or of the one price. */
  readonly prices: readonly number[];
  readonly layout: TimeLayout;
  readonly offsetMinutes: number;
}

interface TimeLayout {
  /** Y, M, D, H, m, s and f stand for digits; all else is literal. */
  readonly mask: string;
  /** The zone at the end of every time of the file; may be empty. */
  readonly suffix: string;
}

const MASKS = [
  "YYYYMMDD HHmm",
  "DD.MM.YYYY HH:mm",
  "YYYY.MM.DD HH:mm",
  "YYYY-MM-DD HH:mm",
  "YYYY-MM-DDTHH:mm",
]
  .flatMap((mask) => {
    const seconds = mask.includes(":") ? `${mask}:ss` : `${mask}ss`;
    return [mask, seconds, mask.includes(":") ? `${seconds}.fff` : `${seconds}fff`];
  })
  .map((mask) => ({
    mask,
    grammar: new RegExp(
      `^${mask.replaceAll(".", "\\.").replace(/[YMDHmsf]/g, "\\d")}( ?(?:Z|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?)$`,
    ),
  }));

/** Minutes east of UTC for the zone at the end of a time; null for an empty text. */
function offsetOf(suffix: string): number | null {
  if (suffix === "") return null;
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d{2}):?(\d{2})$/.exec(suffix) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** HistData's times are Eastern Standard Time all year. */
const HISTDATA_OFFSET = -300;
const HISTDATA = [
  { begins: /^\d{8} \d{6};/, rows: "minutes", separator: ";", prices: [1, 2, 3, 4] },
  { begins: /^\d{8} \d{9},/, rows: "ticks", separator: ",", prices: [1, 2] },
] as const;
const DUKASCOPY = /^(?:Gmt time|Time \(UTC\)|Etc\/UTC|UTC),/i;

/**
 * The form of a file by its first two lines and its name. Throws QuoteFileFault where neither these nor the wishes say which pair,
 * zone or side it has.
 */
export function formOf(
  name: string,
  [first, second]: readonly [string, string],
  wishes: FileWishes,
): QuoteFileForm {
  const [base, quote] = pairOf(name, wishes);
  const histdata = HISTDATA.find(({ begins }) => begins.test(first));
  if (histdata !== undefined) {
    const { rows, separator, prices } = histdata;
    const zone = zoned(1, first.split(separator, 1)[0] as string, HISTDATA_OFFSET, wishes);
    const price = rows === "minutes" ? sideOf("bid", wishes) : "both";
    return { base, quote, rows, price, separator, hasHeader: false, time: 0, prices, ...zone };
  }
  const separator = [",", ";", "\t"].find((each) => first.includes(each));
  if (separator === undefined) refuse("is neither a row of HistData nor a header with columns");
  const names = first.split(separator).map((column) => column.trim());
  const isDukascopy = DUKASCOPY.test(first);
  const at = (meaning: string): number => {
    const column = wishes.columns[meaning] ?? meaning;
    const place = names.findIndex((each) => each.toLowerCase() === column.toLowerCase());
    if (place < 0 && wishes.columns[meaning] !== undefined)
      refuse(`has no column ${JSON.stringify(column)}: it has ${names.join(", ")}`);
    return place;
  };
  const time = isDukascopy ? 0 : at("time");
  if (time < 0) refuse(`has no column time: it has ${names.join(", ")}; name it with --columns time=…`);
  const zone = zoned(2, second.split(separator)[time]?.trim() ?? "", isDukascopy ? 0 : null, wishes);
  const common = { base, quote, separator, hasHeader: true, time, ...zone };
  const bars = [at("open"), at("high"), at("low"), at("close")];
  const two = [at("bid"), at("ask")];
  const one = Math.max(at("price"), at("mid"));
  if (bars.every((place) => place >= 0)) {
    const named = isDukascopy
      ? (/_(BID|ASK)_/i.exec(name)?.[1]?.toLowerCase() as "bid" | "ask" | undefined)
      : undefined;
    return { ...common, rows: "minutes", prices: bars, price: sideOf(named ?? null, wishes) };
  }
  if (two.every((place) => place >= 0)) return { ...common, rows: "ticks", prices: two, price: "both" };
  if (one < 0)
    refuse(
      `has no prices: name the columns of bid and ask, of price, or of open, high, low and close with --columns; it has ${names.join(", ")}`,
    );
  return {
    ...common,
    rows: "ticks",
    prices: [one],
    price: sideOf(names[one]?.toLowerCase() === "mid" ? "mid" : null, wishes),
  };
}

/** The pair in the name of a file, such as DAT_ASCII_EURUSD_M1_2025.csv. */
function pairOf(name: string, { pair }: FileWishes): readonly [CurrencyCode, CurrencyCode] {
  const isCode = (code: string) => currencyIndex(code) >= 0;
  const named = [...name.toUpperCase().matchAll(/(?<![A-Z])([A-Z]{3})[-_/]?([A-Z]{3})(?![A-Z])/g)].filter(
    ([, base = "", quote = ""]) => isCode(base) && isCode(quote),
  );
  const [, base, quote] = named[0] ?? [];
  if (named.length === 1 && pair !== null && `${base}${quote}` !== pair.join(""))
    refuse(`--pair ${pair.join("/")} is not the pair in the name of the file, ${base}/${quote}`);
  const [of, into] = pair ?? [base, quote];
  if (of === undefined || into === undefined)
    refuse("the name of the file has no pair of currencies of the catalog: say it with --pair EUR/USD");
  if ((of === "USD") === (into === "USD"))
    refuse(`${of}/${into}: quotes are against the dollar; crosses are computed from these`);
  return [of as CurrencyCode, into as CurrencyCode];
}

function sideOf(own: "bid" | "ask" | "mid" | null, { side }: FileWishes): "bid" | "ask" | "mid" {
  if (own !== null && side !== null && own !== side)
    refuse(`the prices of this file are ${own} prices, not ${side}`);
  const chosen = own ?? side;
  if (chosen === null) refuse("does not say what its prices are: add --side bid, ask or mid");
  return chosen;
}

function zoned(line: number, time: string, own: number | null, { offsetMinutes }: FileWishes) {
  const match = MASKS.map(({ mask, grammar }) => ({ mask, suffix: grammar.exec(time)?.[1] })).find(
    ({ suffix }) => suffix !== undefined,
  );
  if (match === undefined)
    refuse(`${JSON.stringify(time.slice(0, 40))} is not a time such as 2025-03-03 14:05:00`, line);
  const suffix = match.suffix ?? "";
  const stated = [offsetOf(suffix), own, offsetMinutes].filter((offset) => offset !== null);
  const [offset] = stated;
  if (offset === undefined)
    refuse("its times have no zone: add --zone, such as --zone UTC or --zone -05:00", line);
  if (stated.some((other) => other !== offset))
    refuse("the zone of its times is not that of its form, or of --zone", line);
  return { layout: { mask: match.mask, suffix }, offsetMinutes: offset };
}

/** Takes one quote; `bid` and `ask` are null where the row does not state them. `nth` counts the quotes of one instant from 0. */
export type TakeQuote = (
  observed: Instant,
  nth: number,
  bid: Price | null,
  ask: Price | null,
  mid: Price,
) => void;

/** `value` is the double nearest to the decimal, `decimals` the digits after its point. */
export interface Price {
  readonly value: number;
  readonly decimals: number;
}

export interface ReaderBounds {
  /** Quotes must be before this instant. */
  readonly before: Instant;
  /** Quotes must not be before this instant. */
  readonly from: Instant;
  /** Units of the quote per base on a day, by daily reference rates; null without a reference. */
  readonly reference: (day: Day) => number | null;
}

/** A price at most so many times its daily reference, either way, is believed. */
const MOST_OFF = 1.3;
/** A file of LEAST_DAYS or more is of another pair when, in the median, the first prices of its days are off by this factor. */
const MOST_MEDIAN_OFF = 1.05;
const LEAST_DAYS = 10;
const MINUTE = 60_000;
const POINT = 46;

class MutablePrice implements Price {
  value = 0;
  decimals = 0;
  units = 0;
}

/** Reads the rows of a file in order, and gives their quotes to `take`, ascending. Throws QuoteFileFault. */
export function newQuoteReader(
  form: QuoteFileForm,
  { before, from, reference }: ReaderBounds,
  take: TakeQuote,
) {
  const readTime = newTimeReader(form);
  const separator = form.separator.charCodeAt(0);
  const columns = form.prices.map((place) => ({ place, price: new MutablePrice() }));
  const prices = columns.map(({ price }) => price);
  const last = Math.max(form.time, ...form.prices);
  const [starts, ends] = [new Int32Array(last + 1), new Int32Array(last + 1)];
  const mean = new MutablePrice();
  const isMinutes = form.rows === "minutes";
  let line = 0;
  let rows = 0;
  let nth = 0;
  let observed = Number.NEGATIVE_INFINITY;
  let leastStep = Number.POSITIVE_INFINITY;
  let day = Number.NaN;
  let [low, high] = [RANGE.least, RANGE.most];
  /** By day, the factor between the first price and its reference, at least 1. */
  const firstOff: number[] = [];

  const textOf = (bytes: Uint8Array, column: number) =>
    JSON.stringify(Buffer.from(bytes.subarray(starts[column], ends[column])).toString("latin1").slice(0, 40));
  const refuse = (reason: string): never => {
    throw new QuoteFileFault(line, reason);
  };
  /** Takes the reference of a day, and holds its first price against it. */
  const enter = (next: Day, price: number) => {
    day = next;
    const rate = reference(day);
    if (rate !== null) firstOff.push(ratioOf(price, rate));
    [low, high] = rate === null ? [RANGE.least, RANGE.most] : [rate / MOST_OFF, rate * MOST_OFF];
  };
  const give = (at: Instant, count: number, price: Price) => {
    take(at, count, form.price === "bid" ? price : null, form.price === "ask" ? price : null, price);
  };
  const giveMinute = (at: Instant) => {
    const [open, top, bottom, close] = prices as [MutablePrice, MutablePrice, MutablePrice, MutablePrice];
    if (
      !(
        top.value >= open.value &&
        top.value >= close.value &&
        bottom.value <= open.value &&
        bottom.value <= close.value
      )
    )
      refuse("its open or close is not between its low and its high");
    give(at, 0, open);
    const end = at + MINUTE - 1;
    let count = 0;
    for (const extreme of [top, bottom])
      if (extreme.value !== open.value && extreme.value !== close.value) give(end, count++, extreme);
    if (count > 0 || close.value !== open.value) give(end, count, close);
  };
  const giveTick = (at: Instant) => {
    const [bid, ask] = prices as [MutablePrice, MutablePrice?];
    if (ask === undefined) give(at, nth, bid);
    else {
      if (bid.value > ask.value) refuse(`its bid ${bid.value} is above its ask ${ask.value}`);
      if (!setMean(bid, ask, mean)) refuse("the mean of its bid and ask has more digits than a price");
      take(at, nth, bid, ask, mean);
    }
  };

  return {
    /** Takes the bytes of one line without its end. */
    read(bytes: Uint8Array, begin: number, end: number): void {
      line += 1;
      if (form.hasHeader && line === 1) return;
      let [column, at] = [0, begin];
      starts[0] = begin;
      for (; at < end && column <= last; at++) {
        if (bytes[at] !== separator) continue;
        ends[column] = at;
        column += 1;
        if (column <= last) starts[column] = at + 1;
      }
      if (column <= last) {
        ends[column] = end;
        if (column < last) refuse(`has ${column + 1} columns, not ${last + 1}`);
      }
      const next = readTime(bytes, starts[form.time] as number, ends[form.time] as number);
      if (!Number.isFinite(next))
        refuse(`${textOf(bytes, form.time)} is not a time of the zone and form of the rows before`);
      if (next < observed || (isMinutes && next === observed))
        refuse(
          `${new Date(next).toISOString()} is not after ${new Date(observed).toISOString()}, the row before`,
        );
      if (next < from || next >= before)
        refuse(
          `${new Date(next).toISOString()} is outside of what can be imported: ${next < from ? "not before" : "before"} ${new Date(next < from ? from : before).toISOString()}`,
        );
      if (isMinutes && next % MINUTE !== 0)
        refuse("a row with open, high, low and close is of a whole minute");
      nth = next === observed ? nth + 1 : 0;
      if (rows > 0 && next - observed < leastStep) leastStep = next - observed;
      observed = next;
      const date = Math.floor(next / MILLISECONDS_PER_DAY);
      for (let index = 0; index < columns.length; index++) {
        const { place, price } = columns[index] as (typeof columns)[number];
        if (!readPrice(bytes, starts[place] as number, ends[place] as number, price))
          refuse(
            `${textOf(bytes, place)} is not a price: a decimal above zero of at most ${QUOTE_DIGITS} digits`,
          );
        if (date !== day) enter(date, price.value);
        if (!(price.value > low && price.value < high))
          refuse(
            `${price.value} is not between ${low} and ${high}${low === RANGE.least ? "" : `, within ${MOST_OFF} times the daily reference`}`,
          );
      }
      if (isMinutes) giveMinute(next);
      else giveTick(next);
      rows += 1;
    },
    /** Rows so far, the header not counted. */
    rows: () => rows,
    /** Call it after the last row. */
    finish(): void {
      if (rows === 0) refuse("there is no row");
      if (isMinutes && rows > 1 && leastStep > MINUTE)
        refuse(`no two rows are a minute apart: its rows are of ${leastStep / MINUTE} minutes`);
      const median = firstOff.sort((a, b) => a - b)[Math.floor(firstOff.length / 2)] ?? 1;
      if (firstOff.length >= LEAST_DAYS && median > MOST_MEDIAN_OFF)
        refuse(
          `the first prices of its ${firstOff.length} days are ${median.toFixed(3)} times their daily references, in the median: is it ${form.base}/${form.quote}?`,
        );
    },
  };
}

function readPrice(bytes: Uint8Array, from: number, to: number, into: MutablePrice): boolean {
  let [units, digits, point] = [0, 0, -1];
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit >= 0 && digit <= 9) {
      units = units * 10 + digit;
      if (units > 0) digits += 1;
    } else if (bytes[at] === POINT && point < 0 && at > from && at < to - 1) point = at;
    else return false;
  }
  const decimals = point < 0 ? 0 : to - 1 - point;
  if (units === 0 || digits > QUOTE_DIGITS || decimals > MOST_DECIMALS) return false;
  into.units = units;
  into.decimals = decimals;
  into.value = units / (TENS[decimals] as number);
  return true;
}

/** Ten to this power is still an exact double. */
const MOST_DECIMALS = 22;
const TENS: readonly number[] = Array.from({ length: MOST_DECIMALS + 1 }, (_, exponent) =>
  Number(`1e${exponent}`),
);

/** Sets the exact mean; returns false where it has too many digits. */
function setMean(bid: MutablePrice, ask: MutablePrice, into: MutablePrice): boolean {
  const decimals = Math.max(bid.decimals, ask.decimals);
  const sum =
    bid.units * (TENS[decimals - bid.decimals] as number) +
    ask.units * (TENS[decimals - ask.decimals] as number);
  const isEven = sum % 2 === 0;
  into.units = isEven ? sum / 2 : sum * 5;
  into.decimals = isEven ? decimals : decimals + 1;
  if (!(into.units < 10 ** QUOTE_DIGITS) || into.decimals > MOST_DECIMALS) return false;
  into.value = into.units / (TENS[into.decimals] as number);
  return true;
}

/** Reads the times of one layout; NaN for anything else. */
function newTimeReader({ layout: { mask, suffix }, offsetMinutes }: QuoteFileForm) {
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0, fraction = 0] = [..."YMDHmsf"].map(
    (letter) => mask.indexOf(letter),
  );
  const fixed = [...(mask + suffix)]
    .map((letter, place) => ({ place, byte: letter.charCodeAt(0) }))
    .filter(({ place }) => place >= mask.length || !/[YMDHmsf]/.test(mask[place] ?? ""));
  const length = mask.length + suffix.length;
  const offset = offsetMinutes * MINUTE;
  let lastCalendar = -1;
  let midnight = Number.NaN;
  return (bytes: Uint8Array, from: number, to: number): Instant => {
    if (to - from !== length) return Number.NaN;
    for (let index = 0; index < fixed.length; index++) {
      const { place, byte } = fixed[index] as (typeof fixed)[number];
      if (bytes[from + place] !== byte) return Number.NaN;
    }
    const [years, months] = [numberAt(bytes, from + year, 4), numberAt(bytes, from + month, 2)];
    const dates = numberAt(bytes, from + date, 2);
    const calendar = (years * 100 + months) * 100 + dates;
    if (calendar !== lastCalendar) {
      const day = dayOf(years, months, dates);
      lastCalendar = calendar;
      midnight = day === null ? Number.NaN : day * MILLISECONDS_PER_DAY;
    }
    const [hours, minutes] = [numberAt(bytes, from + hour, 2), numberAt(bytes, from + minute, 2)];
    const seconds = second < 0 ? 0 : numberAt(bytes, from + second, 2);
    if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN;
    const rest = fraction < 0 ? 0 : numberAt(bytes, from + fraction, 3);
    return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest - offset;
  };
}

/** The number in `count` digits; NaN for anything else. */
function numberAt(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = (bytes[at] as number) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
