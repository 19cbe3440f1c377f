/** eurofxref-hist.zip: the whole history as one CSV, a row per day, a column per currency, zeros at the end stripped. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/point-in-time/reading.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { type CsvTable, columnsOf, readCsv } from "./csv.ts";
import { ECB_CURRENCIES, ecbFigure, readEcbDay } from "./ecb-figure.ts";
import { conclude, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";
import { readZipEntry } from "./zip.ts";

const WHAT = "ECB history CSV";
const ENTRY = "eurofxref-hist.csv";
/** Sixteen times today's size: a century of growth. */
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;

/** Reads the zip. Throws BrokenDocument on a damaged archive, an unknown header, a ragged row, a day twice. */
export function parseEcbHistoryZip(document: UpstreamDocument, window: Window): Reading {
  const csv = readZipEntry(document.bytes, ENTRY, MOST_UNPACKED_BYTES);
  const table = readCsv(decodeText(csv, WHAT), WHAT);
  checkHeader(table);
  const columns = ECB_CURRENCIES.filter((code) => table.header.includes(code));
  const positions = columnsOf(table, columns, WHAT);
  const rows = datedRows(table, window);
  const figures: Figure[] = [];
  for (const [date, cells] of rows) {
    for (let column = 0; column < positions.length; column++) {
      const quote = columns[column] as (typeof columns)[number];
      const cell = cells[positions[column] as number] as string;
      if (cell === "N/A" || cell === "") continue;
      figures.push(ecbFigure(date, quote, readDigits(cell, WHAT, date, quote), null));
    }
  }
  return conclude(window, isTargetDay, figures, [], rows.at(-1)?.[0] ?? null);
}

function checkHeader({ header }: CsvTable): void {
  // The real header ends in a comma: its last column has no name.
  const names = header.at(-1) === "" ? header.slice(1, -1) : header.slice(1);
  if (header[0] !== "Date" || !names.every((name) => /^[A-Z]{3}$/.test(name)) || !names.includes("USD")) {
    throw new BrokenDocument(`${WHAT}: unknown header ${quoted(header.join(","))}`);
  }
}

/** Rows by date, ascending; the document has the newest first. */
function datedRows(table: CsvTable, window: Window): [Day, readonly string[]][] {
  const rows = table.rows.map((cells): [Day, readonly string[]] => [
    readEcbDay(cells[0] as string, window, WHAT),
    cells,
  ]);
  rows.sort(([a], [b]) => a - b);
  rows.forEach(([date], index) => {
    if (date === rows[index - 1]?.[0]) throw new BrokenDocument(`${WHAT}: two rows for ${formatDay(date)}`);
  });
  return rows;
}
