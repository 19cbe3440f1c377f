/** The context of a command (terminal, input, clock, environment), and its exit codes. */

import type { Input, Screen, Terminal } from "./terminal.ts";

/** Exit codes, for scripts. 130 and 143 mean that SIGINT or SIGTERM ended the process. */
export const EXIT = {
  done: 0,
  /** The command failed, or a check found a fault. */
  failed: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
  /** The server refused the request (4xx). */
  refused: 3,
  /** The server could not be reached, broke off, or has a fault of its own (5xx). */
  unreachable: 4,
  /** A limit of the server was reached (429). */
  limited: 5,
} as const;

export type { Input, Screen, Terminal };

export interface CommandContext {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly input: Input;
  /** Aborted by Ctrl-C and the like, and when the reader of the results has left. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Opens the packaged history, at most once, to answer where no server does; null when there is a lake. Absent: only a server answers. */
  readonly packaged?: () => Promise<Packaged | null>;
}

export interface Packaged {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface Clock {
  now(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * The action of a commander command. Its module is loaded when the command is called: a server does not need the demo's
 * simulators. The function gets the options in camel case and the other arguments. It resolves with the exit code; undefined means EXIT.done.
 */
export type Act = <Options>(
  load: () => Promise<
    (context: CommandContext, options: Options, words: readonly string[]) => Promise<number> | Promise<void>
  >,
) => (...args: unknown[]) => Promise<void>;

/** A mistake of the person at the keyboard: printed as one line, exit code 2. */
export class UsageFault extends Error {}
