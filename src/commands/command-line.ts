/** The command line: commander finds and reads the command; each fault is printed as one clear message. */

import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Command, CommanderError } from "commander";
import { exitCodeOf, linesOf } from "#cli/client.ts";
import { type Act, type CommandContext, EXIT, type Packaged, UsageFault } from "#cli/command.ts";
import { commandIn } from "#cli/completion.ts";
import {
  type Keyboard,
  listenForInterruption,
  openInput,
  openTerminal,
  type Streams,
} from "#cli/terminal.ts";
import { addAccountCommands, addRateCommands } from "#cli/tree.ts";
import { addDataCommands, addServerCommands } from "./tree.ts";

const VERSION_WORDS: readonly string[] = ["version", "--version", "-v", "-V"];

export interface CommandLineOptions extends Streams {
  readonly version: string;
  readonly environment: CommandContext["environment"];
  readonly keyboard?: Keyboard;
  /** Standard output, when a whole process runs; its reader may close it early, as `head` does. */
  readonly results?: Writable;
  readonly clock?: CommandContext["clock"];
}

const REAL_CLOCK: CommandContext["clock"] = {
  now: Date.now,
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal });
  },
};

/** Resolves with the exit code; docs/cli.md lists them. */
export async function runCommandLine(words: readonly string[], options: CommandLineOptions): Promise<number> {
  const { version, environment, clock = REAL_CLOCK } = options;
  const terminal = openTerminal(options, environment);
  const [first = "--help", ...more] = words;
  if (VERSION_WORDS.includes(first)) {
    terminal.print(version);
    return EXIT.done;
  }
  let code: number = EXIT.done;
  /** Interruptible actions end by the context's signal. Others end with the process, or handle signals themselves. */
  const actions =
    (isInterruptible: boolean, asksRates = false): Act =>
    (load) =>
    async (...args) => {
      const [chosen, command] = args.slice(-2) as [never, Command];
      const interruption = isInterruptible ? listenForInterruption(options.results) : null;
      const signal = interruption?.signal ?? new AbortController().signal;
      const interrupt = () => interruption?.interrupt();
      const input = openInput(options.keyboard, options.err, interrupt, signal);
      let opening: Promise<Packaged | null> | null = null;
      try {
        const run = await load();
        const context = { ...options, terminal, input, signal, clock };
        const open = async () => await (await import("./open-product.ts")).openPackaged(context);
        const packaged = () => {
          opening ??= open();
          return opening;
        };
        code = (await run({ ...context, ...(asksRates && { packaged }) }, chosen, command.args)) ?? EXIT.done;
        if (isInterruptible) await terminal.write("");
      } catch (fault) {
        if (!signal.aborted) throw fault;
        code = interruption?.exitCode ?? EXIT.failed;
      } finally {
        await (await (opening as Promise<Packaged | null> | null))?.close();
        interruption?.done();
      }
    };
  const line = first === "help" ? [...more, "--help"] : [first, ...more];
  const acts = { rates: actions(true, true), asking: actions(true), lasting: actions(false) };
  const program = newProgram(version, terminal, acts);
  try {
    await program.parseAsync(line, { from: "user" });
  } catch (fault) {
    code = complain(fault, commandIn(program, line), terminal, clock.now());
  }
  // A process that ends drops output that is not yet written. What found no room is reported, or was the log of a server.
  if (options.results !== undefined) await terminal.write("").catch(() => {});
  return code;
}

function complain(
  fault: unknown,
  command: Command,
  terminal: CommandContext["terminal"],
  now: number,
): number {
  const usage = command.createHelp().commandUsage(command);
  const name = usage.slice(0, -command.usage().length).trim();
  if (fault instanceof CommanderError) {
    // Help is printed already: on standard error when a group's command is missing.
    if (fault.code.startsWith("commander.help")) return fault.exitCode === 0 ? EXIT.done : EXIT.usage;
    terminal.complain(`${name}: ${fault.message.replace(/^error: /, "").replace("\n", " ")}`);
    terminal.complain(`usage: ${usage}`);
    return EXIT.usage;
  }
  const [first, ...more] = linesOf(fault, now);
  for (const line of [`${name}: ${first}`, ...more]) terminal.complain(line);
  if (fault instanceof UsageFault) terminal.complain(`usage: ${usage}`);
  // Compared by name: importing the class would load every setting, also for commands without settings.
  return fault instanceof Error && fault.name === "ConfigFault" ? EXIT.usage : exitCodeOf(fault);
}

/** The widest help; a narrower terminal breaks lines earlier. */
const HELP_COLUMNS = 120;

export function newProgram(
  version: string,
  { print, complain, screen }: CommandContext["terminal"],
  { rates, asking, lasting }: Readonly<Record<"rates" | "asking" | "lasting", Act>>,
): Command {
  const program = new Command("crossrate");
  program
    .exitOverride()
    // An option after the name of a subcommand belongs to the subcommand.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(screen.columns, HELP_COLUMNS),
      getErrHelpWidth: () => HELP_COLUMNS,
    })
    .helpOption("-h, --help", "print this; of a command its words, options and examples")
    .helpCommand(false)
    // The overview has only names; a group of commands shows arguments, too.
    .configureHelp({
      subcommandTerm: (each) =>
        each.parent === program
          ? each.name()
          : `${each.name()} ${each.usage().replace("[options]", "").trim()}`,
      // The usage line names the values of flags. Of an argument's values three are enough: there are 31 currencies.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description, argChoices = [] }) =>
        description || `${argChoices.slice(0, 3).join(", ")}${argChoices.length > 3 ? " …" : ""}`,
    })
    .description(`crossrate ${version}: indicative foreign-exchange rates with exact provenance`)
    .addHelpText(
      "after",
      `
Each command's own --help has examples. From a checkout, crossrate is: bun src/main.ts. Settings are environment
variables, also from a .env file; docs/configuration.md lists those of a server, docs/cli.md those of the commands that
ask one, and the exit codes.`,
    );
  addRateCommands(program, rates);
  addAccountCommands(program, asking);
  addServerCommands(program, asking, lasting);
  addDataCommands(program, asking, lasting);
  return program;
}
