/** The Swiss customs' daily selling rates: made at night on working days, valid until the next ones. */

import { nextOpen, officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, dayFrom, dayMonthYear, notFound } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf } from "./tables.ts";

/** The banks' ask is above the mean of the market. */
const SELLING = 1.004;
const CODES =
  "AED AUD BRL CAD CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SAR SEK SGD THB TRY TWD USD XDR ZAR";
const UNITS = {
  ...{ CZK: 100, DKK: 100, INR: 100, ISK: 100, JPY: 100, NOK: 100, PHP: 100, SEK: 100, THB: 100, TWD: 100 },
  ...{ HUF: 1000, IDR: 1000, KRW: 1000 },
};

/** Of the evening before: seven hours after 14:15. */
const BAZG_TABLE = dailyTable({
  id: "che_daily",
  currency: "CHF",
  lines: linesOf(CODES, 5, UNITS),
  sixteenths: -11,
  isDay: isOpenDay,
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 4, 5),
});

export function bazg(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== "/api/xmldaily") return notFound();
  const sheet = officialSheet(request, BAZG_TABLE);
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(searchParams.get("d") ?? "") ?? [];
  const requested = searchParams.get("d") === null ? sheet.newest : dayFrom(year, month, date);
  if (requested === null || requested > request.now / MILLISECONDS_PER_DAY + 1) return notFound();
  // A day without a document is answered with the one before it.
  const day = sheet.days(requested - 14, requested).at(-1);
  if (day === undefined) return notFound();
  const shift = sheet.printedDay(day) - day;
  const validity: string[] = [];
  for (let valid = day + 1; valid <= nextOpen(isOpenDay, day); valid++) {
    validity.push(dayMonthYear(valid + shift, "."));
  }
  const rates = BAZG_TABLE.lines.map(
    (line) => `  <devise code="${line.code.toLowerCase()}">
    <land_en>${line.code}</land_en>
    <waehrung>${line.unit} ${line.code}</waehrung>
    <kurs>${sheet.printed(line, day, SELLING)}</kurs>
  </devise>
`,
  );
  return {
    contentType: "text/xml;charset=UTF-8",
    body: () => `<?xml version="1.0" encoding="UTF-8"?>
<wechselkurse xmlns="https://www.backend-rates.bazg.admin.ch/xmldaily">
  <datum>${dayMonthYear(day + shift, ".")}</datum>
  <zeit>03:05:01</zeit>
  <gueltigkeit>${validity.join(",")}</gueltigkeit>
${rates.join("")}</wechselkurse>
`,
  };
}
