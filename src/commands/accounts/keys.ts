/** `crossrate admin keys …`: an organization's API keys, the end of one, and all of them, webhook secrets too, under a new master key. */

import { UsageFault } from "#cli/command.ts";
import type { Command, Terminal } from "#commands/command.ts";
import { keyFacts } from "#domain/account/facts.ts";
import { type OpenAccounts, type OpenedAccounts, withAccounts } from "./open.ts";
import { type OutputOptions, printFacts, printRows, readOptions, TABLE_JSON_FLAG } from "./output.ts";

const SUBCOMMANDS = {
  list: "the keys of an organization, newest first, revoked ones too",
  revoke: "ends one key (key_…) at once; its owner gets a new one by rotating",
  rewrap: "encrypts every key and webhook secret anew after a new master key was put first",
} as const;

export function operatorKeysCommand(open: OpenAccounts): Command {
  return {
    name: "admin keys",
    group: "Run a server",
    summary: "list and revoke API keys; bring all secrets under a new master key",
    usage: "list|revoke|rewrap [--json]",
    help: `  list ORG      ${SUBCOMMANDS.list}
  revoke KEY    ${SUBCOMMANDS.revoke}
  rewrap        after a new master key was put first in MASTER_KEYS: encrypts every key and every webhook secret
                anew under it, so that the old master key can be taken out afterwards. Safe to interrupt, to repeat,
                and beside running servers

No command prints a key: only its owner can see it. --json prints JSON in place of a table. Exit code 1 when there is no
such key or organization, or when a key or secret could not be decrypted.

  crossrate accounts find fxk_0123456789AB     # whose key it is, and the ids
  crossrate admin keys list org_…
  crossrate admin keys revoke key_…`,
    words: { subcommands: SUBCOMMANDS, flags: [TABLE_JSON_FLAG] },
    async run(context) {
      const options = readOptions(context);
      const [verb = "", id, ...more] = options.words;
      const needsId = verb === "list" || verb === "revoke";
      if (!needsId && verb !== "rewrap") throw new UsageFault("say what to do: list, revoke or rewrap");
      if (more.length > 0 || needsId !== (id !== undefined)) {
        throw new UsageFault(NEEDED[verb]);
      }
      const act = { list: listKeys, revoke: revokeKey, rewrap }[verb];
      return await withAccounts(open, context, (accounts) =>
        act(accounts, context.terminal, options, id ?? ""),
      );
    },
  };
}

const NEEDED = {
  list: "name one organization (org_…); crossrate accounts list shows them",
  revoke: "name one key by its id (key_…); crossrate admin keys list ORG shows them",
  rewrap: "rewrap takes nothing more",
} as const;

async function listKeys(
  { ledger, clock }: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  id: string,
) {
  if ((await ledger.organizations.byId(id)) === null) {
    terminal.complain(`there is no organization ${id}; crossrate accounts list shows them`);
    return 1;
  }
  const keys = await ledger.keys.list(id);
  printRows(
    terminal,
    options,
    keys.map((key) => keyFacts(key, clock.now())),
    "no keys",
  );
  return 0;
}

async function revokeKey(accounts: OpenedAccounts, terminal: Terminal, options: OutputOptions, id: string) {
  const revoked = await accounts.revokeKey(id);
  if (revoked === null) {
    terminal.complain(`there is no key ${id} that still works`);
    return 1;
  }
  printFacts(terminal, options, keyFacts(revoked, accounts.clock.now()));
  return 0;
}

async function rewrap(accounts: OpenedAccounts, terminal: Terminal, options: OutputOptions) {
  const { looked, rewrapped, unreadable } = await accounts.rewrapKeys();
  printFacts(terminal, options, { looked, rewrapped, unreadable: unreadable.length });
  for (const id of unreadable) {
    terminal.complain(
      `${id} does not open: its master key is missing, or it is damaged; rotating replaces it`,
    );
  }
  return unreadable.length > 0 ? 1 : 0;
}
