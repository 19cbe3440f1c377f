/** Text for people: colours, wrapping, counts, sizes, instants, ages, and tables no wider than the screen. */

import type { Screen, Terminal } from "./command.ts";

const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;
export type Colour = keyof typeof CODES;

export function coloured({ hasColour }: Pick<Screen, "hasColour">, colour: Colour, text: string): string {
  return hasColour && text !== "" ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
}

/** Replaces control characters: a terminal would obey those that a server sends. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

export function noticeLines(screen: Screen, notice: string): readonly string[] {
  const isSimulated = notice.startsWith("SIMULATED");
  const lines = wrapped(printable(notice), Math.min(screen.columns, 110));
  return lines.map((line) => coloured(screen, isSimulated ? "yellow" : "dim", line));
}

/** `missing` are requested currencies without a rate: a table alone would drop them unnoticed. */
export function printNotice(
  { print, screen }: Pick<Terminal, "print" | "screen">,
  notice: string,
  missing: readonly string[] = [],
): void {
  if (missing.length > 0) print(`\nno rate: ${missing.join(", ")}`);
  for (const line of ["", ...noticeLines(screen, notice)]) print(line);
}

export function wrapped(text: string, columns: number): readonly string[] {
  return Bun.wrapAnsi(text, columns).split("\n");
}

/** `1,234,567`. */
export function printedCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `812 bytes`, `4.1 kB`, `12.0 MB`: thousands of bytes, one decimal. */
export function printedBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  // 1000.0 belongs to the next unit.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Formats an instant of the server as `2026-04-13 16:30:17`, always UTC. */
export function shownInstant(instant: string): string {
  return instant.replace("T", " ").replace(/(\.\d+)?Z$/, "");
}

/** Formats the time since an instant: `2 s`, `15 min`, `3 h`, `10 d`. */
export function ageOf(instant: string, now: string): string {
  return shownSeconds(Math.max(0, (Date.parse(now) - Date.parse(instant)) / 1000));
}

const STEPS = [
  { seconds: 86_400, unit: "d" },
  { seconds: 3600, unit: "h" },
  { seconds: 60, unit: "min" },
  { seconds: 1, unit: "s" },
] as const;

/** Formats whole units, rounded down: `45 s`, `15 min`, `3 h`, `10 d`. */
export function shownSeconds(seconds: number): string {
  const step = STEPS.find((candidate) => seconds >= candidate.seconds);
  return step === undefined ? "0 s" : `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}

export interface Cell {
  readonly text: string;
  readonly colour?: Colour;
}

export interface Column {
  readonly head: string;
  readonly align?: "left" | "right" | "point";
  /** May be left out, the last one first, when the screen is too narrow. */
  readonly optional?: true;
}

type Row = readonly (string | Cell)[];

const GAP = "  ";

/** Prints a line for the heads and one for each row. A string is a column with that head. */
export function printTable(
  { print, screen }: Pick<Terminal, "print" | "screen">,
  columns: readonly (string | Column)[],
  rows: readonly Row[],
): void {
  const all = columns.map((column) => (typeof column === "string" ? { head: column } : column));
  for (const line of tableOf(screen, all, rows).lines) print(line);
}

/** `width` is the number of characters per line; wider than the screen when no more columns may be left out. */
export function tableOf(screen: Screen, columns: readonly Column[], rows: readonly Row[]) {
  const all = columns.map((column, at) => shapeOf(column, at, rows));
  const shapes = fitting(all, screen.columns);
  const line = (cells: readonly string[]) => cells.join(GAP).trimEnd();
  const head = shapes.map((shape) => paint(screen, "dim", padded(shape, printable(shape.column.head))));
  const body = rows.map((row) =>
    shapes.map((shape) => {
      const { text, colour } = cellOf(row[shape.at]);
      const shown = padded(shape, aligned(shape, printable(text)));
      return colour === undefined ? shown : paint(screen, colour, shown);
    }),
  );
  return { width: widthOf(shapes), lines: [head, ...body].map(line) };
}

/** Colours only the text, not the blanks around it: blanks at the end of a line can then be removed. */
function paint(screen: Screen, colour: Colour, text: string): string {
  return text.replace(/\S(?:.*\S)?/, (inner) => coloured(screen, colour, inner));
}

type Shape = ReturnType<typeof shapeOf>;

/** `fraction`: characters after the decimal point, itself included. */
function shapeOf(column: Column, at: number, rows: readonly Row[]) {
  const texts = rows.map((row) => printable(cellOf(row[at]).text));
  const fraction = column.align === "point" ? Math.max(0, ...texts.map(fractionOf)) : 0;
  const widths = texts.map(
    (text) => text.length - (column.align === "point" ? fractionOf(text) : 0) + fraction,
  );
  return { column, at, fraction, width: Math.max(column.head.length, ...widths) };
}

function fitting(shapes: readonly Shape[], columns: number): readonly Shape[] {
  const last = shapes.findLastIndex(({ column }) => column.optional === true);
  return widthOf(shapes) <= columns || last < 0 ? shapes : fitting(shapes.toSpliced(last, 1), columns);
}

function widthOf(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
}

function cellOf(cell: string | Cell | undefined): Cell {
  return typeof cell === "object" ? cell : { text: cell ?? "" };
}

function fractionOf(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point;
}

function aligned({ column, fraction }: Shape, text: string): string {
  return column.align === "point" ? text + " ".repeat(Math.max(0, fraction - fractionOf(text))) : text;
}

function padded({ column, width }: Shape, text: string): string {
  return (column.align ?? "left") === "left" ? text.padEnd(width) : text.padStart(width);
}
