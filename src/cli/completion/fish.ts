/** Completion for fish. */

import type { Completed } from "./completed.ts";

export function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, words: { subcommands = {}, flags = [] }, operands }) => {
    const here = `complete -c crossrate -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c crossrate -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      `${here} -l help -d 'show help'`,
      ...flags.map(({ name: flag, short, shown, choices, meaning }) => {
        const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
        const value =
          shown === undefined ? "" : choices === undefined ? " -r -F" : ` -x -a ${quoted(choices.join(" "))}`;
        return `${here} -l ${flag.slice(2)}${letter}${value} -d ${quoted(meaning)}`;
      }),
      ...Object.entries(subcommands).map(([word, meaning]) => `${here} -a ${word} -d ${quoted(meaning)}`),
      ...(operands.length === 0 ? [] : [`${here} -a ${quoted(operands.join(" "))}`]),
    ];
  });
  return `# fish completion for crossrate\ncomplete -c crossrate -f\n${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
