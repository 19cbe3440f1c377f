/** Users' comma-separated tables (RFC 4180), read with line numbers, and written. src/sources/text.ts reads those of authorities. */

export interface CsvRecord {
  /** Where the record begins, from 1. A quoted cell may span several lines. */
  readonly line: number;
  /** As it was written, without the end of its line. */
  readonly text: string;
  readonly cells: readonly string[];
}

/** The text is no table: a quote is open, or inside a cell without quotes. */
export class CsvFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "CsvFault";
    this.line = line;
  }
}

/** Every record with a value: not blank lines, nor the empty cells that Excel writes below a table. Throws CsvFault. */
export function* csvRecords(text: string): Generator<CsvRecord> {
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const { cells, end } = recordAt(text, at, line);
    const record = text.slice(at, end);
    if (cells.some((cell) => cell.trim() !== "")) yield { line, text: record, cells };
    line += 1 + (record.match(/\r\n|\r|\n/g)?.length ?? 0);
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
}

function recordAt(text: string, start: number, line: number) {
  const cells: string[] = [];
  for (let at = start; ; at += 1) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at, line) : endOfPlain(text, at);
    const cell = isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end);
    const isAtEnd = end === text.length || "\r\n".includes(text[end] as string);
    if ((!isQuoted && cell.includes('"')) || (!isAtEnd && text[end] !== ","))
      throw new CsvFault(
        line,
        'a quote is inside a cell: put the cell in quotes, and write "" for each quote',
      );
    cells.push(cell);
    if (isAtEnd) return { cells, end };
    at = end;
  }
}

function endOfPlain(text: string, start: number): number {
  for (let at = start; at < text.length; at++) if (",\r\n".includes(text[at] as string)) return at;
  return text.length;
}

/** Returns the place after the closing quote. */
function endOfQuoted(text: string, start: number, line: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw new CsvFault(line, "a quote is open to the end of the text");
    if (text[at + 1] !== '"') return at + 1;
  }
}

/** Makes a line of CSV, without its end. */
export function csvLine(cells: readonly (string | null)[]): string {
  return cells
    .map((cell) => cell ?? "")
    .map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(",");
}
