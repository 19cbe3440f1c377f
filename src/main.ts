#!/usr/bin/env bun
/** The command line: finds the command, gives it its surroundings, and turns faults into one clear message. */

import { backfillCommand, collectCommand } from "#commands/collect.ts";
import { type Command, UsageFault } from "#commands/command.ts";
import { compactCommand } from "#commands/compact.ts";
import { demoCommand } from "#commands/demo.ts";
import { exportCommand } from "#commands/export.ts";
import { discardCommand, heldCommand, releaseCommand } from "#commands/held.ts";
import { serveCommand } from "#commands/serve.ts";
import { openTerminal } from "#commands/terminal.ts";
import { ConfigFault } from "#config.ts";
import { VERSION } from "#version.ts";

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
];

widenThreadPool();
process.exit(await main(process.argv.slice(2)));

/**
 * DuckDB's statements run on the runtime's thread pool, whose size is fixed when the process starts: at its default two
 * long exports on two cores would stop every other query and file read. So the process starts itself again, once,
 * in place, with a wider one.
 */
function widenThreadPool(): void {
  if (process.env["UV_THREADPOOL_SIZE"] !== undefined) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const environment = { ...process.env, UV_THREADPOOL_SIZE: "32" };
  (process as ProcessWithExec).execve?.(process.execPath, again, environment);
}

/** Absent where the system has no exec: then the pool stays as it is. */
type ProcessWithExec = { execve?(file: string, args: readonly string[], env: object): never };

/** Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong. */
async function main([name, ...words]: readonly string[]): Promise<number> {
  const terminal = openTerminal({ out: process.stdout, err: process.stderr });
  if (name === "--version" || name === "version") {
    terminal.print(VERSION);
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const asked = name === undefined || name === "--help" || name === "-h" || name === "help";
    if (!asked) terminal.print(`there is no command ${name}\n`);
    terminal.print(overview());
    return asked ? 0 : 2;
  }
  if (words.includes("--help") || words.includes("-h")) {
    terminal.print(
      `usage: crossrate ${[command.name, command.usage].join(" ").trim()}\n\n${command.summary}\n\n${command.help}`,
    );
    return 0;
  }
  try {
    return await command.run({ version: VERSION, environment: process.env, words, terminal });
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    terminal.complain(`crossrate ${command.name}: ${message}`);
    if (fault instanceof UsageFault) terminal.complain(`usage: crossrate ${command.name} ${command.usage}`);
    return fault instanceof UsageFault || fault instanceof ConfigFault ? 2 : 1;
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const lines = COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `crossrate ${VERSION} — indicative foreign-exchange rates with exact provenance

usage: crossrate <command> [--help]

${lines.join("\n")}

Settings come from the environment; README.md lists them all.`;
}
