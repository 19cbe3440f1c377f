/** curs.bnr.ro: the reference rates of a year, and of the last ten working days, as XML without line breaks. */

import { officialSheet, type SimulatedTable } from "#demo/mexico.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";

const CODES =
  "AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN SEK SGD THB TRY USD XAU XDR ZAR";
/** Counted by a hundred. */
const HUNDREDS = ["HUF", "IDR", "ISK", "JPY", "KRW"];
/** Currencies outside the catalog, in dollars: dirhams, grams of gold. */
const PER_DOLLAR: Readonly<Record<string, number>> = { AED: 3.6725, XAU: 0.0075 };
/** What is in a special drawing right, units of each currency. */
const DRAWING_RIGHT = { USD: 0.57813, EUR: 0.37379, CNY: 1.0993, JPY: 13.452, GBP: 0.08087 } as const;

const BNR_TABLE: SimulatedTable = {
  began: dayOf(2005, 7, 1) as Day,
  isDay: (day) =>
    weekdayOf(day) % 6 !== 0 && !["01-01", "05-01", "12-25", "12-26"].includes(formatDay(day).slice(5)),
  // 13:00 in Bucharest.
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 12, 0),
};

export function bnr(request: DemoRequest): Answer {
  const { pathname } = request.url;
  const sheet = officialSheet(request, BNR_TABLE);
  const answer = (days: readonly Day[]): Answer => ({
    contentType: "application/xml",
    body: () => document(request, days),
    lastModified: BNR_TABLE.publishedAt(sheet.newest),
  });
  if (pathname === "/nbrfxrates.xml") return answer([sheet.newest]);
  if (pathname === "/nbrfxrates10days.xml")
    return answer(sheet.days(sheet.newest - 30, sheet.newest).slice(-10));
  const year = /^\/files\/xml\/years\/nbrfxrates(\d{4})\.xml$/.exec(pathname)?.[1];
  const first = year === undefined ? null : dayOf(Number(year), 1, 1);
  if (first === null || first > request.now / MILLISECONDS_PER_DAY || Number(year) < 2005) return notFound();
  return answer(sheet.days(first, dayOf(Number(year), 12, 31) as Day));
}

/** Units of a code per euro two hours before the market's day begins, at 14:15 in Frankfurt. */
function perEuro(code: string, day: Day, { world }: DemoRequest): number {
  const before = weekdayOf(day) === 1 ? day - 3 : day - 1;
  const listed = (one: CurrencyCode) => world.perEuro(one, before, 14 / 16);
  if (code === "XDR") {
    const parts = Object.entries(DRAWING_RIGHT) as [CurrencyCode, number][];
    return 1 / parts.reduce((euros, [part, units]) => euros + units / listed(part), 0);
  }
  const perDollar = PER_DOLLAR[code];
  if (perDollar !== undefined) return listed("USD") * perDollar;
  if (!(CURRENCY_CODES as readonly string[]).includes(code)) throw new TypeError(`no ${code} here`);
  return listed(code as CurrencyCode);
}

function document(request: DemoRequest, days: readonly Day[]): string {
  const sheet = officialSheet(request, BNR_TABLE);
  const cubes = days.map((day) => {
    const rates = CODES.split(" ").map((code) => {
      const [unit, multiplier] = HUNDREDS.includes(code) ? [100, ' multiplier="100"'] : [1, ""];
      const value = (perEuro("RON", day, request) / perEuro(code, day, request)) * unit;
      return `<Rate currency="${code}"${multiplier}>${sheet.printed(code, day, value)}</Rate>`;
    });
    return `<Cube date="${formatDay(sheet.printedDay(day))}">${rates.join("")}</Cube>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd" xmlns:xsi="https://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="https://curs.bnr.ro/xsd/nbrfxrates.xsd"><Header><Publisher>National Bank of Romania</Publisher><PublishingDate>${formatDay(sheet.newest)}</PublishingDate><MessageType>DR</MessageType></Header><Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>${cubes.join("")}</Body></DataSet>
`;
}
