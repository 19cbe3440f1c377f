/** Prints tables as Excel workbooks (ECMA-376). The library is loaded with the first one. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { AboutSheet, Cell, Workbook } from "#domain/text/workbook.ts";

/** Equal content is equal bytes: a workbook does not say when it was made. */
const NO_TIME = new Date(0);

/** The library's types do not say that it only reads. */
type Writable = Cell[][];

/** Prints a workbook with the sheets "Rates" and "About". Days and instants are dates of Excel, numbers are doubles. */
export async function printWorkbook({ columns, rows, about }: Workbook): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import("hucre/xlsx");
  const bytes = await writeXlsx({
    properties: { creator: "Crossrate", created: NO_TIME, modified: NO_TIME },
    sheets: [
      {
        name: "Rates",
        freezePane: { rows: 1 },
        columns: columns.map((_, at) => formOf(rows, at)),
        rows: [columns, ...rows] as Writable,
      },
      { name: "About", columns: [{ width: 22 }, { width: 110 }], rows: about as unknown as Writable },
    ],
  });
  return new Uint8Array(bytes);
}

/** Writes the rows of a SELECT. They are in memory meanwhile: the caller bounds them. */
export async function writeWorkbook(
  connection: DuckDBConnection,
  select: string,
  path: string,
  about: AboutSheet,
): Promise<void> {
  const reader = await connection.runAndReadAll(select);
  const rows = reader.getRowsJS() as unknown as Cell[][];
  // Counts of a bar come as BigInt.
  for (const row of rows)
    for (const [at, cell] of row.entries()) if (typeof cell === "bigint") row[at] = Number(cell);
  await Bun.write(path, await printWorkbook({ columns: reader.columnNames(), rows, about }));
}

function formOf(rows: Workbook["rows"], at: number): { readonly width: number; readonly numFmt?: string } {
  const dates = rows.map((row) => row[at]).filter((cell) => cell instanceof Date);
  if (dates.length === 0) return { width: 14 };
  const isInstant = dates.some((date) => date.getTime() % 86_400_000 !== 0);
  return isInstant ? { width: 20, numFmt: "yyyy-mm-dd hh:mm:ss" } : { width: 12, numFmt: "yyyy-mm-dd" };
}
