/** The table of commands as the scripts of the shells need it. */

import type { Command, Words } from "#cli/command.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Described = Pick<Command, "name" | "summary" | "words">;

export interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly words: Words;
  /** What the words can be that are neither flags nor subcommands. */
  readonly operands: readonly string[];
}

export function completedOf(commands: readonly Described[]): readonly Completed[] {
  const operandsOf = {
    currencies: CURRENCY_CODES,
    commands: commands.map(({ name }) => name),
    shells: SHELLS,
  } as const;
  return commands.map(({ name, summary, words }) => {
    const operands = words.operands === undefined ? [] : operandsOf[words.operands];
    return { name, summary, words, operands };
  });
}
