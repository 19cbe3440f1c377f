/** Part of `bun run generate`: the list of commands in docs/cli.md, made from the tree of commands. */

import { join } from "node:path";
import type { Command } from "commander";
import { newProgram } from "#commands/command-line.ts";

const DOCUMENT = join(import.meta.dir, "..", "docs/cli.md");
const nothing = () => async () => {};
const SILENT = {
  print: () => {},
  write: async () => true,
  complain: () => {},
  progress: () => {},
  note: () => {},
  screen: { isTerminal: false, hasColour: false, columns: Infinity, lines: Infinity },
};

/** Every command of the program; it runs none of them. */
export function wholeProgram(): Command {
  return newProgram("", SILENT, { rates: nothing, asking: nothing, lasting: nothing });
}

/** The commands that do something, with their words and options: one row each. A group that takes words does something itself. */
function rowsOf(command: Command, path: string): readonly string[] {
  const below = command.commands.flatMap((each) => rowsOf(each, `${path} ${each.name()}`));
  if (below.length > 0 && command.registeredArguments.length === 0) return below;
  const words = command.usage().replace(/\[(options|command)\] ?/g, "");
  const options = command.options.map(
    ({ long, short }) => `\`${[short, long].filter(Boolean).join("`, `")}\``,
  );
  return [`| \`${`${path} ${words}`.trim()}\` | ${command.description()} | ${options.join(" ")} |`, ...below];
}

/** A document in which the table of commands is the current one. */
export function withCommands(document: string): string {
  const program = wholeProgram();
  const rows = program.commands.flatMap((each) => rowsOf(each, each.name()));
  const table = ["| command and words | what it does | options |", "|---|---|---|", ...rows].join("\n");
  return document.replace(/^\| command and words \|.*(?:\n\|.*)*/m, () => table);
}

if (import.meta.main) await Bun.write(DOCUMENT, withCommands(await Bun.file(DOCUMENT).text()));
