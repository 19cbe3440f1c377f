/** Completion for zsh. */

import type { Flag } from "#cli/command.ts";
import type { Completed } from "./completed.ts";

export function zshScript(commands: readonly Completed[]): string {
  const listed = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map(({ name, words: { subcommands = {}, flags = [] }, operands }) => {
    const first = Object.entries(subcommands).map(([word, meaning]) => `${word}\\:"${quoted(meaning)}"`);
    const rest = operands.length === 0 ? "_files" : `_values -s , word ${operands.join(" ")}`;
    const operandLines = [
      ...(first.length === 0 ? [] : [`'1:what:((${first.join(" ")}))'`]),
      `'*:word:${rest}'`,
    ];
    return `    ${name})
      _arguments '--help[show help]' ${[...flags.map(argumentOf), ...operandLines].join(" \\\n        ")}
      ;;`;
  });
  return `#compdef crossrate
_crossrate() {
  local -a commands
  commands=(
${listed.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
if [[ "\${funcstack[1]}" = "_crossrate" ]]; then _crossrate "$@"; else compdef _crossrate crossrate; fi
`;
}

function argumentOf({ name, short, shown, choices, meaning }: Flag): string {
  const names = short === undefined ? `'${name}` : `'(${short} ${name})'{${short},${name}}'`;
  const text = `${names}[${quoted(meaning).replace(/[[\]]/g, "\\$&")}]`;
  if (shown === undefined) return `${text}'`;
  return `${text}:value:${choices === undefined ? "_files" : `(${choices.join(" ")})`}'`;
}

/** Inside single quotes, and without the colons that separate parts. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:").replaceAll('"', "");
}
