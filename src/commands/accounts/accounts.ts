/** `crossrate accounts …`: the operator's view of people and organizations, on the configured ledger. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { helpOf } from "#cli/words/flags.ts";
import type { Command, Terminal } from "#commands/command.ts";
import { NEW_LEDGER_FLAG, NEW_LEDGER_HELP, readFlags } from "#commands/flags.ts";
import { type OpenAccounts, type OpenedAccounts, withAccounts } from "./open.ts";
import { type OutputOptions, readOptions, TABLE_JSON_FLAG } from "./output.ts";
import { createAdmin, findPeople, listPeople, printResetLink } from "./people.ts";
import { printAudit, setSuspended, setTier } from "./status.ts";

const LONGEST_AUDIT = 10_000;
const AUDIT_FLAGS: readonly Flag<"--subject" | "--limit">[] = [
  {
    name: "--subject",
    shown: "KIND:ID",
    allowed: "a subject such as organization:org_… or identity:idn_…",
    accepts: (text) => /^[a-z_]+:\S+$/.test(text),
    meaning: "only what was done to this one (everything)",
  },
  {
    name: "--limit",
    shown: "N",
    allowed: `a whole number from 1 to ${LONGEST_AUDIT}`,
    accepts: (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= LONGEST_AUDIT,
    meaning: "entries to show, newest first (50)",
  },
];

const SUBCOMMANDS = {
  list: "every person, with organization and tier",
  find: "one person with organization and keys; WHO is an e-mail address, an id, or the beginning of a key",
  "create-admin": "makes an administrator of the address, and prints the link to set a password",
  "reset-link": "prints a link to set a new password: for one hour, once; earlier links stop working",
  suspend: "shuts a person (idn_…) or an organization (org_…) out; a person's sessions end",
  resume: "lets them in again",
  tier: "free, basic, plus or pro; independent of purchases",
  audit: "who changed what and when",
} as const;

type Act = (accounts: OpenedAccounts, terminal: Terminal, options: OutputOptions) => Promise<number>;

export function accountsCommand(open: OpenAccounts): Command {
  return {
    name: "accounts",
    group: "Run a server",
    summary:
      "list, find, suspend people and organizations; make administrators and reset links; read the audit log",
    usage: "list|find|create-admin|reset-link|suspend|resume|tier|audit [--json] [--new-ledger]",
    help: `  list                     ${SUBCOMMANDS.list}
  find WHO                 ${SUBCOMMANDS.find}
  create-admin EMAIL       ${SUBCOMMANDS["create-admin"]}
  reset-link EMAIL         ${SUBCOMMANDS["reset-link"]}
  suspend ID               ${SUBCOMMANDS.suspend}
  resume ID                ${SUBCOMMANDS.resume}
  tier ORG TIER            ${SUBCOMMANDS.tier}
  audit                    ${SUBCOMMANDS.audit}

Flags of audit:
${helpOf(AUDIT_FLAGS)}

--json prints JSON in place of a table. Every change is written to the audit log as the operator's. It takes effect at
once in the ledger, and within seconds in running servers. Exit code 1 when there is no such account. The ledger is that
of DATA_DIR, or of DATABASE_URL: for the demo's accounts set DATA_DIR=data/demo.

${NEW_LEDGER_HELP}

  crossrate accounts create-admin you@example.org
  crossrate accounts find fxk_0123456789AB
  crossrate accounts tier org_… pro
  crossrate accounts audit --subject organization:org_… --limit 10 --json`,
    words: { subcommands: SUBCOMMANDS, flags: [...AUDIT_FLAGS, TABLE_JSON_FLAG, NEW_LEDGER_FLAG] },
    async run(context) {
      const options = readOptions(context);
      const act = actOf(options);
      return await withAccounts(open, context, (accounts) => act(accounts, context.terminal, options));
    },
  };
}

/** What the words ask for; UsageFault before anything is opened. */
function actOf({ words: [verb = "", ...rest] }: OutputOptions): Act {
  const [first = "", second = ""] = rest;
  const needs = (count: number, what: string) => {
    if (rest.length !== count) throw new UsageFault(what);
  };
  switch (verb) {
    case "list":
      needs(0, "list takes nothing more");
      return listPeople;
    case "find":
      needs(1, "name an e-mail address, an id, or the beginning of a key");
      return (accounts, terminal, options) => findPeople(accounts, terminal, options, first);
    case "create-admin":
      needs(1, "name an e-mail address");
      return (accounts, terminal, options) => createAdmin(accounts, terminal, options, first);
    case "reset-link":
      needs(1, "name an e-mail address");
      return (accounts, terminal, options) => printResetLink(accounts, terminal, options, first);
    case "suspend":
    case "resume":
      needs(1, "name the id of a person or an organization");
      return (accounts, terminal, options) =>
        setSuspended(accounts, terminal, options, first, verb === "suspend");
    case "tier":
      needs(2, "name the id of an organization and a tier");
      return (accounts, terminal, options) => setTier(accounts, terminal, options, [first, second]);
    case "audit": {
      const value = readFlags(rest, AUDIT_FLAGS);
      const limit = Number(value("--limit") ?? 50);
      return (accounts, terminal, options) =>
        printAudit(accounts, terminal, options, value("--subject"), limit);
    }
    default:
      throw new UsageFault(
        "say what to do: list, find, create-admin, reset-link, suspend, resume, tier or audit",
      );
  }
}
