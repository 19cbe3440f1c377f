/** The context of the commands of this machine: that of all commands, the log and the settings. */

import {
  type Command as AnyCommand,
  type CommandContext as AnyContext,
  type Terminal as AnyTerminal,
  UsageFault,
} from "#cli/command.ts";
import type { Level } from "#telemetry/log-lines.ts";
import type { Emit } from "#telemetry.ts";

export interface Terminal extends AnyTerminal {
  /** Log sink at the configured level. */
  readonly emit: (level: Level | "silent", now: () => number) => Emit;
}

export interface CommandContext extends AnyContext {
  readonly terminal: Terminal;
}

export type Command = AnyCommand<CommandContext>;

/** For a command without arguments: an argument was meant as a setting, and must not be ignored. */
export function takesNothing(words: readonly string[]): void {
  const [first] = words;
  if (first !== undefined)
    throw new UsageFault(`${first} is not understood; settings come from the environment, as in PORT=4000`);
}
