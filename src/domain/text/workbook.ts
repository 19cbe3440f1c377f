/** A table as spreadsheets have it: a sheet of typed cells, and a second one that says what they are and where they come from. */

/** A date is a day, or an instant in UTC. */
export type Cell = string | number | boolean | Date | null;

export interface Workbook {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Names and values of the second sheet. */
  readonly about: AboutSheet;
}

export type AboutSheet = readonly (readonly [name: string, value: string])[];

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A cell is a double: more digits would be rounded silently. */
const MOST_DIGITS = 15;

const DECIMAL = /^-?\d+(\.\d+)?$/;
const DAY_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/;

export const ABOUT_CELLS: AboutSheet = [
  [
    "numbers",
    "Doubles, which have every number of at most 15 significant digits as it is printed; longer ones are text.",
  ],
  ["dates", "Days and instants are dates of the spreadsheet, UTC."],
];

/** Reads a printed cell. A number of more than 15 significant digits stays text. */
export function typedCell(text: string): Cell {
  if (text === "") return null;
  if (text === "true" || text === "false") return text === "true";
  if (DAY_OR_INSTANT.test(text)) return new Date(text);
  if (!DECIMAL.test(text)) return text;
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits.length > MOST_DIGITS ? text : Number(text);
}

/** Reads the lines of a CSV in which no cell is quoted. */
export function tableOf(csv: string): Pick<Workbook, "columns" | "rows"> {
  const [columns = [], ...rows] = csv
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return { columns, rows: rows.map((cells) => cells.map(typedCell)) };
}
