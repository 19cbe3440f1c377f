/**
 * The ECB's reference rates as its files have them: every currency of every day, also those outside the catalogue or
 * withdrawn.
 */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { orderedRows } from "#domain/official/versions.ts";
import { type Day, formatDay, parseDay, weekdayOf } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { readCsv } from "#sources/csv.ts";
import { ecbCurrency, ecbFigure } from "#sources/ecb/figure.ts";
import { readCode, readRate, readTableDay, type Span } from "#sources/official/reading.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementOf, elementsOf, readElements, type XmlElement } from "#sources/xml.ts";
import { readZipEntry } from "#sources/zip.ts";

const ENTRY = "eurofxref-hist.csv";
/** Sixteen times today's size. */
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;
const NO_RATE = new Set(["", "N/A"]);
const ZONE = { zone: "Europe/Berlin" };

/** The rates of one day, all of 1 EUR; at least one. */
export interface EuroDay {
  readonly date: Day;
  readonly rows: readonly OfficialRow[];
}

/**
 * The days of a document that lie in `span`, both ends included, ascending, each once: of the zip where it is one, else of
 * the XML. The zip has seven thousand days, so figures outside the span are not read. Throws BrokenDocument.
 */
export function readEcbDays(document: UpstreamDocument, span: Span): readonly EuroDay[] {
  const days = document.url.endsWith(".zip") ? zipDays(document, span) : xmlDays(document);
  const sorted = days
    .filter(({ date, rows }) => rows.length > 0 && isWithin(span, date))
    .sort((a, b) => a.date - b.date);
  for (const [nth, { date }] of sorted.entries()) {
    if (date === sorted[nth - 1]?.date) throw new BrokenDocument(`ECB: ${formatDay(date)} is there twice`);
  }
  return sorted.map(({ date, rows }) => ({ date, rows: orderedRows(rows) }));
}

function isWithin({ from, to }: Span, date: Day): boolean {
  return date >= from && date <= to;
}

function zipDays(document: UpstreamDocument, span: Span): EuroDay[] {
  const what = "ECB history CSV";
  const csv = readZipEntry(document.bytes, ENTRY, MOST_UNPACKED_BYTES);
  const { header, rows } = readCsv(decodeText(csv, what), what);
  const codes = header.slice(1, header.at(-1) === "" ? -1 : undefined);
  if (header[0] !== "Date" || !codes.includes("USD")) {
    throw new BrokenDocument(`${what}: unknown header ${quoted(header.join(","))}`);
  }
  for (const code of codes) readCode(code, what);
  return rows.flatMap(([printed = "", ...cells]) => {
    const date = readDate(printed, document, what);
    if (!isWithin(span, date)) return [];
    const read = codes.flatMap((code, column) => rowOf(code, cells[column] ?? "", printed, what));
    return [withZeros({ date, rows: read })];
  });
}

/** The zip leaves out zeros at the end that the ECB prints; for currencies of the catalog it is known how many. */
function withZeros({ date, rows }: EuroDay): EuroDay {
  const printed = rows.map((row) => {
    const code = ecbCurrency(row.quote);
    if (code === null) return row;
    const { decimals } = ecbFigure(date, code, row.rate, null);
    const [whole = "", fraction = ""] = row.rate.split(".");
    return { ...row, rate: `${whole}.${fraction.padEnd(decimals, "0")}` };
  });
  return { date, rows: printed };
}

function xmlDays(document: UpstreamDocument): EuroDay[] {
  const what = "ECB XML";
  const envelope = readElements(decodeText(document.bytes, what), what);
  if (envelope.name !== "gesmes:Envelope") {
    throw new BrokenDocument(`${what}: the document is a ${quoted(envelope.name)}`);
  }
  const cubes = onlyCubes(elementOf(envelope, "Cube", what), what);
  if (cubes.length === 0) throw new BrokenDocument(`${what}: no day in it`);
  return cubes.map((cube) => {
    const date = attributeOf(cube, "time", what);
    const rows = onlyCubes(cube, what).flatMap((rate) => {
      const code = readCode(attributeOf(rate, "currency", what), what);
      return rowOf(code, attributeOf(rate, "rate", what).trim(), date, what);
    });
    return { date: readDate(date, document, what), rows };
  });
}

function onlyCubes(parent: XmlElement, what: string): readonly XmlElement[] {
  const cubes = elementsOf(parent, "Cube");
  if (cubes.length === parent.children.length) return cubes;
  throw new BrokenDocument(`${what}: a Cube holds something else`);
}

/** An authority does not publish the future, and the ECB nothing at weekends. */
function readDate(printed: string, document: UpstreamDocument, what: string): Day {
  const date = readTableDay(parseDay(printed), printed, ZONE, document, what);
  if (weekdayOf(date) % 6 !== 0) return date;
  throw new BrokenDocument(`${what}: figures of ${printed}, a weekend`);
}

function rowOf(code: string, printed: string, date: string, what: string): readonly OfficialRow[] {
  if (NO_RATE.has(printed)) return [];
  const rate = readRate(printed, what, `${code} of ${date}`);
  return [{ base: "EUR", quote: code, rate, unit: 1, kind: "mid" }];
}
