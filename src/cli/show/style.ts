/** Colours for a terminal, and text made safe for printing on one. */

import type { Screen } from "#cli/command.ts";

const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;
export type Colour = keyof typeof CODES;

/** The text in a colour where the screen has colours, else as it is. */
export function coloured({ hasColour }: Pick<Screen, "hasColour">, colour: Colour, text: string): string {
  return hasColour && text !== "" ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
}

/** A terminal obeys control characters: what a server sends must not reach it. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

/** Lines of at most `columns` characters, broken between words. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
