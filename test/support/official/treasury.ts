/** The US Treasury's reporting rates through Fiscal Data: a report a quarter, and amendments in between of rates that moved by a tenth. */

import { nextOpen, type OfficialSheet, officialSheet, type SimulatedTable } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json, notFound } from "#demo/request.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, firstDayOfMonth, formatDay, parseDay } from "#domain/time/day.ts";
import { unitsPerEuro } from "./market.ts";
import { isOpenDay } from "./tables.ts";

/** Country and its money as the report calls them, and the currency that this is. */
const COUNTRIES = `
Australia-Dollar AUD
Bahrain-Dinar BHD
Cameroon-CFA Franc XAF
Canada-Dollar CAD
Czech Republic-Koruna CZK
Ecuador-Dolares USD
Euro Zone-Euro EUR
Gabon-CFA Franc XAF
India-Rupee INR
Japan-Yen JPY
Kosovo-Euro EUR
Mexico-Peso MXN
Switzerland-Franc CHF
Turkey-New Lira TRY
United Kingdom-Pound GBP
`
  .trim()
  .split("\n")
  .map((text) => ({ name: text.slice(0, -4), line: { code: text.slice(-3), unit: 1, decimals: 3 } }));

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

const PATH = "/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
const FILTER = /^record_date:gte:([\d-]+),record_date:lte:([\d-]+)$/;

/** The reports of a window, on one page; all values are texts. */
export function treasury(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== PATH) return notFound();
  const [, first = "", last = ""] = FILTER.exec(searchParams.get("filter") ?? "") ?? [];
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null || to === null)
    return json('{"error":"Invalid Query Param","message":"filter is not valid"}', 400);
  const sheet = officialSheet(request, TREASURY_TABLE);
  const quarters = sheet.days(BEGAN, sheet.newest).filter((quarter) => {
    const recorded = sheet.printedDay(quarter);
    return recorded >= from && recorded <= to;
  });
  const data = quarters.flatMap((quarter) => reportOf(request, sheet, quarter));
  return json(JSON.stringify({ data, meta: { "total-count": data.length, "total-pages": 1 } }));
}

function reportOf(request: DemoRequest, sheet: OfficialSheet, quarter: Day) {
  const shift = sheet.printedDay(quarter) - quarter;
  return COUNTRIES.flatMap(({ name, line }) => {
    const entry = (effective: Day, rate: string) => ({
      record_date: formatDay(quarter + shift),
      country_currency_desc: name,
      exchange_rate: rate,
      effective_date: formatDay(effective + shift),
    });
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
  return atWallTime("America/New_York", nextOpen(isOpenDay, monthEnd), 10, 0);
}

/** It is asked of every day since the first report: the date is made a text of for a month's end alone. */
function isQuarterEnd(day: Day): boolean {
  const isMonthEnd = firstDayOfMonth(day + 1) === day + 1;
  return isMonthEnd && ["03", "06", "09", "12"].includes(formatDay(day).slice(5, 7));
}
