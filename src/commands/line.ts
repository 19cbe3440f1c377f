/** The command line: finds the command, gives it its surroundings, and turns faults into one clear message. */

import { ConfigFault } from "#config.ts";
import { accountsCommand } from "./accounts.ts";
import { keysCommand } from "./accounts-keys.ts";
import { backfillCommand, collectCommand } from "./collect.ts";
import { type Command, UsageFault } from "./command.ts";
import { compactCommand } from "./compact.ts";
import { demoCommand } from "./demo.ts";
import { exportCommand } from "./export.ts";
import { discardCommand, heldCommand, releaseCommand } from "./held.ts";
import { officialCommand } from "./official.ts";
import { openRealAccounts } from "./opened.ts";
import { serveCommand } from "./serve.ts";
import { openTerminal, type Streams } from "./terminal.ts";

const COMMANDS: readonly Command[] = [
  serveCommand,
  demoCommand,
  backfillCommand,
  collectCommand,
  exportCommand,
  compactCommand,
  heldCommand,
  releaseCommand,
  discardCommand,
  officialCommand,
  accountsCommand(openRealAccounts),
  keysCommand(openRealAccounts),
];

const VERSION_WORDS: readonly string[] = ["version", "--version", "-v", "-V"];
const HELP_WORDS: readonly string[] = ["help", "--help", "-h"];

export interface Surroundings extends Streams {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong. */
export async function runCommandLine(
  [name, ...words]: readonly string[],
  { version, environment, out, err }: Surroundings,
): Promise<number> {
  const terminal = openTerminal({ out, err });
  if (name !== undefined && VERSION_WORDS.includes(name)) {
    terminal.print(version);
    return 0;
  }
  const asksForHelp = name === undefined || HELP_WORDS.includes(name);
  const sought = asksForHelp ? words[0] : name;
  const command = COMMANDS.find((candidate) => candidate.name === sought);
  if (command === undefined) {
    if (sought === undefined) {
      terminal.print(overview(version));
      return 0;
    }
    terminal.complain(
      `there is no command ${sought}; there are ${COMMANDS.map((known) => known.name).join(", ")}`,
    );
    return 2;
  }
  if (asksForHelp || words.includes("--help") || words.includes("-h")) {
    terminal.print(
      `usage: crossrate ${[command.name, command.usage].join(" ").trim()}\n\n${command.summary}\n\n${command.help}`,
    );
    return 0;
  }
  try {
    return await command.run({ version, environment, words, terminal });
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    terminal.complain(`crossrate ${command.name}: ${message}`);
    if (fault instanceof UsageFault)
      terminal.complain(`usage: crossrate ${[command.name, command.usage].join(" ").trim()}`);
    return fault instanceof UsageFault || fault instanceof ConfigFault ? 2 : 1;
  }
}

function overview(version: string): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const lines = COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `crossrate ${version} — indicative foreign-exchange rates with exact provenance

usage: crossrate <command> [--help]

${lines.join("\n")}

From a checkout, crossrate is: bun src/main.ts. Settings are environment variables, also from a .env file; README.md
and .env.example list them all. Exit codes: 0 done, 1 it did not work, 2 the command line or a setting is wrong.`;
}
