/** api.nbp.pl: tables A and C (working days) and B (Wednesdays) with their numbers; at most 93 days a call, 404 where there is none. */

import {
  type Line,
  type OfficialSheet,
  officialSheet,
  openBefore,
  type SimulatedTable,
} from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json, notFound } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, formatDay, parseDay, weekdayOf, yearOf } from "#domain/time/day.ts";
import { isPolishDay } from "./calendars.ts";
import { dailyTable, numberIn } from "./tables.ts";

interface NamedLine extends Line {
  readonly name: string;
}

const NBP_A_LINES: readonly NamedLine[] = linesOf(`
THB 4 bat (Tajlandia)
USD 4 dolar amerykański
AUD 4 dolar australijski
HKD 4 dolar Hongkongu
CAD 4 dolar kanadyjski
NZD 4 dolar nowozelandzki
SGD 4 dolar singapurski
EUR 4 euro
HUF 6 forint (Węgry)
CHF 4 frank szwajcarski
GBP 4 funt szterling
JPY 6 jen (Japonia)
CZK 4 korona czeska
DKK 4 korona duńska
ISK 6 korona islandzka
NOK 4 korona norweska
SEK 4 korona szwedzka
RON 4 lej rumuński
TRY 4 lira turecka
ILS 4 nowy izraelski szekel
PHP 4 peso filipińskie
MXN 4 peso meksykańskie
ZAR 4 rand (Republika Południowej Afryki)
BRL 4 real (Brazylia)
MYR 4 ringgit (Malezja)
IDR 8 rupia indonezyjska
INR 6 rupia indyjska
KRW 6 won południowokoreański
CNY 4 yuan renminbi (Chiny)
XDR 4 SDR (MFW)
`);

const NBP_B_LINES: readonly NamedLine[] = linesOf(`
PAB 4 balboa (Panama)
XCD 4 dolar wschodniokaraibski
BSD 4 dolar bahamski
BBD 4 dolar barbadoski
BZD 4 dolar belizeński
BND 4 dolar Brunei
NAD 4 dolar namibijski
MKD 6 denar (Macedonia Północna)
BHD 4 dinar (Bahrajn)
JOD 4 dinar (Jordania)
AED 4 dirham ZEA (Zjednoczone Emiraty Arabskie)
STN 4 dobra (Wyspy Świętego Tomasza i Książęca)
CVE 4 escudo (Wyspy Zielonego Przylądka)
AWG 4 florin arubański
DJF 6 frank Dżibuti
XOF 6 frank CFA BCEAO
XAF 6 frank CFA BEAC
SZL 4 lilangeni (Eswatini)
MOP 4 pataca (Makau)
OMR 4 rial (Oman)
QAR 4 rial katarski
SAR 4 rial saudyjski
TWD 4 nowy dolar tajwański
BAM 4 wymienialna marka (Bośnia i Hercegowina)
`);

/** Table C has these of table A. */
const NBP_C_CODES = "USD AUD CAD EUR HUF CHF GBP JPY CZK DKK NOK SEK XDR".split(" ");
const NBP_C_LINES = NBP_A_LINES.filter(({ code }) => NBP_C_CODES.includes(code));

/** `code digits name` a line, each for one unit. */
function linesOf(table: string): readonly NamedLine[] {
  return table
    .trim()
    .split("\n")
    .map((line) => ({ code: line.slice(0, 3), unit: 1, decimals: Number(line[4]), name: line.slice(6) }));
}

/** The archive begins. */
const BEGAN = dayOf(2002, 1, 2) as Day;
const MOST_DAYS = 93;

const TABLE_A = tableOf("pol_a", NBP_A_LINES, isPolishDay);
const TABLE_B = tableOf("pol_b", NBP_B_LINES, isWeekly);
/** Published at eight in the morning, with the bank's bid and ask. */
const TABLE_C = tableOf("pol_c", NBP_C_LINES, isPolishDay, 8);
const SHARES = { bid: 0.99, ask: 1.01 } as const;
function tableOf(
  id: string,
  lines: readonly NamedLine[],
  isDay: (day: Day) => boolean,
  hour = 12,
): SimulatedTable & { readonly lines: readonly NamedLine[] } {
  // Of the market an hour or more before: earlier than 14:15 in Frankfurt, in the same zone.
  const publishedAt = (day: Day) => atWallTime("Europe/Berlin", day, hour, 0);
  const table = {
    id,
    currency: "PLN",
    lines,
    sixteenths: hour === 12 ? -2 : -5,
    began: BEGAN,
    isDay,
    publishedAt,
  } as const;
  return { ...dailyTable(table), lines };
}

/** Wednesday, or the first working day after one that is none. */
function isWeekly(day: Day): boolean {
  let weekly = day - ((weekdayOf(day) + 4) % 7);
  while (!isPolishDay(weekly)) weekly++;
  return day === weekly;
}

const PATH = /^\/api\/exchangerates\/tables\/([A-Ca-c])\/(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2})\/?$/;

export function nbp(request: DemoRequest): Answer {
  const [, letter = "", first = "", last = ""] = PATH.exec(request.url.pathname) ?? [];
  if (letter === "") return notFound();
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null || to === null || from > to) {
    return plain(400, "400 BadRequest - Błędny zakres dat / Invalid date range");
  }
  if (to - from >= MOST_DAYS) {
    return plain(400, "400 BadRequest - Przekroczony limit 93 dni / Limit of 93 days has been exceeded");
  }
  const table = { A: TABLE_A, B: TABLE_B, C: TABLE_C }[letter.toUpperCase()] ?? TABLE_A;
  const sheet = officialSheet(request, table);
  const days = sheet.days(from, to);
  if (days.length === 0) return plain(404, "404 NotFound - Not Found - Brak danych");
  return json(`[${days.map((day) => tableText(sheet, table, letter.toUpperCase(), day)).join(",")}]`);
}

function tableText(
  sheet: OfficialSheet,
  table: { readonly lines: readonly NamedLine[] } & SimulatedTable,
  letter: string,
  day: Day,
): string {
  const number = `${String(numberIn(table, day)).padStart(3, "0")}/${letter}/NBP/${yearOf(day)}`;
  const isSpread = letter === "C";
  const rates = table.lines.map((line) => {
    const of = (share: number) => sheet.printed(line, day, share);
    const figures = isSpread ? `"bid":${of(SHARES.bid)},"ask":${of(SHARES.ask)}` : `"mid":${of(1)}`;
    return `{"currency":"${line.name}","code":"${line.code}",${figures}}`;
  });
  const date = formatDay(sheet.printedDay(day));
  const trading = isSpread ? `"tradingDate":"${formatDay(openBefore(isPolishDay, day))}",` : "";
  return `{"table":"${letter}","no":"${number}",${trading}"effectiveDate":"${date}","rates":[${rates.join(",")}]}`;
}

function plain(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", body: () => text };
}
