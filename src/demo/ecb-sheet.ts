/** The euro reference rates that are visible at one moment: columns, first days, gaps, printed digits, faults. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, parseDay } from "#domain/time/day.ts";
import { ecbLoadedAt, ecbPublishedAt, newestEcbDay } from "./publication.ts";
import { type DemoRequest, type Printing, TRUE_FIGURES } from "./request.ts";

/** In the order of the daily document. */
// biome-ignore format: ten codes a line read as a table
export const ECB_CURRENCIES = [
  "USD", "JPY", "CZK", "DKK", "GBP", "HUF", "PLN", "RON", "SEK", "CHF",
  "ISK", "NOK", "TRY", "AUD", "BRL", "CAD", "CNY", "HKD", "IDR", "ILS",
  "INR", "KRW", "MXN", "MYR", "NZD", "PHP", "SGD", "THB", "ZAR",
] as const satisfies readonly CurrencyCode[];

/** Columns of the history file, retired currencies included; only the lev has values here. */
export const HISTORY_COLUMNS: readonly string[] = (
  "USD,JPY,BGN,CYP,CZK,DKK,EEK,GBP,HUF,LTL,LVL,MTL,PLN,ROL,RON,SEK,SIT,SKK,CHF,ISK,NOK,HRK,RUB,TRL,TRY," +
  "AUD,BRL,CAD,CNY,HKD,IDR,ILS,INR,KRW,MXN,MYR,NZD,PHP,SGD,THB,ZAR"
).split(",");

const FIRST_DAYS: Partial<Record<CurrencyCode, string>> = {
  RON: "2005-07-01",
  TRY: "2005-01-03",
  CNY: "2005-04-01",
  IDR: "2005-04-01",
  MYR: "2005-04-01",
  PHP: "2005-04-01",
  THB: "2005-04-01",
  BRL: "2008-01-02",
  MXN: "2008-01-02",
  INR: "2009-01-02",
  ILS: "2011-01-03",
};
const FIRST = new Map(
  ECB_CURRENCIES.map((code) => [code as string, parseDay(FIRST_DAYS[code] ?? "1999-01-04")]),
);
/** The lev, which is outside the catalog: the same figure on every day until Bulgaria had the euro. */
const LEV = {
  code: "BGN",
  printed: "1.9558",
  from: parseDay("2000-07-19") as Day,
  to: parseDay("2025-12-31") as Day,
} as const;

export const ECB_CODES: readonly string[] = ["USD", "JPY", LEV.code, ...ECB_CURRENCIES.slice(2)];

const ICELAND_STOPS = parseDay("2008-12-10") as Day;
const ICELAND_RETURNS = parseDay("2018-02-01") as Day;

const DECIMALS: Partial<Record<CurrencyCode, number>> = {
  GBP: 5,
  CZK: 3,
  PHP: 3,
  THB: 3,
  JPY: 2,
  HUF: 2,
  ISK: 2,
  IDR: 2,
  KRW: 2,
};

function ecbDecimals(code: CurrencyCode): number {
  return DECIMALS[code] ?? 4;
}

export type EcbSheet = ReturnType<typeof ecbSheet>;

export function ecbSheet({ world, now, printing }: DemoRequest) {
  const newest = newestEcbDay(now);
  const { real } = world;
  const isReal = (day: Day) => real !== null && day <= real.lastDay;

  return {
    newest,
    changedAt: ecbPublishedAt(newest),
    /** Visible TARGET days from `from` on, newest first. */
    days(from: Day = COVERAGE_START): Day[] {
      const days: Day[] = [];
      const publishedOn = new Set(real?.days);
      for (let day = newest; day >= from; day--)
        if (isReal(day) ? publishedOn.has(day) : isTargetDay(day)) days.push(day);
      return days;
    },
    /** Whether a day is in the real history, which does not say when figures were loaded. */
    isReal,
    printedDay: (day: Day) => printing.day(day, newest),
    /** The digits visible now, trailing zeros kept; null where the ECB has no figure. */
    printed(code: string, day: Day): string | null {
      return figure(code, day, printing);
    },
    /** Every version of a day's figure loaded so far, oldest first; the last one has the digits visible now. */
    versions(code: string, day: Day) {
      const correctedAt = printing.correctedAt(code, day);
      const text = figure(code, day, correctedAt === null ? printing : TRUE_FIGURES);
      if (text === null) return [];
      const first = { printed: text, loadedAt: ecbLoadedAt(day) };
      if (correctedAt === null) return [first];
      return [first, { printed: figure(code, day, printing) as string, loadedAt: correctedAt }];
    },
  };

  function figure(code: string, day: Day, { value }: Printing): string | null {
    if (code === LEV.code) return day >= LEV.from && day <= LEV.to ? LEV.printed : null;
    if (real !== null && isReal(day)) return withZeros(real.printed(code, day), code);
    const first = FIRST.get(code);
    if (first === undefined || first === null || day < first) return null;
    if (code === "ISK" && day >= ICELAND_STOPS && day < ICELAND_RETURNS) return null;
    const currency = code as CurrencyCode;
    return value([code], day, newest, world.perEuro(currency, day)).toFixed(ecbDecimals(currency));
  }
}

/** Restores the zeros at the end: the CSV leaves them out, the other documents have them. */
function withZeros(printed: string | null, code: string): string | null {
  if (printed === null) return null;
  const [whole = "", fraction = ""] = printed.split(".");
  return `${whole}.${fraction.padEnd(ecbDecimals(code as CurrencyCode), "0")}`;
}
