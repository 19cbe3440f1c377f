/** HM Revenue & Customs' monthly file: published on the penultimate Thursday of the month before; several countries share a currency. */

import { officialSheet, type SimulatedTable } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, dayFrom, notFound } from "#demo/request.ts";
import { penultimateInMonth, periodEnd } from "#domain/history/periods.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import { unitsPerEuro } from "./market.ts";
import { dayNameYear } from "./tables.ts";

interface HmrcRow {
  readonly country: string;
  readonly countryCode: string;
  readonly currency: string;
  readonly code: string;
}

const TABLE = `
Abu Dhabi|DH|Dirham|AED
Australia|AU|Dollar|AUD
Bahrain|BH|Dinar|BHD
Barbados|BB|Dollar|BBD
Belize|BZ|Dollar|BZD
Benin|BJ|CFA Franc|XOF
Brazil|BR|Real|BRL
Brunei|BN|Dollar|BND
Cameroon|CM|CFA Franc|XAF
Canada|CA|Dollar|CAD
Chad|TD|CFA Franc|XAF
China|CN|Yuan|CNY
Czech Republic|CZ|Koruna|CZK
Denmark|DK|Krone|DKK
Dubai|DU|Dirham|AED
Ecuador|EC|Dollar|USD
El Salvador|SV|Dollar|USD
Eurozone|EU|Euro|EUR
Hong Kong|HK|Dollar|HKD
Hungary|HU|Forint|HUF
Iceland|IS|Krona|ISK
India|IN|Rupee|INR
Indonesia|ID|Rupiah|IDR
Israel|IL|Shekel|ILS
Japan|JP|Yen|JPY
Jordan|JO|Dinar|JOD
Liechtenstein|LI|Franc|CHF
Malaysia|MY|Ringgit|MYR
Mexico|MX|Mexican Peso|MXN
New Zealand|NZ|Dollar|NZD
Norway|NO|Krone|NOK
Oman|OM|Rial|OMR
Philippines|PH|Peso|PHP
Poland|PL|Zloty|PLN
Qatar|QA|Riyal|QAR
Romania|RO|New Leu|RON
Saudi Arabia|SA|Riyal|SAR
Senegal|SN|CFA Franc|XOF
Singapore|SG|Dollar|SGD
South Africa|ZA|Rand|ZAR
South Korea|KR|Won|KRW
Sweden|SE|Krona|SEK
Switzerland|CH|Franc|CHF
Taiwan|TW|Dollar|TWD
Thailand|TH|Baht|THB
Turkey|TR|Lira|TRY
USA|US|Dollar|USD
`;

const HMRC_ROWS: readonly HmrcRow[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [country = "", countryCode = "", currency = "", code = ""] = line.split("|");
    return { country, countryCode, currency, code };
  });

const THURSDAY = 4;
const DECIMALS = 4;

/** Its day is the one of publication; the market is that of the day before at noon. */
const HMRC_TABLE: SimulatedTable = {
  unitsPerEuro,
  id: "gbr_monthly",
  currency: "GBP",
  counts: "own",
  lines: HMRC_ROWS.map(({ code }) => ({ code, unit: 1, decimals: DECIMALS })),
  began: dayOf(2020, 12, 1) as Day,
  sixteenths: -1,
  marketDay: (day) => day - 1,
  isDay: (day) => day === penultimateInMonth(THURSDAY, day),
  // Ten o'clock in London.
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 11, 0),
};

/** One file under the three addresses by which it is or was known. */
const PATH = /^\/(?:api\/v2|uk\/api)\/exchange_rates\/files\/monthly_xml_(\d{4})-(\d{1,2})\.xml$/;

export function hmrc(request: DemoRequest): Answer {
  const [, year, month] = PATH.exec(request.url.pathname) ?? [];
  const first = dayFrom(year, month, "1");
  if (first === null) return notFound();
  const sheet = officialSheet(request, HMRC_TABLE);
  const [published] = sheet.days(penultimateInMonth(THURSDAY, first - 1), first - 1);
  if (published === undefined) return notFound();
  const printedFirst = first + sheet.printedDay(published) - published;
  const rows = HMRC_ROWS.map(({ country, countryCode, currency, code }) => {
    const rate = sheet.printed({ code, unit: 1, decimals: DECIMALS }, published);
    return `  <exchangeRate>
    <countryName>${country}</countryName>
    <countryCode>${countryCode}</countryCode>
    <currencyName>${currency}</currencyName>
    <currencyCode>${code}</currencyCode>
    <rateNew>${rate}</rateNew>
  </exchangeRate>
`;
  });
  const period = `${dayNameYear(printedFirst, "/")} to ${dayNameYear(periodEnd("1mo", printedFirst), "/")}`;
  return {
    contentType: "application/xml",
    body: () => `<?xml version="1.0" encoding="UTF-8"?>
<exchangeRateMonthList Period="${period}">
${rows.join("")}</exchangeRateMonthList>
`,
    lastModified: HMRC_TABLE.publishedAt(published),
  };
}
