/** www.ecb.europa.eu/stats/eurofxref: the XML documents and the zipped CSV files. */

import { withoutTrailingZeros } from "#demo/print.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { zipOf } from "#demo/zip.ts";
import { COVERAGE_START, type Day, formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { ECB_CODES, ECB_CURRENCIES, type EcbSheet, ecbSheet, HISTORY_COLUMNS } from "./sheet.ts";

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
  "/stats/eurofxref/eurofxref-hist.xml": (sheet) => xml(sheet, sheet.days(), '"'),
  "/stats/eurofxref/eurofxref.zip": (sheet) => zipOf("eurofxref.csv", dailyCsv(sheet), savedAt(sheet)),
  "/stats/eurofxref/eurofxref-hist.zip": (sheet) =>
    zipOf("eurofxref-hist.csv", historyCsv(sheet), savedAt(sheet)),
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

/** One row under an English date; comma and space between, a trailing empty column, zeros kept. */
function dailyCsv(sheet: EcbSheet): string {
  const day = new Date(sheet.printedDay(sheet.newest) * MILLISECONDS_PER_DAY);
  const month = MONTHS[day.getUTCMonth()];
  const date = `${String(day.getUTCDate()).padStart(2, "0")} ${month} ${day.getUTCFullYear()}`;
  const rates = ECB_CURRENCIES.map((code) => sheet.printed(code, sheet.newest) ?? "N/A");
  return `${["Date", ...ECB_CURRENCIES].join(", ")}, \n${[date, ...rates].join(", ")}, \n`;
}

// biome-ignore format: six months a line
const MONTHS = [
  "January", "February", "March", "April", "May", "June",
  "July", "August", "September", "October", "November", "December",
];

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

/** The archive's own time stamp: 15:56 on the newest day, in Frankfurt wall time. */
function savedAt(sheet: EcbSheet): number {
  return sheet.newest * MILLISECONDS_PER_DAY + (15 * 60 + 56) * 60_000;
}
