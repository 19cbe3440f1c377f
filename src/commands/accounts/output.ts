/** Results of the commands about accounts: a table for people, JSON with --json. Never a secret, except a reset link. */

import type { Flag } from "#cli/command.ts";
import type { CommandContext, Terminal } from "#commands/command.ts";
import { withoutNewLedger } from "#commands/flags.ts";

export type Cell = string | number | boolean | null;
export type Facts = Readonly<Record<string, unknown>>;

export const TABLE_JSON_FLAG: Flag = { name: "--json", meaning: "print JSON in place of a table" };

export interface OutputOptions {
  readonly json: boolean;
  /** Without --json and --new-ledger. */
  readonly words: readonly string[];
}

export function readOptions({ words }: CommandContext): OutputOptions {
  const json = words.includes("--json");
  return { json, words: withoutNewLedger(words).filter((word) => word !== "--json") };
}

/** Rows with the same members: as a table with its heads, or as a JSON list. `none` is printed in place of an empty table. */
export function printRows(
  { print }: Terminal,
  { json }: OutputOptions,
  rows: readonly Readonly<Record<string, Cell>>[],
  none: string,
): void {
  const [first] = rows;
  if (json || first === undefined) {
    print(json ? JSON.stringify(rows, null, 2) : none);
    return;
  }
  const heads = Object.keys(first);
  const lines = [heads, ...rows.map((row) => heads.map((head) => shown(row[head] ?? null)))];
  const widths = heads.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  for (const line of lines) {
    print(
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** One thing with its members: a line each, or a JSON object. */
export function printFacts({ print }: Terminal, { json }: OutputOptions, facts: Facts): void {
  if (json) {
    print(JSON.stringify(facts, null, 2));
    return;
  }
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, value] of Object.entries(facts)) {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : shown(value as Cell);
    print(`${name.padEnd(width)}  ${text}`);
  }
}

/** A terminal obeys control characters: what people gave as their address or agent must not reach it. */
function shown(value: Cell): string {
  return value === null ? "–" : String(value).replace(/[\p{C}]/gu, "?");
}
