/** `crossrate completion`: a shell script that asks this program for the next words, by the tree of commands. */

import type { Command } from "commander";
import type { CommandContext } from "./command.ts";

/** Each calls `crossrate completion SHELL -- WORDS`; the last word is incomplete. */
const SCRIPTS = {
  // Also for the bash 3.2 of macOS, which has no mapfile.
  bash: `_crossrate() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") IFS=$'\\n'
  COMPREPLY=($(crossrate completion bash -- "\${words[@]}"))
}
complete -o default -F _crossrate crossrate
`,
  zsh: `#compdef crossrate
_crossrate() {
  local -a offers=("\${(@f)$(crossrate completion zsh -- "\${(@)words[2,CURRENT]}")}")
  if [[ -n "$offers" ]]; then _describe crossrate offers; else _files; fi
}
if [[ "\${funcstack[1]}" = "_crossrate" ]]; then _crossrate "$@"; else compdef _crossrate crossrate; fi
`,
  // Without -f fish mixes the files of the folder with the offers.
  fish: `function __crossrate
  set -l offers (crossrate completion fish -- (commandline -opc)[2..] (commandline -ct))
  if set -q offers[1]; printf '%s\\n' $offers; else; __fish_complete_path (commandline -ct); end
end
complete -c crossrate -f -a '(__crossrate)'
`,
} as const;

export const SHELLS = ["bash", "zsh", "fish"] as const;

const GAPS = { zsh: ":", fish: "\t" } as const;

export const completion =
  (program: Command) =>
  async ({ terminal }: CommandContext, _: unknown, [name, ...words]: readonly string[]) => {
    const shell = SHELLS.find((candidate) => candidate === name) ?? "bash";
    if (words.length === 0) await terminal.write(SCRIPTS[shell]);
    for (const { text, meaning } of words.length === 0 ? [] : offers(program, words))
      terminal.print(shell === "bash" || meaning === "" ? text : text + GAPS[shell] + meaning);
  };

interface Offer {
  readonly text: string;
  readonly meaning: string;
}

/** Offers completions of the last word: subcommands, options, their values, currencies in either case, and after a comma or a slash. */
export function offers(program: Command, words: readonly string[]): readonly Offer[] {
  const before = words.slice(words[0] === "help" ? 1 : 0, -1);
  const current = words.at(-1) ?? "";
  const command = commandIn(program, before);
  const option = command.options.find(
    (candidate) => candidate.required && [candidate.short, candidate.long].includes(before.at(-1)),
  );
  const help = command.createHelp();
  if (option !== undefined) return startingWith(current, (option.argChoices ?? []).map(plain));
  if (current.startsWith("-"))
    return startingWith(
      current,
      help
        .visibleOptions(command)
        .map(({ long, description }) => ({ text: long ?? "", meaning: description })),
    );
  const subcommands = help
    .visibleCommands(command)
    .map((each) => ({ text: each.name(), meaning: help.subcommandDescription(each) }));
  const done = /^.*[,/]/.exec(current)?.[0] ?? "";
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return startingWith(current, [...subcommands, ...[...new Set(choices)].map((text) => plain(done + text))]);
}

/** Finds the command that the first words name, or the program itself. */
export function commandIn(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function plain(text: string): Offer {
  return { text, meaning: "" };
}

function startingWith(beginning: string, all: readonly Offer[]): readonly Offer[] {
  return all.filter(({ text }) => text.toLowerCase().startsWith(beginning.toLowerCase()));
}
