/**
 * The ECB: its reference rates that are visible at one moment, and its documents, XML and zipped CSV of www.ecb.europa.eu, and the
 * SDMX-CSV of data-api.ecb.europa.eu. Nothing is visible before its real hour.
 */

import { crc32, deflateRawSync } from "node:zlib";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { atWallTime, dayInZone, isTargetDay, zoneOffset } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, formatDay, type Instant, parseDay } from "#domain/time/day.ts";
import {
  type Answer,
  type DemoRequest,
  notFound,
  type Printing,
  TRUE_FIGURES,
  withoutTrailingZeros,
} from "./request.ts";

export function ecbDaily(request: DemoRequest): Answer {
  const document = DOCUMENTS[request.url.pathname];
  if (document === undefined) return notFound();
  const sheet = ecbSheet(request);
  const contentType = request.url.pathname.endsWith(".zip") ? "application/zip" : "text/xml";
  return { contentType, body: () => document(sheet), lastModified: sheet.changedAt };
}

const DOCUMENTS: Record<string, (sheet: EcbSheet) => string | Uint8Array<ArrayBuffer>> = {
  "/stats/eurofxref/eurofxref-daily.xml": (sheet) => xml(sheet, [sheet.newest], "'"),
  "/stats/eurofxref/eurofxref-hist-90d.xml": (sheet) => xml(sheet, sheet.days(sheet.newest - 89), '"'),
  "/stats/eurofxref/eurofxref-hist.zip": (sheet) => zipOf("eurofxref-hist.csv", historyCsv(sheet)),
};

/** The daily document has single quotes around attributes, the longer ones have double quotes. */
function xml(sheet: EcbSheet, days: readonly Day[], quote: "'" | '"'): string {
  const q = quote;
  const cubes = days.map((day) => {
    const rates = ECB_CODES.map((code) => {
      const printed = sheet.printed(code, day);
      return printed === null ? "" : `\t\t\t<Cube currency=${q}${code}${q} rate=${q}${printed}${q}/>\n`;
    });
    return `\t\t<Cube time=${q}${formatDay(sheet.printedDay(day))}${q}>\n${rates.join("")}\t\t</Cube>\n`;
  });
  return `${ENVELOPE}\t<Cube>\n${cubes.join("")}\t</Cube>\n</gesmes:Envelope>`;
}

const ENVELOPE = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
`;

/** Newest first, ISO dates, `N/A` where there is nothing, zeros stripped, a trailing empty column. */
function historyCsv(sheet: EcbSheet): string {
  const lines = [`Date,${HISTORY_COLUMNS.join(",")},\n`];
  for (const day of sheet.days(COVERAGE_START)) {
    let line = formatDay(sheet.printedDay(day));
    for (const column of HISTORY_COLUMNS) {
      const printed = sheet.printed(column, day);
      line += printed === null ? ",N/A" : `,${withoutTrailingZeros(printed)}`;
    }
    lines.push(`${line},\n`);
  }
  return lines.join("");
}

const ALL_SERIES = "/service/data/EXR/D..EUR.SP00.A";

/** Every version of each figure of a period, with its load: the only document that is requested of this host. */
export function ecbSdmx(request: DemoRequest): Answer {
  const of = (name: string) => request.url.searchParams.get(name);
  const from = parseDay(of("startPeriod") ?? formatDay(COVERAGE_START));
  const to = parseDay(of("endPeriod") ?? "9999-12-31");
  if (request.url.pathname !== ALL_SERIES || from === null || to === null) return notFound();
  const sheet = ecbSheet(request);
  const rows = [...ECB_CURRENCIES].sort().flatMap((code) => rowsOf(sheet, code, [from, to]));
  if (rows.length === 0) return notFound();
  return {
    contentType: "application/vnd.sdmx.data+csv;version=1.0.0",
    body: () => `${COLUMNS}\n${rows.join("")}`,
    lastModified: sheet.changedAt,
  };
}

/** Oldest first; the versions of a day in the order of their load. */
function rowsOf(sheet: EcbSheet, code: CurrencyCode, [from, to]: readonly [Day, Day]): readonly string[] {
  const days = sheet.days(from).reverse();
  return days.flatMap((day) => {
    const printedOn = sheet.printedDay(day);
    if (printedOn > to) return [];
    const start = `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,${formatDay(printedOn)}`;
    return sheet.versions(code, day).map(({ printed, loadedAt }) => {
      const loaded = sheet.isReal(day) ? "" : frankfurtText(loadedAt);
      return `${start},${withoutTrailingZeros(printed)},Replace,${loaded},\n`;
    });
  });
}

const COLUMNS =
  "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,ACTION,VALID_FROM,VALID_TO";

/** The fastest level that still makes an archive as small as the real one. */
const LEVEL = 4;

/** Local header, data, central directory, end record. */
export function zipOf(name: string, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const compressed = deflateRawSync(bytes, { level: LEVEL });
  const path = Buffer.from(name);
  // Fields that local header and directory share: version needed … extra length.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(crc32(bytes), 10);
  shared.writeUInt32LE(compressed.length, 14);
  shared.writeUInt32LE(bytes.length, 18);
  shared.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, path, compressed]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), shared, Buffer.alloc(14), path]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return new Uint8Array(Buffer.concat([local, central, end]));
}

/** In the order of the daily document. */
// biome-ignore format: ten codes a line read as a table
const ECB_CURRENCIES = [
  "USD", "JPY", "CZK", "DKK", "GBP", "HUF", "PLN", "RON", "SEK", "CHF",
  "ISK", "NOK", "TRY", "AUD", "BRL", "CAD", "CNY", "HKD", "IDR", "ILS",
  "INR", "KRW", "MXN", "MYR", "NZD", "PHP", "SGD", "THB", "ZAR",
] as const satisfies readonly CurrencyCode[];

/** Columns of the history file, retired currencies included; only the lev has values here. */
const HISTORY_COLUMNS: readonly string[] = (
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

const ECB_CODES: readonly string[] = ["USD", "JPY", LEV.code, ...ECB_CURRENCIES.slice(2)];

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

type EcbSheet = ReturnType<typeof ecbSheet>;

function ecbSheet({ world, now, printing }: DemoRequest) {
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

/** The newest TARGET day with published reference rates: 16:00 Frankfurt on the day. */
function newestEcbDay(now: Instant): Day {
  const today = dayInZone("Europe/Berlin", now);
  return targetDayUpTo(now < ecbPublishedAt(today) ? today - 1 : today);
}

export function ecbPublishedAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", day, 16, 0);
}

/** The load time that the statistical interface has for a day's figures, a few minutes before they are published. */
function ecbLoadedAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", day, 15, 57) + 1_000;
}

function targetDayUpTo(day: Day): Day {
  let last = day;
  while (!isTargetDay(last)) last--;
  return last;
}

/** `2024-01-02T15:57:01.000+01:00`: a Frankfurt instant of a day as the statistical interface writes it. */
export function frankfurtText(instant: Instant): string {
  const offset = zoneOffset("Europe/Berlin", instant);
  return `${new Date(instant + offset).toISOString().slice(0, 23)}+0${offset / 3_600_000}:00`;
}
