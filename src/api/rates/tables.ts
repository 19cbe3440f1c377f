/** A table in the form that its caller wants: JSON, CSV, or an Excel workbook. */

import { MIME, typesOf } from "#api/file-types.ts";
import { FileText } from "#api/plugins/house.ts";
import { AS_OF_HEADER } from "#api/point-in-time.ts";
import type { OkResponse } from "#api/words.ts";
import type { Source } from "#domain/currency/source.ts";
import { columnName } from "#domain/dataset/dataset.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { type AboutSheet, tableOf, XLSX } from "#domain/text/workbook.ts";
import type { Exports } from "#ports.ts";
import { type AboutDeps, aboutSheet } from "#rates/export/export.ts";

const types = typesOf(["csv", "xlsx"]);
export type TableForm = (typeof types.formats)[number];

export const format = types.format(
  "`csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook.",
);

/** Returns whether Accept, without `format`, gets JSON. */
export const prefersJson = types.isJson;

const WORKBOOK = {
  mime: XLSX,
  description:
    "With `format=xlsx`: the columns of the CSV as an Excel workbook, with real dates and numbers; a second sheet names units, sources, terms, the version of the data and the address asked.",
};

const DISPOSITION = {
  "Content-Disposition": [
    "Workbooks only: a telling file name.",
    'attachment; filename="crossrate_USD_2026-04-13.xlsx"',
  ],
  "X-Missing-Symbols": [
    "CSV and XLSX only: currencies without a row, as `missing_symbols` of the JSON.",
    "ISK",
  ],
} as const;

/** Describes the 200 of a table: its other types, and the headers of its files. */
export function tableWords(
  csv: NonNullable<OkResponse["otherTypes"]>[number],
  headers: OkResponse["headers"] = AS_OF_HEADER,
) {
  return {
    otherTypes: [csv, WORKBOOK],
    headers: { ...DISPOSITION, ...headers },
    ranged: "beside JSON",
  } as const;
}

/**
 * Prints a table (RFC 4180). Cells are codes, digits, days and flags: they have no comma, quote or line break.
 * `isSimulated` returns whether a column has simulated numbers.
 */
export function tableCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number | boolean | ExactNumber)[])[],
  isSimulated: (column: string) => boolean = () => false,
): string {
  const head = columns.map((name) => columnName(name, isSimulated(name)));
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "object" ? cell.rawJSON : cell)));
  return [head, ...cells].map((row) => `${row.join(",")}\r\n`).join("");
}

export type TableDeps = AboutDeps & { readonly exports: Pick<Exports, "workbook"> };

interface Table<Body> {
  /** Part of a workbook's file name. */
  readonly name: string;
  readonly body: Body;
  /** Without quoted cells. */
  readonly csv: () => string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the answer in the form of `format`; when that is null, Accept decides. */
export async function inForm<
  Body extends {
    readonly notice: string;
    readonly sources: object;
    readonly missing_symbols?: readonly string[];
  },
>(
  deps: TableDeps,
  request: Request,
  format: TableForm | null,
  { name, body, csv, headers: some }: Table<Body>,
): Promise<FileText | Body> {
  const chosen = types.typeFor(request, format);
  if (chosen === "json") return body;
  // A row without numbers would be read as zeros by the formulas of spreadsheets.
  const missing = body.missing_symbols?.join(", ");
  const headers = missing === undefined ? some : { ...some, "X-Missing-Symbols": missing };
  if (chosen === "csv") return new FileText(MIME.csv, csv(), headers);
  const sources = [...new Set(Object.values(body.sources))] as Source[];
  const more: AboutSheet = [...membersOf(body), ["asked", request.url]];
  const about = aboutSheet(deps, { notice: body.notice, sources, more });
  const bytes = await deps.exports.workbook({ ...tableOf(csv()), about });
  const disposition = { "Content-Disposition": `attachment; filename="crossrate_${name}.xlsx"` };
  return new FileText(XLSX, bytes, { ...headers, ...disposition });
}

/** Left out of a workbook's second sheet: the rates, and members that it has elsewhere or that always change. */
const LEFT_OUT = new Set(["result", "rates", "timestamp", "market_session", "notice"]);

function* membersOf(body: object): Generator<readonly [string, string]> {
  for (const [name, value] of Object.entries(body)) {
    if (LEFT_OUT.has(name)) continue;
    if (typeof value !== "object" || value === null) yield [name, String(value)];
    else if (Array.isArray(value)) yield [name, value.join(", ")];
    else for (const [code, one] of Object.entries(value)) yield [`${name} ${code}`, String(one)];
  }
}
