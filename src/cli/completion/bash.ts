/** Completion for bash 4 and later. Without the bash-completion package. */

import type { Completed } from "./completed.ts";

/** Currencies are completed in either case, and behind a comma too. */
export function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, words: { subcommands = {}, flags = [] }, operands }) => `    ${name})
      flags="${["--help", ...flags.map((flag) => flag.name)].join(" ")}"
      valued="${flags.flatMap(({ name, short, shown }) => (shown === undefined ? [] : [name, ...(short === undefined ? [] : [short])])).join(" ")}"
      first="${Object.keys(subcommands).join(" ")}"
      others="${operands.join(" ")}"
${choicesOf(flags)}      ;;`,
  );
  return `# bash completion for crossrate
_crossrate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local flags="" valued="" first="" others="" choices="" word
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help version" -- "$current"))
    return
  fi
  case "$command" in
${cases.join("\n")}
    help) first="${commands.map(({ name }) => name).join(" ")}" ;;
  esac
  for word in $valued; do
    if [[ "$before" == "$word" ]]; then
      if [[ -n "$choices" ]]; then COMPREPLY=($(compgen -W "$choices" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
      return
    fi
  done
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n "$first" && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "$first" -- "$current"))
  elif [[ -n "$others" ]]; then
    local done="" last="\${current^^}"
    [[ "$others" == *USD* ]] || last="$current"
    if [[ "$current" == *,* ]]; then done="\${current%,*},"; last="\${last##*,}"; fi
    COMPREPLY=($(compgen -P "$done" -W "$others" -- "$last"))
  fi
}
complete -F _crossrate crossrate
`;
}

function choicesOf(flags: NonNullable<Completed["words"]["flags"]>): string {
  const cases = flags.flatMap(({ name, choices }) =>
    choices === undefined ? [] : [`        ${name}) choices="${choices.join(" ")}" ;;`],
  );
  return cases.length === 0 ? "" : `      case "$before" in\n${cases.join("\n")}\n      esac\n`;
}
