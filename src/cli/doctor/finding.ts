/** What `crossrate doctor` finds, and how it is shown. */

import type { Terminal } from "#cli/command.ts";
import { coloured, printable } from "#cli/show/style.ts";

export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** broken: something does not work. note: worth knowing; nothing is broken. */
  readonly state: "ok" | "note" | "broken";
  /** What was found. */
  readonly found: string;
  /** What to do; absent where there is nothing to do. */
  readonly advice?: string;
}

const MARKS = {
  ok: { mark: "ok", colour: "green" },
  note: { mark: "note", colour: "yellow" },
  broken: { mark: "broken", colour: "red" },
} as const;

const WIDTH = 16;

export function printFinding({ print, screen }: Terminal, { what, state, found, advice }: Finding): void {
  const { mark, colour } = MARKS[state];
  print(`${coloured(screen, colour, mark.padEnd(6))}  ${what.padEnd(WIDTH)}  ${printable(found)}`);
  if (advice !== undefined) print(`${" ".repeat(8)}${" ".repeat(WIDTH)}  → ${printable(advice)}`);
}
