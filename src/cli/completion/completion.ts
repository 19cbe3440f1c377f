/** `crossrate completion`: prints a script for bash, zsh or fish, generated from the table of commands. */

import { type Command, EXIT, type Flag, UsageFault, type Words } from "#cli/command.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

type Described = Pick<Command, "name" | "summary" | "words">;

/** A command as the scripts of the shells need it. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly words: Words;
  /** What the words can be that are neither flags nor subcommands. */
  readonly operands: readonly string[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `all` are the commands of the program. */
export function completionCommand(all: () => Promise<readonly Described[]>): Command {
  return {
    name: "completion",
    group: "Ask a server",
    summary: "a script that completes commands, flags and currencies in bash, zsh or fish",
    usage: SHELLS.join("|"),
    help: `  source <(crossrate completion bash)                                       # in ~/.bashrc
  crossrate completion zsh > "\${fpath[1]}/_crossrate"                       # then start a new zsh
  crossrate completion fish > ~/.config/fish/completions/crossrate.fish`,
    words: { operands: "shells" },
    async run({ words, terminal }) {
      const [shell = "", ...more] = words;
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined;
      if (script === undefined || more.length > 0) throw new UsageFault(`name a shell: ${SHELLS.join(", ")}`);
      const commands = await all();
      await terminal.write(script(completedOf(commands)));
      return EXIT.done;
    },
  };
}

function completedOf(commands: readonly Described[]): readonly Completed[] {
  const operandsOf = {
    currencies: CURRENCY_CODES,
    commands: commands.map(({ name }) => name),
    shells: SHELLS,
  } as const;
  return commands.map(({ name, summary, words }) => {
    const operands = words.operands === undefined ? [] : operandsOf[words.operands];
    return { name, summary, words, operands };
  });
}

/** For bash 4 and later, without the bash-completion package. Currencies are completed in either case, and behind a comma too. */
function bashScript(commands: readonly Completed[]): string {
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

function zshScript(commands: readonly Completed[]): string {
  const listed = commands.map(({ name, summary }) => `    '${name}:${zshQuoted(summary)}'`);
  const cases = commands.map(({ name, words: { subcommands = {}, flags = [] }, operands }) => {
    const first = Object.entries(subcommands).map(([word, meaning]) => `${word}\\:"${zshQuoted(meaning)}"`);
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
  const text = `${names}[${zshQuoted(meaning).replace(/[[\]]/g, "\\$&")}]`;
  if (shown === undefined) return `${text}'`;
  return `${text}:value:${choices === undefined ? "_files" : `(${choices.join(" ")})`}'`;
}

/** Inside single quotes, and without the colons that separate parts. */
function zshQuoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:").replaceAll('"', "");
}

function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, words: { subcommands = {}, flags = [] }, operands }) => {
    const here = `complete -c crossrate -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c crossrate -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
      `${here} -l help -d 'show help'`,
      ...flags.map(({ name: flag, short, shown, choices, meaning }) => {
        const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
        const value =
          shown === undefined
            ? ""
            : choices === undefined
              ? " -r -F"
              : ` -x -a ${fishQuoted(choices.join(" "))}`;
        return `${here} -l ${flag.slice(2)}${letter}${value} -d ${fishQuoted(meaning)}`;
      }),
      ...Object.entries(subcommands).map(([word, meaning]) => `${here} -a ${word} -d ${fishQuoted(meaning)}`),
      ...(operands.length === 0 ? [] : [`${here} -a ${fishQuoted(operands.join(" "))}`]),
    ];
  });
  return `# fish completion for crossrate\ncomplete -c crossrate -f\n${lines.join("\n")}\n`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
