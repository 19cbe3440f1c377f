/** Tables for people: columns as wide as their content, numbers aligned at the decimal point, no wider than the screen. */

import type { Screen } from "./command.ts";
import { type Colour, coloured, printable } from "./show.ts";

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

/** Makes a line for the heads and one for each row. */
export function tableLines(
  screen: Screen,
  columns: readonly Column[],
  rows: readonly Row[],
): readonly string[] {
  const printer = tablePrinter(screen, columns, rows);
  return [printer.head(), ...rows.map(printer.row)];
}

/** Prints rows as they come: the sample sets the widths of columns. */
export function tablePrinter(screen: Screen, columns: readonly Column[], sample: readonly Row[]) {
  const all = columns.map((column, at) => shapeOf(column, at, sample));
  const shapes = fitting(all, screen.columns);
  const line = (cells: readonly string[]) => cells.join(GAP).trimEnd();
  return {
    /** Characters per line; wider than the screen when no more columns may be left out. */
    width: widthOf(shapes),
    head: () => line(shapes.map((shape) => paint(screen, "dim", padded(shape, shape.column.head)))),
    row: (row: Row) =>
      line(
        shapes.map((shape) => {
          const { text, colour } = cellOf(row[shape.at]);
          const shown = padded(shape, aligned(shape, printable(text)));
          return colour === undefined ? shown : paint(screen, colour, shown);
        }),
      ),
  };
}

/** Blanks around a text have no colour: those at the end of a line can be removed. */
function paint(screen: Screen, colour: Colour, text: string): string {
  return text.replace(/\S(?:.*\S)?/, (inner) => coloured(screen, colour, inner));
}

interface Shape {
  readonly column: Column;
  readonly at: number;
  readonly width: number;
  /** Characters after the decimal point, itself included. */
  readonly fraction: number;
}

function shapeOf(column: Column, at: number, sample: readonly Row[]): Shape {
  const texts = sample.map((row) => printable(cellOf(row[at]).text));
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
