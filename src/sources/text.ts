/** Text and comma-separated tables for every parser. UTF-8 only; a web page instead of data is a named fault. */

import { BrokenDocument } from "#domain/faults/upstream.ts";

/** The text of a document, without a byte order mark. `what` names the expected format. Throws BrokenDocument. */
export function decodeText(bytes: Uint8Array, what: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BrokenDocument(`${what}: the bytes are not UTF-8 text`, error);
  }
  if (text.trim() === "") throw new BrokenDocument(`${what}: the document is empty`);
  if (/^\s*(?:<!doctype\s+html|<html)/i.test(text.slice(0, 500))) {
    throw new BrokenDocument(`${what}: an HTML page came instead`);
  }
  return text;
}

/** A piece of a document for a message: quoted, without control characters, at most 40 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(/\p{C}/gu, "?");
}

export type CsvTable = ReturnType<typeof readCsv>;

/**
 * Reads comma-separated text (RFC 4180, except that a quoted cell stays on its line). Every row has as many cells as the header; row 0
 * is line 2. `what` names the document. Throws BrokenDocument on a ragged or blank row, an unterminated last line, or a stray or open quote.
 */
export function readCsv(text: string, what: string) {
  const lines = text.split("\n");
  // A file cut inside its last cell would otherwise pass with a shorter number.
  const rest = lines.pop() ?? "";
  if (rest !== "") throw new BrokenDocument(`${what}: cut off, the last line has no end: ${quoted(rest)}`);
  const cells = lines.map((line, index) => splitLine(line, index + 1, what));
  const [header = [], ...rows] = cells;
  for (let index = 0; index < rows.length; index++) {
    const count = rows[index]?.length;
    if (count !== header.length) {
      throw new BrokenDocument(
        `${what}: line ${index + 2} has ${count} columns where the header has ${header.length}`,
      );
    }
  }
  return { header, rows };
}

function splitLine(line: string, number: number, what: string): string[] {
  const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (!bare.includes('"')) return bare.split(",");
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const match = cell.exec(bare);
    if (match === null) throw new BrokenDocument(`${what}: line ${number} has a stray or open quote`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "") return cells;
  }
}

/** Positions of the named columns. Throws BrokenDocument when one is missing or occurs twice. */
export function columnsOf(table: CsvTable, names: readonly string[], what: string): number[] {
  return names.map((name) => {
    const at = table.header.indexOf(name);
    if (at === -1) {
      throw new BrokenDocument(`${what}: no column ${name} in the header ${quoted(table.header.join(","))}`);
    }
    if (table.header.lastIndexOf(name) !== at) throw new BrokenDocument(`${what}: two columns ${name}`);
    return at;
  });
}
