/** The command line: finds the command, runs it, and prints each fault as one clear message. */

import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCodeOf, linesOf } from "#cli/ask/faults.ts";
import { EXIT, GROUPS, UsageFault } from "#cli/command.ts";
import { ConfigFault } from "#config.ts";
import type { Command, CommandContext } from "./command.ts";
import { COMMANDS, loadAll } from "./commands.ts";
import { type Keyboard, openInput } from "./input.ts";
import { listenForInterruption } from "./interruption.ts";
import { openTerminal, type Streams } from "./terminal.ts";

const VERSION_WORDS: readonly string[] = ["version", "--version", "-v", "-V"];
const HELP_WORDS: readonly string[] = ["help", "--help", "-h"];

export interface CommandLineOptions extends Streams {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent: there is nothing to read. */
  readonly keyboard?: Keyboard;
  /** Of a process: signals are listened for, and a reader of its results that leaves. */
  readonly results?: Writable;
  /** Absent: real time. */
  readonly clock?: CommandContext["clock"];
}

const REAL_CLOCK: CommandContext["clock"] = {
  now: Date.now,
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal });
  },
};

/** Resolves with the exit code; docs/cli.md lists them. */
export async function runCommandLine(
  [name, ...words]: readonly string[],
  options: CommandLineOptions,
): Promise<number> {
  const { version, environment } = options;
  const terminal = openTerminal(options, environment);
  if (name !== undefined && VERSION_WORDS.includes(name)) {
    terminal.print(version);
    return EXIT.done;
  }
  const asksForHelp = name === undefined || HELP_WORDS.includes(name);
  const sought = asksForHelp ? words[0] : name;
  if (sought === undefined) {
    terminal.print(await overview(version));
    return EXIT.done;
  }
  const entry = Object.hasOwn(COMMANDS, sought) ? COMMANDS[sought] : undefined;
  if (entry === undefined) {
    terminal.complain(`there is no command ${sought}; there are ${Object.keys(COMMANDS).join(", ")}`);
    return EXIT.usage;
  }
  const command = await entry.load();
  // A process that ends does not wait for what is still to be written.
  const written = async () => void (options.results !== undefined && (await terminal.write("")));
  if (asksForHelp || isHelpWanted(words)) {
    const shown = (await command.member?.(asksForHelp ? words.slice(1) : words)) ?? command;
    terminal.print(`${usageLine(shown)}\n\n${shown.summary}\n\n${shown.help}`);
    await written();
    return EXIT.done;
  }
  const code = await run(command, { ...options, words, terminal, isInterruptible: entry.isInterruptible });
  await written();
  return code;
}

interface Run extends CommandLineOptions {
  readonly words: readonly string[];
  readonly terminal: CommandContext["terminal"];
  readonly isInterruptible: boolean;
}

async function run(command: Command, options: Run): Promise<number> {
  const { version, environment, words, terminal, clock = REAL_CLOCK } = options;
  const interruption = options.isInterruptible ? listenForInterruption(options.results) : null;
  const signal = interruption?.signal ?? new AbortController().signal;
  const input = openInput(options.keyboard, options.err, {
    interrupt: () => interruption?.interrupt(),
    signal,
  });
  try {
    return await command.run({ version, environment, words, terminal, input, signal, clock });
  } catch (fault) {
    if (signal.aborted) return interruption?.exitCode ?? EXIT.failed;
    const [first, ...more] = linesOf(fault, clock.now());
    for (const line of [`crossrate ${command.name}: ${first}`, ...more]) terminal.complain(line);
    if (fault instanceof UsageFault) terminal.complain(usageLine(command));
    return fault instanceof ConfigFault ? EXIT.usage : exitCodeOf(fault);
  } finally {
    interruption?.done();
  }
}

function isHelpWanted(words: readonly string[]): boolean {
  return words.includes("--help") || words.includes("-h");
}

function usageLine({ name, usage }: Pick<Command, "name" | "usage">): string {
  return `usage: crossrate ${[name, usage].join(" ").trim()}`;
}

async function overview(version: string): Promise<string> {
  const commands = await loadAll();
  const width = Math.max(...commands.map((command) => command.name.length));
  const groups = GROUPS.map((group) => {
    const members = commands.filter((command) => command.group === group);
    return [group, ...members.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)].join("\n");
  });
  return `crossrate ${version} — indicative foreign-exchange rates with exact provenance

usage: crossrate <command> [--help]

${groups.join("\n\n")}

Each command's own --help has examples. From a checkout, crossrate is: bun src/main.ts. Settings are environment
variables, also from a .env file; docs/configuration.md lists those of a server, docs/cli.md those of the commands that
ask one, and the exit codes.`;
}
