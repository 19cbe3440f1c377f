/** Reads the ECB's files: eurofxref-hist.zip (CSV with a row a day and a column a currency), and the XML of one day or of 90 days. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { type CsvTable, columnsOf, readCsv } from "#sources/csv.ts";
import { conclude, readDigits } from "#sources/reading.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, type XmlElement } from "#sources/xml.ts";
import { readZipEntry } from "#sources/zip.ts";
import { ECB_CURRENCIES, ecbCurrency, ecbFigure, readEcbDay } from "./figure.ts";

const HISTORY_CSV = "ECB history CSV";
const ENTRY = "eurofxref-hist.csv";
/** Sixteen times today's size: a century of growth. */
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;

/** Reads the zip. Throws BrokenDocument on a damaged archive, an unknown header, a ragged row, a day twice. */
export function parseEcbHistoryZip(document: UpstreamDocument, window: Window): Reading {
  const csv = readZipEntry(document.bytes, ENTRY, MOST_UNPACKED_BYTES);
  const table = readCsv(decodeText(csv, HISTORY_CSV), HISTORY_CSV);
  checkHeader(table);
  const columns = ECB_CURRENCIES.filter((code) => table.header.includes(code));
  const positions = columnsOf(table, columns, HISTORY_CSV);
  const rows = datedRows(table, window);
  const figures: Figure[] = [];
  for (const [date, cells] of rows) {
    for (let column = 0; column < positions.length; column++) {
      const quote = columns[column] as (typeof columns)[number];
      const cell = cells[positions[column] as number] as string;
      if (cell === "N/A" || cell === "") continue;
      figures.push(ecbFigure(date, quote, readDigits(cell, HISTORY_CSV, date, quote), null));
    }
  }
  return conclude(window, isTargetDay, figures, [], rows.at(-1)?.[0] ?? null);
}

function checkHeader({ header }: CsvTable): void {
  // The real header ends in a comma: its last column has no name.
  const names = header.at(-1) === "" ? header.slice(1, -1) : header.slice(1);
  if (header[0] !== "Date" || !names.every((name) => /^[A-Z]{3}$/.test(name)) || !names.includes("USD")) {
    throw new BrokenDocument(`${HISTORY_CSV}: unknown header ${quoted(header.join(","))}`);
  }
}

/** Rows by date, ascending; the document has the newest first. */
function datedRows(table: CsvTable, window: Window): [Day, readonly string[]][] {
  const rows = table.rows.map((cells): [Day, readonly string[]] => [
    readEcbDay(cells[0] as string, window, HISTORY_CSV),
    cells,
  ]);
  rows.sort(([a], [b]) => a - b);
  rows.forEach(([date], index) => {
    if (date === rows[index - 1]?.[0])
      throw new BrokenDocument(`${HISTORY_CSV}: two rows for ${formatDay(date)}`);
  });
  return rows;
}

const ECB_XML = "ECB XML";
const ENVELOPE = "gesmes:Envelope";
const CUBE = "Cube";

/** Reads one or many days. Throws BrokenDocument on anything but a whole envelope with each day and currency once. */
export function parseEcbXml(document: UpstreamDocument, window: Window): Reading {
  const envelope = readElements(decodeText(document.bytes, ECB_XML), ECB_XML);
  if (envelope.name !== ENVELOPE) throw new BrokenDocument(`${ECB_XML}: the document is not a ${ENVELOPE}`);
  const frames = cubesOf(envelope);
  if (frames.length === 0) throw new BrokenDocument(`${ECB_XML}: no Cube in it`);
  const days = new Map<Day, readonly Figure[]>();
  for (const cube of frames.flatMap(cubesOf)) {
    const time = attributeOf(cube, "time", ECB_XML);
    const date = readEcbDay(time, window, ECB_XML);
    if (days.has(date)) throw new BrokenDocument(`${ECB_XML}: two cubes for ${time}`);
    days.set(date, figuresOf(cubesOf(cube), date));
  }
  const dates = [...days.keys()].sort((a, b) => a - b);
  const figures = dates.flatMap((day) => days.get(day) ?? []);
  return conclude(window, isTargetDay, figures, [], dates.at(-1) ?? null);
}

/** A frame holds days, a day holds rates, and there are no other cubes. */
function cubesOf(element: XmlElement): readonly XmlElement[] {
  for (const child of element.children) {
    if (child.name !== CUBE) refuseCubesIn(child);
  }
  return elementsOf(element, CUBE);
}

function refuseCubesIn(element: XmlElement): void {
  for (const child of element.children) {
    if (child.name === CUBE) throw new BrokenDocument(`${ECB_XML}: a ${CUBE} inside ${quoted(element.name)}`);
    refuseCubesIn(child);
  }
}

function figuresOf(cubes: readonly XmlElement[], date: Day): readonly Figure[] {
  const codes = new Set<string>();
  return cubes.flatMap((cube) => {
    refuseCubesIn(cube);
    const code = attributeOf(cube, "currency", ECB_XML);
    const rate = attributeOf(cube, "rate", ECB_XML).trim();
    if (codes.has(code)) throw new BrokenDocument(`${ECB_XML}: ${quoted(code)} twice on one day`);
    codes.add(code);
    const quote = ecbCurrency(code);
    if (quote === null || rate === "" || rate === "N/A") return [];
    return [ecbFigure(date, quote, readDigits(rate, ECB_XML, date, code), null)];
  });
}
