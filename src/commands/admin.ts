/** `crossrate admin`: commands of an operator whose names belong to the commands that ask a server. */

import { UsageFault } from "#cli/command.ts";
import type { Command } from "./command.ts";

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

const SUBCOMMANDS = {
  keys: "API keys of every organization: list, revoke, rewrap",
  official: "how the official tables are collected here",
} as const;

export function adminCommand(loaders: Loaders): Command {
  const loaderOf = (name: string) => (Object.hasOwn(loaders, name) ? loaders[name] : undefined);
  return {
    name: "admin",
    group: "Run a server",
    summary: "the operator's view of API keys and of official tables, on this machine's stores",
    usage: "keys|official …",
    help: `  keys       ${SUBCOMMANDS.keys}
  official   ${SUBCOMMANDS.official}

Both work on the stores of DATA_DIR, or on the database of DATABASE_URL, beside a running server. crossrate keys and
crossrate official are those of a user, and ask a server.

  crossrate admin keys --help
  crossrate admin keys list org_…
  crossrate admin official`,
    words: { subcommands: SUBCOMMANDS },
    async member([name = ""]) {
      return (await loaderOf(name)?.()) ?? null;
    },
    async run(context) {
      const [name = "", ...words] = context.words;
      const load = loaderOf(name);
      if (load === undefined) throw new UsageFault(`say what: ${Object.keys(loaders).join(" or ")}`);
      return await (await load()).run({ ...context, words });
    },
  };
}

/** The command of a user, which gives way where its words are those of the operator's command of that name. */
export function withOperatorWords(
  command: Command,
  isOperators: (words: readonly string[]) => boolean,
  load: () => Promise<Command>,
): Command {
  return {
    ...command,
    run: async (context) =>
      isOperators(context.words) ? await (await load()).run(context) : await command.run(context),
  };
}

/** `list ORG`, `revoke KEY`, `rewrap`: an owner's own commands name neither. */
export function areOperatorKeyWords([verb, id]: readonly string[]): boolean {
  return verb === "rewrap" || ((verb === "list" || verb === "revoke") && /^(org|key)_/.test(id ?? ""));
}
