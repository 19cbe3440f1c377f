/** The documents of the ECB: XML and zipped CSV of www.ecb.europa.eu, and the SDMX-CSV of data-api.ecb.europa.eu. */

import { crc32, deflateRawSync } from "node:zlib";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { ECB_CODES, ECB_CURRENCIES, type EcbSheet, ecbSheet, HISTORY_COLUMNS } from "./ecb-sheet.ts";
import { frankfurtText } from "./publication.ts";
import { type Answer, type DemoRequest, notFound, withoutTrailingZeros } from "./request.ts";

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
