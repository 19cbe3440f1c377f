/** What a command gets: terminal, input, clock and environment; and its exit codes. */

/** Exit codes, for scripts. 130 and 143 are those of a process that SIGINT or SIGTERM ended. */
export const EXIT = {
  done: 0,
  /** It did not work; or a check found something wrong. */
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

/** Results go to `print` and `write`; everything else is for people and goes to standard error. */
export interface Terminal {
  /** A line of a result. */
  print(line: string): void;
  /** Part of a result, as it is. Resolves when it is taken; with false once the reader is gone. */
  write(part: string | Uint8Array): Promise<boolean>;
  /** A fault, on a separate line. */
  complain(line: string): void;
  /** Redraws one line in place on a terminal; otherwise every tenth part is a line. */
  progress(label: string, done: number, total: number): void;
  /** One line that the next one replaces, on a terminal; nothing elsewhere. */
  note(line: string): void;
  /** What results are shown on. */
  readonly screen: Screen;
}

export interface Screen {
  /** False where results are piped or redirected. */
  readonly isTerminal: boolean;
  /** False on no terminal, and with NO_COLOR. */
  readonly hasColour: boolean;
  /** Characters a line; Infinity where lines have no width. */
  readonly columns: number;
  /** Lines of the window; Infinity where there is none. */
  readonly lines: number;
}

/** The keyboard, or what is piped in. */
export interface Input {
  readonly isTerminal: boolean;
  /** Everything that is piped in, to its end. Rejects beyond `most` bytes. */
  readAll(most: number): Promise<Uint8Array>;
  /** One line without its end; hidden: it is not shown while it is typed. null at the end of the input. */
  ask(question: string, hidden?: "hidden"): Promise<string | null>;
}

export interface CommandContext {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly input: Input;
  /** Aborted by Ctrl-C and its like, and when the reader of the results is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Opens what answers where no server does, once; resolves with null where there is nothing. Absent: nothing answers instead. */
  readonly packaged?: () => Promise<Packaged | null>;
}

/** Answers in this process. */
export interface Packaged {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Real time of this machine. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * What commander calls for a command. The function is loaded when the command is called: a server does not need the demo's
 * simulators. It gets the options by their names in camel case and the other words, and resolves with the exit code.
 */
export type Act<Context = CommandContext> = <Options>(
  load: () => Promise<(context: Context, options: Options, words: readonly string[]) => Promise<number>>,
) => (...args: unknown[]) => Promise<void>;

/** A mistake of the person at the keyboard: printed as one line, exit code 2. */
export class UsageFault extends Error {}
