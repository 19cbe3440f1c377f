/** The lines of the simulated Treasury reports: all countries at the end of a quarter, and later those whose rate moved by a tenth. */

import { nextOpen, type OfficialSheet, officialSheet, type SimulatedTable } from "#demo/official-sheet.ts";
import type { DemoRequest } from "#demo/request.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, firstDayOfMonth, formatDay } from "#domain/time/day.ts";
import { isAmericanDay } from "./calendars.ts";
import { unitsPerEuro } from "./market.ts";

export interface TreasuryEntry {
  readonly country: string;
  readonly currency: string;
  /** The end of the quarter whose report it is. */
  readonly recorded: Day;
  /** The same, or the end of a later month in which the rate was amended. */
  readonly effective: Day;
  /** Units for a dollar. */
  readonly rate: string;
}

/** Country, its money as the report calls it, and the currency that this is. */
const COUNTRIES = `
Australia|Dollar|AUD
Bahrain|Dinar|BHD
Barbados|Dollar|BBD
Brazil|Real|BRL
Brunei|Dollar|BND
Cameroon|CFA Franc|XAF
Canada|Dollar|CAD
China|Renminbi|CNY
Czech Republic|Koruna|CZK
Denmark|Krone|DKK
Ecuador|Dolares|USD
Euro Zone|Euro|EUR
Gabon|CFA Franc|XAF
Hong Kong|Dollar|HKD
Hungary|Forint|HUF
Iceland|Krona|ISK
India|Rupee|INR
Indonesia|Rupiah|IDR
Israel|Shekel|ILS
Japan|Yen|JPY
Jordan|Dinar|JOD
Korea|Won|KRW
Kosovo|Euro|EUR
Malaysia|Ringgit|MYR
Mali|CFA Franc|XOF
Mexico|Peso|MXN
New Zealand|Dollar|NZD
Norway|Krone|NOK
Philippines|Peso|PHP
Poland|Zloty|PLN
Romania|New Leu|RON
Saudi Arabia|Riyal|SAR
Senegal|CFA Franc|XOF
Singapore|Dollar|SGD
South Africa|Rand|ZAR
Sweden|Krona|SEK
Switzerland|Franc|CHF
Taiwan|Dollar|TWD
Thailand|Baht|THB
Turkey|New Lira|TRY
United Arab Emirates|Dirham|AED
United Kingdom|Pound|GBP
`
  .trim()
  .split("\n")
  .map((line) => {
    const [country = "", currency = "", code = ""] = line.split("|");
    return { country, currency, line: { code, unit: 1, decimals: 3 } };
  });

/** A move from which on a rate is amended. */
const AMENDED_FROM = 0.1;
const BEGAN = dayOf(2001, 3, 31) as Day;

/** Months' ends, of which every third is a report; out on the first working morning of the month after. */
const TREASURY_TABLE: SimulatedTable = {
  unitsPerEuro,
  id: "usa_treasury",
  currency: "USD",
  counts: "own",
  lines: COUNTRIES.map(({ line }) => line),
  began: BEGAN,
  sixteenths: 3,
  isDay: isQuarterEnd,
  publishedAt,
};

/** Every line that is out of the reports that are wanted, by report and country. */
export function treasuryEntries(request: DemoRequest, isWanted: (recorded: Day) => boolean): TreasuryEntry[] {
  const sheet = officialSheet(request, TREASURY_TABLE);
  const quarters = sheet.days(BEGAN, sheet.newest).filter((quarter) => isWanted(sheet.printedDay(quarter)));
  return quarters.flatMap((quarter) => reportOf(request, sheet, quarter));
}

function reportOf(request: DemoRequest, sheet: OfficialSheet, quarter: Day): TreasuryEntry[] {
  const shift = sheet.printedDay(quarter) - quarter;
  return COUNTRIES.flatMap(({ country, currency, line }) => {
    const entry = (effective: Day, rate: string): TreasuryEntry => {
      return { country, currency, recorded: quarter + shift, effective: effective + shift, rate };
    };
    const entries = [entry(quarter, sheet.printed(line, quarter))];
    // A value before a fault of this quarter is no reason to amend; the market's move is.
    let inForce = Number(sheet.printed(line, quarter));
    let month = quarter;
    for (let nth = 0; nth < 2; nth++) {
      month = periodEnd("1mo", month + 1);
      if (publishedAt(month) > request.now) break;
      const rate = sheet.printed(line, month);
      if (Math.abs(Number(rate) / inForce - 1) < AMENDED_FROM) continue;
      inForce = Number(rate);
      entries.push(entry(month, rate));
    }
    return entries;
  });
}

function publishedAt(monthEnd: Day): number {
  return atWallTime("America/New_York", nextOpen(isAmericanDay, monthEnd), 10, 0);
}

/** It is asked of every day since the first report: the date is made a text of for a month's end alone. */
function isQuarterEnd(day: Day): boolean {
  const isMonthEnd = firstDayOfMonth(day + 1) === day + 1;
  return isMonthEnd && ["03", "06", "09", "12"].includes(formatDay(day).slice(5, 7));
}
