/** `crossrate accounts suspend|resume|tier|audit`: an operator's changes to an account, and its audit log. */

import { UsageFault } from "#cli/command.ts";
import type { Terminal } from "#commands/command.ts";
import { auditFacts, identityFacts, organizationFacts } from "#domain/account/facts.ts";
import { TIERS, type Tier } from "#domain/account/organization.ts";
import type { OpenedAccounts } from "./open.ts";
import { type OutputOptions, printFacts, printRows } from "./output.ts";

/** A person, whose sessions end, or an organization; their keys are refused within seconds. */
export async function setSuspended(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  id: string,
  isSuspended: boolean,
): Promise<number> {
  const changed = id.startsWith("org_")
    ? await accounts.suspendOrganization(id, isSuspended)
    : await accounts.suspendPerson(id, isSuspended);
  if (changed === null) return noAccount(terminal, id);
  const now = accounts.clock.now();
  printFacts(
    terminal,
    options,
    "ownerId" in changed ? organizationFacts(changed, now) : identityFacts(changed),
  );
  return 0;
}

export async function setTier(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  [id = "", word = ""]: readonly string[],
): Promise<number> {
  const tier: Tier | undefined = TIERS.find((candidate) => candidate === word);
  if (tier === undefined) throw new UsageFault(`tier must be one of ${TIERS.join(", ")}`);
  const changed = await accounts.giveTier(id, tier);
  if (changed === null) return noAccount(terminal, id);
  printFacts(terminal, options, organizationFacts(changed, accounts.clock.now()));
  if (changed.billingSubscriptionId !== null) {
    terminal.complain(
      "this organization pays by subscription: the next notice of the payment provider sets the tier that was bought",
    );
  }
  return 0;
}

export async function printAudit(
  { ledger }: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  subject: string | undefined,
  limit: number,
): Promise<number> {
  const entries = await ledger.audit.list(subject === undefined ? {} : { subject }, limit);
  const rows = entries.map((entry) => ({ ...auditFacts(entry), detail: JSON.stringify(entry.detail) }));
  printRows(terminal, options, rows, "the audit log has no such entries");
  return 0;
}

function noAccount(terminal: Terminal, id: string): number {
  terminal.complain(`there is no account ${id}; crossrate accounts list shows them`);
  return 1;
}
