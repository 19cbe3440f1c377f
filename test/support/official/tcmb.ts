/** www.tcmb.gov.tr: a numbered bulletin each working day at 15:30; other days have none. */

import { type Line, officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, dayFrom, dayMonthYear, notFound } from "#demo/request.ts";
import { type Day, dayOf, formatDay, MILLISECONDS_PER_DAY, yearOf } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf, numberIn } from "./tables.ts";

/** The bank's bid and ask, as shares of the market's mean; for notes a little less and more. */
const SHARES = { buying: 0.9991, selling: 1.0009, noteBuying: 0.9984, noteSelling: 1.0024 } as const;

const CODES = "USD AUD DKK EUR GBP CHF SEK CAD NOK SAR JPY RON CNY QAR KRW AED XDR";
/** Without a selling rate. */
const DRAWING_RIGHT = "XDR";

const TCMB_TABLE = dailyTable({
  id: "tur_indicative",
  currency: "TRY",
  lines: linesOf(CODES, 4, { JPY: 100 }),
  sixteenths: -1,
  began: dayOf(2005, 1, 3) as Day,
  isDay: isOpenDay,
  // Half past three in Istanbul, which has kept the same hour all year since 2016.
  publishedAt: (day) => day * MILLISECONDS_PER_DAY + 12.5 * 3_600_000,
});

const DATED = /^\/kurlar\/(\d{6})\/(\d{2})(\d{2})(\d{4})\.xml$/;

export function tcmb(request: DemoRequest): Answer {
  const { pathname } = request.url;
  const sheet = officialSheet(request, TCMB_TABLE);
  const [, folder, date, month, year] = DATED.exec(pathname) ?? [];
  const requested = pathname === "/kurlar/today.xml" ? sheet.newest : dayFrom(year, month, date);
  if (requested === null || (folder !== undefined && folder !== `${year}${month}`)) return notFound();
  const [day] = sheet.days(requested, requested);
  if (day === undefined) return notFound();
  const listed = sheet.printedDay(day);
  const [printedYear, printedMonth, printedDate] = formatDay(listed).split("-");
  const currencies = TCMB_TABLE.lines.map((line, order) =>
    currencyText(line, order, (share) => sheet.printed(line, day, share)),
  );
  const number = `${yearOf(listed)}/${numberIn(TCMB_TABLE, day)}`;
  return {
    contentType: "application/xml",
    lastModified: TCMB_TABLE.publishedAt(day),
    body: () => `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="isokur.xsl"?>
<Tarih_Date Tarih="${dayMonthYear(listed, ".")}" Date="${printedMonth}/${printedDate}/${printedYear}"  Bulten_No="${number}" >
${currencies.join("")}</Tarih_Date>
`,
  };
}

function currencyText({ code, unit }: Line, order: number, printed: (share: number) => string): string {
  const isWhole = code !== DRAWING_RIGHT;
  const whole = (share: number) => (isWhole ? printed(share) : "");
  return `	<Currency CrossOrder="${order}" Kod="${code}" CurrencyCode="${code}">
			<Unit>${unit}</Unit>
			<ForexBuying>${printed(SHARES.buying)}</ForexBuying>
			<ForexSelling>${whole(SHARES.selling)}</ForexSelling>
			<BanknoteBuying>${whole(SHARES.noteBuying)}</BanknoteBuying>
			<BanknoteSelling>${whole(SHARES.noteSelling)}</BanknoteSelling>
			<CrossRateUSD/>
			<CrossRateOther/>
	</Currency>
`;
}
