/** `crossrate completion`: a script for bash, zsh or fish, generated from the same table as the help. */

import { type Command, EXIT, UsageFault } from "#cli/command.ts";
import { bashScript } from "./bash.ts";
import { completedOf, type Described, SHELLS } from "./completed.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

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
