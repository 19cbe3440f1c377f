/** Files of quotes from elsewhere (HistData, Dukascopy, plain CSV) and their forms. Pure. */

import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";

/** What the prices of a file are; `both`: each row has a bid and an ask. */
export const PRICE_SIDES = ["bid", "ask", "mid", "both"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** A file in the archive, and what its quotes are. */
export interface QuoteImport {
  /** The name of the file, without its folder. */
  readonly file: string;
  /** Lower-case hex, of the whole file. */
  readonly sha256: string;
  /** What the importer says of its origin; null where nothing was said. */
  readonly label: string | null;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** `minutes`: each row has the open, high, low and close of a minute. */
  readonly rows: "minutes" | "ticks";
  readonly price: PriceSide;
  /** First and last observation. */
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

export interface FileWishes {
  /** Null: as the name of the file says. */
  readonly pair: readonly [base: CurrencyCode, quote: CurrencyCode] | null;
  /** Minutes east of UTC for times without a zone of their own; null where the form must say it. */
  readonly offsetMinutes: number | null;
  /** What one price a row is; null where the form must say it. */
  readonly side: "bid" | "ask" | "mid" | null;
  /** The names of columns by what they mean, such as time → Date. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface QuoteFileForm {
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly rows: "minutes" | "ticks";
  readonly price: PriceSide;
  readonly separator: string;
  readonly hasHeader: boolean;
  readonly time: number;
  /** Positions of open, high, low, close; of bid, ask; or of the one price. */
  readonly prices: readonly number[];
  readonly layout: TimeLayout;
  readonly offsetMinutes: number;
}

/** How each time of a file is written, with its zone where it has one. */
interface TimeLayout {
  /** A regular expression. */
  readonly pattern: string;
  /** For strptime. */
  readonly format: string;
}

const FIELDS = { YYYY: "%Y", MM: "%m", DD: "%d", HH: "%H", mm: "%M", ss: "%S", fff: "%g" };
const FIELD = /YYYY|MM|DD|HH|mm|ss|fff/g;

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
    pattern: mask.replaceAll(".", "\\.").replace(FIELD, (field) => `\\d{${field.length}}`),
    format: mask.replace(FIELD, (field) => FIELDS[field as keyof typeof FIELDS]),
  }));
const ZONE = "( ?(?:Z|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?)";

/** Minutes east of UTC of a zone as a time ends with it; null for an empty one. */
function offsetOf(suffix: string): number | null {
  if (suffix === "") return null;
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d{2}):?(\d{2})$/.exec(suffix) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** HistData has no header, and Eastern Standard Time all year. */
const HISTDATA = [
  { begins: /^\d{8} \d{6};/, header: "time;open;high;low;close" },
  { begins: /^\d{8} \d{9},/, header: "time,bid,ask" },
];
const HISTDATA_OFFSET = -300;
const DUKASCOPY = /^(?:Gmt time|Time \(UTC\)|Etc\/UTC|UTC),/i;

/**
 * The form of a file by its first two lines and its name. Throws QuoteFileFault where one of the two does not say, and no wish does,
 * which pair, zone or side it has.
 */
export function formOf(
  name: string,
  [first, second]: readonly [string, string],
  wishes: FileWishes,
): QuoteFileForm {
  const [base, quote] = pairOf(name, wishes);
  const histData = HISTDATA.find(({ begins }) => begins.test(first));
  const header = histData?.header ?? first;
  const separator = [",", ";", "\t"].find((each) => header.includes(each));
  if (separator === undefined)
    throw new QuoteFileFault(1, "is neither a row of HistData nor a header with columns");
  const names = header.split(separator).map((column) => column.trim());
  const isDukascopy = DUKASCOPY.test(first);
  const columns = histData === undefined ? wishes.columns : {};
  const at = (meaning: string): number => {
    const column = columns[meaning] ?? meaning;
    const place = names.findIndex((each) => each.toLowerCase() === column.toLowerCase());
    if (place < 0 && columns[meaning] !== undefined)
      throw new QuoteFileFault(1, `has no column ${JSON.stringify(column)}: it has ${names.join(", ")}`);
    return place;
  };
  const time = isDukascopy ? 0 : at("time");
  if (time < 0)
    throw new QuoteFileFault(
      1,
      `has no column time: it has ${names.join(", ")}; name it with --columns time=…`,
    );
  const hasHeader = histData === undefined;
  const offset = isDukascopy ? 0 : hasHeader ? null : HISTDATA_OFFSET;
  const text = (hasHeader ? second : first).split(separator)[time]?.trim() ?? "";
  const zone = zoned(hasHeader ? 2 : 1, text, offset, wishes);
  const common = { base, quote, separator, hasHeader, time, ...zone };
  const bars = [at("open"), at("high"), at("low"), at("close")];
  const two = [at("bid"), at("ask")];
  const one = Math.max(at("price"), at("mid"));
  if (bars.every((place) => place >= 0)) {
    const side = hasHeader ? isDukascopy && /_(BID|ASK)_/i.exec(name)?.[1] : "bid";
    const own = side ? (side.toLowerCase() as "bid" | "ask") : null;
    return { ...common, rows: "minutes", prices: bars, price: sideOf(own, wishes) };
  }
  if (two.every((place) => place >= 0)) return { ...common, rows: "ticks", prices: two, price: "both" };
  if (one < 0)
    throw new QuoteFileFault(
      1,
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
    throw new QuoteFileFault(
      1,
      `--pair ${pair.join("/")} is not the pair in the name of the file, ${base}/${quote}`,
    );
  const [of, into] = pair ?? [base, quote];
  if (of === undefined || into === undefined)
    throw new QuoteFileFault(
      1,
      "the name of the file has no pair of currencies of the catalog: say it with --pair EUR/USD",
    );
  if ((of === "USD") === (into === "USD"))
    throw new QuoteFileFault(
      1,
      `${of}/${into}: quotes are against the dollar; crosses are computed from these`,
    );
  return [of as CurrencyCode, into as CurrencyCode];
}

function sideOf(own: "bid" | "ask" | "mid" | null, { side }: FileWishes): "bid" | "ask" | "mid" {
  if (own !== null && side !== null && own !== side)
    throw new QuoteFileFault(1, `the prices of this file are ${own} prices, not ${side}`);
  const known = own ?? side;
  if (known === null)
    throw new QuoteFileFault(1, "does not say what its prices are: add --side bid, ask or mid");
  return known;
}

function zoned(line: number, time: string, own: number | null, { offsetMinutes }: FileWishes) {
  const match = MASKS.map(({ pattern, format }) => {
    const suffix = new RegExp(`^${pattern}${ZONE}$`).exec(time)?.[1];
    return { pattern, format, suffix };
  }).find(({ suffix }) => suffix !== undefined);
  if (match === undefined)
    throw new QuoteFileFault(
      line,
      `${JSON.stringify(time.slice(0, 40))} is not a time such as 2025-03-03 14:05:00`,
    );
  const suffix = match.suffix ?? "";
  const stated = [offsetOf(suffix), own, offsetMinutes].filter((offset) => offset !== null);
  const [offset] = stated;
  if (offset === undefined)
    throw new QuoteFileFault(line, "its times have no zone: add --zone, such as --zone UTC or --zone -05:00");
  if (stated.some((other) => other !== offset))
    throw new QuoteFileFault(line, "the zone of its times is not that of its form, or of --zone");
  const pattern = `${match.pattern}${suffix.replace("+", "\\+")}`;
  return { layout: { pattern, format: `${match.format}${suffix}` }, offsetMinutes: offset };
}
