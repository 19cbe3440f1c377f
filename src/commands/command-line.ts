/** The command line: finds the command, passes it its context, and turns faults into one clear message. */

import { ConfigFault } from "#config.ts";
import { type Command, UsageFault } from "./command.ts";
import { openTerminal, type Streams } from "./terminal.ts";

/** Each is loaded when it is asked for: a server has no use for the demo's simulators, and `--version` for none of it. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serveCommand,
  demo: async () => (await import("./demo.ts")).demoCommand,
  backfill: async () => (await import("./collect.ts")).backfillCommand,
  collect: async () => (await import("./collect.ts")).collectCommand,
  export: async () => (await import("./export/export.ts")).exportCommand,
  compact: async () => (await import("./compact.ts")).compactCommand,
  verify: async () => (await import("./repair.ts")).verifyCommand,
  repair: async () => (await import("./repair.ts")).repairCommand,
  held: async () => (await import("./held.ts")).heldCommand,
  release: async () => (await import("./held.ts")).releaseCommand,
  discard: async () => (await import("./held.ts")).discardCommand,
  live: async () => (await import("./live.ts")).liveCommand,
  official: async () => (await import("./official.ts")).officialCommand,
  accounts: async () => (await import("./accounts/accounts.ts")).accountsCommand(await realAccounts()),
  keys: async () => (await import("./accounts/keys.ts")).keysCommand(await realAccounts()),
};

async function realAccounts() {
  return (await import("./open-product.ts")).openRealAccounts;
}

const VERSION_WORDS: readonly string[] = ["version", "--version", "-v", "-V"];
const HELP_WORDS: readonly string[] = ["help", "--help", "-h"];

export interface CommandLineOptions extends Streams {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong. */
export async function runCommandLine(
  [name, ...words]: readonly string[],
  { version, environment, out, err }: CommandLineOptions,
): Promise<number> {
  const terminal = openTerminal({ out, err });
  if (name !== undefined && VERSION_WORDS.includes(name)) {
    terminal.print(version);
    return 0;
  }
  const asksForHelp = name === undefined || HELP_WORDS.includes(name);
  const sought = asksForHelp ? words[0] : name;
  if (sought === undefined) {
    terminal.print(await overview(version));
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, sought) ? COMMANDS[sought] : undefined;
  if (load === undefined) {
    terminal.complain(`there is no command ${sought}; there are ${Object.keys(COMMANDS).join(", ")}`);
    return 2;
  }
  const command = await load();
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

async function overview(version: string): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `crossrate ${version} — indicative foreign-exchange rates with exact provenance

usage: crossrate <command> [--help]

${lines.join("\n")}

From a checkout, crossrate is: bun src/main.ts. Settings are environment variables, also from a .env file;
docs/configuration.md lists them all. Exit codes: 0 done, 1 it did not work, 2 the command line or a setting is wrong.`;
}
