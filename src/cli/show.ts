/** Text for people: colours, wrapping, counts, sizes, instants, ages; and CSV for their spreadsheets. */

import type { Screen } from "#cli/command.ts";

const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;
export type Colour = keyof typeof CODES;

/** Colours the text on a screen with colours. */
export function coloured({ hasColour }: Pick<Screen, "hasColour">, colour: Colour, text: string): string {
  return hasColour && text !== "" ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
}

/** A terminal obeys control characters: those of a server must not reach it. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

/** Breaks text between words into lines of at most `columns` characters. */
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

/** Makes a line of CSV (RFC 4180). */
export function csvLine(cells: readonly (string | null)[]): string {
  return cells
    .map((cell) => cell ?? "")
    .map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(",");
}
