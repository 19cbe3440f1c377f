/** The table of commands. Each is loaded when it is called: a server does not need the demo's simulators, `--version` needs nothing. */

import { UsageFault } from "#cli/command.ts";
import type { Command } from "./command.ts";
import { NEW_LEDGER } from "./flags.ts";

interface Entry {
  readonly load: () => Promise<Command>;
  /** Ends by `context.signal`. The others end as a process does, or listen for signals themselves. */
  readonly isInterruptible: boolean;
}

const asking = (load: Entry["load"]): Entry => ({ load, isInterruptible: true });
const own = (load: Entry["load"]): Entry => ({ load, isInterruptible: false });

/** Commands of an operator whose names the commands that ask a server have, too. */
const operators = {
  keys: async () => (await import("./accounts/keys.ts")).operatorKeysCommand(await realAccounts()),
  official: async () => (await import("./data/official.ts")).operatorOfficialCommand,
} as const;

/** In the order of the overview within each group. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  latest: asking(async () => (await import("#cli/rates/history.ts")).latestCommand),
  convert: asking(async () => (await import("#cli/rates/convert.ts")).convertCommand),
  history: asking(async () => (await import("#cli/rates/history.ts")).historyCommand),
  range: asking(async () => (await import("#cli/rates/range.ts")).rangeCommand),
  stream: asking(async () => (await import("#cli/rates/stream.ts")).streamCommand),
  official: asking(async () =>
    withOperatorWords(
      (await import("#cli/rates/official.ts")).officialCommand,
      (words) => words.includes(NEW_LEDGER),
      operators.official,
    ),
  ),
  currencies: asking(async () => (await import("#cli/rates/currencies.ts")).currenciesCommand),
  completion: own(async () => (await import("#cli/completion/completion.ts")).completionCommand(loadAll)),
  mcp: asking(async () => (await import("./mcp/mcp.ts")).mcpCommand),
  login: asking(async () => (await import("#cli/account/login.ts")).loginCommand),
  logout: asking(async () => (await import("#cli/account/login.ts")).logoutCommand),
  keys: asking(async () =>
    withOperatorWords(
      (await import("#cli/account/keys.ts")).keysCommand,
      areOperatorKeyWords,
      operators.keys,
    ),
  ),
  usage: asking(async () => (await import("#cli/account/usage.ts")).usageCommand),
  webhooks: asking(async () => (await import("#cli/webhooks/webhooks.ts")).webhooksCommand),
  serve: own(async () => (await import("./serve.ts")).serveCommand),
  demo: own(async () => (await import("./demo/demo.ts")).demoCommand),
  doctor: asking(async () => (await import("./doctor/doctor.ts")).doctorCommand),
  accounts: own(async () => (await import("./accounts/accounts.ts")).accountsCommand(await realAccounts())),
  admin: own(async () => adminCommand(operators)),
  backfill: own(async () => (await import("./data/collect.ts")).backfillCommand),
  collect: own(async () => (await import("./data/collect.ts")).collectCommand),
  export: own(async () => (await import("./export/export.ts")).exportCommand),
  compact: own(async () => (await import("./data/compact.ts")).compactCommand),
  verify: asking(async () => (await import("./data/verify.ts")).verifyCommand),
  repair: own(async () => (await import("./data/repair.ts")).repairCommand),
  held: own(async () => (await import("./data/held.ts")).heldCommand),
  release: own(async () => (await import("./data/held.ts")).releaseCommand),
  discard: own(async () => (await import("./data/held.ts")).discardCommand),
  live: own(async () => (await import("./data/live.ts")).liveCommand),
};

async function realAccounts() {
  return (await import("./open-product.ts")).openRealAccounts;
}

/** Every command, in the order of the table. */
export async function loadAll(): Promise<readonly Command[]> {
  return await Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
}

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

const SUBCOMMANDS = {
  keys: "API keys of every organization: list, revoke, rewrap",
  official: "how the official tables are collected here",
} as const;

function adminCommand(loaders: Loaders): Command {
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
function withOperatorWords(
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
function areOperatorKeyWords([verb, id]: readonly string[]): boolean {
  return verb === "rewrap" || ((verb === "list" || verb === "revoke") && /^(org|key)_/.test(id ?? ""));
}
