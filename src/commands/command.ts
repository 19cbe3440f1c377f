/** What a command is, and what it gets. */

import type { Level } from "#telemetry/log-lines.ts";
import type { Emit } from "#telemetry.ts";

export interface CommandContext {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Words after the command's name. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Everything after "crossrate <name>" in the usage line. */
  readonly usage: string;
  /** Paragraphs of `--help`. */
  readonly help: string;
  /** Resolves with the exit code; a server's command resolves after a signal to stop. */
  run(context: CommandContext): Promise<number>;
}

export interface Terminal {
  /** For people and scripts that read results. */
  print(line: string): void;
  /** What went wrong, on a line of its own on standard error. */
  complain(line: string): void;
  /** Redraws one line in place on a terminal; off a terminal every tenth part is a line of its own. */
  progress(label: string, done: number, total: number): void;
  /** Log sink at the configured level. */
  readonly emit: (level: Level | "silent", now: () => number) => Emit;
}

/** A mistake of the person at the keyboard: printed as one line, exit code 2. */
export class UsageFault extends Error {}

/** For a command that takes no words: what stands there was meant as a setting, and must not be passed over. */
export function takesNothing(words: readonly string[]): void {
  const [first] = words;
  if (first !== undefined)
    throw new UsageFault(`${first} is not understood; settings come from the environment, as in PORT=4000`);
}
