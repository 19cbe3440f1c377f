/** The ECB's reference rates of every day and currency in its files, including currencies outside the catalogue or withdrawn. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { orderedRows } from "#domain/official/versions.ts";
import { type Day, formatDay, parseDay, weekdayOf } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { readCsv } from "#sources/csv.ts";
import { ecbCurrency, ecbFigure } from "#sources/ecb/figure.ts";
import { type TableReader, tableReader } from "#sources/official/reader.ts";
import type { Span } from "#sources/official/reading.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import { readZipEntry } from "#sources/zip.ts";

const ENTRY = "eurofxref-hist.csv";
/** Sixteen times today's size. */
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;
const NO_RATE = new Set(["", "N/A"]);
const ZONE = { zone: "Europe/Berlin" };
const inZip = tableReader("ECB history CSV", ZONE);
const inXml = tableReader("ECB XML", ZONE);

/** The rates of one day, all of 1 EUR; at least one. */
export interface EuroDay {
  readonly date: Day;
  /** Read with the first call, because a month's customs rates need one day of it. Throws BrokenDocument. */
  readonly rows: () => readonly OfficialRow[];
}

/**
 * The days of a document that lie in `span`, both ends included, ascending, each once: of the zip where it is one, else of
 * the XML. The zip has seven thousand days: figures outside the span are not read, and those in it when they are asked for.
 * Throws BrokenDocument.
 */
export function readEcbDays(document: UpstreamDocument, span: Span): readonly EuroDay[] {
  const days = document.url.endsWith(".zip") ? zipDays(document, span) : xmlDays(document);
  const sorted = days.filter(({ date }) => isWithin(span, date)).sort((a, b) => a.date - b.date);
  for (const [nth, { date }] of sorted.entries()) {
    if (date === sorted[nth - 1]?.date) throw new BrokenDocument(`ECB: ${formatDay(date)} is there twice`);
  }
  return sorted;
}

/** A day whose rows are made once, when they are needed. */
function dayOf(date: Day, read: () => readonly OfficialRow[]): EuroDay {
  let made: readonly OfficialRow[] | null = null;
  return { date, rows: () => (made ??= orderedRows(read())) };
}

function isWithin({ from, to }: Span, date: Day): boolean {
  return date >= from && date <= to;
}

function zipDays(document: UpstreamDocument, span: Span): EuroDay[] {
  const csv = readZipEntry(document.bytes, ENTRY, MOST_UNPACKED_BYTES);
  const { header, rows } = readCsv(decodeText(csv, inZip.what), inZip.what);
  const codes = header.slice(1, header.at(-1) === "" ? -1 : undefined);
  if (header[0] !== "Date" || !codes.includes("USD"))
    throw inZip.broken(`unknown header ${quoted(header.join(","))}`);
  for (const code of codes) inZip.code(code);
  return rows.flatMap(([printed = "", ...cells]) => {
    const date = readDate(printed, document, inZip);
    const hasRates = codes.some((_, column) => !NO_RATE.has(cells[column] ?? ""));
    if (!isWithin(span, date) || !hasRates) return [];
    const read = () => codes.flatMap((code, column) => rowOf(code, cells[column] ?? "", printed, inZip));
    return [dayOf(date, () => withZeros(date, read()))];
  });
}

/** The zip leaves out zeros at the end that the ECB prints; for currencies of the catalog it is known how many. */
function withZeros(date: Day, rows: readonly OfficialRow[]): readonly OfficialRow[] {
  return rows.map((row) => {
    const code = ecbCurrency(row.quote);
    if (code === null) return row;
    const { decimals } = ecbFigure(date, code, row.rate, null);
    const [whole = "", fraction = ""] = row.rate.split(".");
    return { ...row, rate: `${whole}.${fraction.padEnd(decimals, "0")}` };
  });
}

function xmlDays(document: UpstreamDocument): EuroDay[] {
  const envelope = inXml.xml(document);
  if (envelope.name !== "gesmes:Envelope") throw inXml.broken(`the document is a ${quoted(envelope.name)}`);
  const cubes = onlyCubes(inXml.element(envelope, "Cube"));
  if (cubes.length === 0) throw inXml.broken("no day in it");
  return cubes.flatMap((cube) => {
    const printed = inXml.attribute(cube, "time");
    const rows = onlyCubes(cube).flatMap((rate) => {
      const code = inXml.code(inXml.attribute(rate, "currency"));
      return rowOf(code, inXml.attribute(rate, "rate").trim(), printed, inXml);
    });
    const date = readDate(printed, document, inXml);
    return rows.length === 0 ? [] : [dayOf(date, () => rows)];
  });
}

function onlyCubes(parent: XmlElement): readonly XmlElement[] {
  const cubes = elementsOf(parent, "Cube");
  if (cubes.length === parent.children.length) return cubes;
  throw inXml.broken("a Cube holds something else");
}

/** An authority does not publish the future, and the ECB nothing at weekends. */
function readDate(printed: string, document: UpstreamDocument, reader: TableReader): Day {
  const date = reader.day(document, parseDay(printed), printed);
  if (weekdayOf(date) % 6 !== 0) return date;
  throw reader.broken(`figures of ${printed}, a weekend`);
}

function rowOf(code: string, printed: string, date: string, reader: TableReader): readonly OfficialRow[] {
  if (NO_RATE.has(printed)) return [];
  const rate = reader.rate(printed, `${code} of ${date}`);
  return [{ base: "EUR", quote: code, rate, unit: 1, kind: "mid" }];
}
