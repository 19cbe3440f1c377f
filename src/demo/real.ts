/** The ECB's own history, as its CSV has it: what the demo's world is continued from. */

import { type Day, parseDay } from "#domain/time/day.ts";

export interface RealHistory {
  /** Its newest day. */
  readonly lastDay: Day;
  /** Days with figures, ascending. */
  readonly days: readonly Day[];
  /** The digits as published; null where the ECB has no figure. */
  printed(code: string, day: Day): string | null;
}

/** `csv` is eurofxref-hist.csv: a row a day, newest first, and a column a currency. */
export function readRealHistory(csv: string): RealHistory {
  const [head = "", ...lines] = csv.split("\n");
  const places = new Map(head.split(",").map((code, place) => [code.trim(), place]));
  const rows = new Map<Day, string | readonly string[]>();
  for (const line of lines) {
    const day = parseDay(line.slice(0, 10));
    if (day !== null) rows.set(day, line);
  }
  const days = [...rows.keys()].reverse();
  const cellsOf = (day: Day): readonly string[] => {
    const row = rows.get(day) ?? [];
    const cells = typeof row === "string" ? row.split(",") : row;
    if (typeof row === "string") rows.set(day, cells);
    return cells;
  };
  return {
    lastDay: days.at(-1) as Day,
    days,
    printed: (code, day) => {
      const cell = cellsOf(day)[places.get(code) ?? -1]?.trim() ?? "";
      return cell === "" || cell === "N/A" ? null : cell;
    },
  };
}
