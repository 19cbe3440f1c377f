/** `crossrate accounts suspend|resume|tier|audit`: an operator's changes to an account, and its audit log. */

import { UsageFault } from "#cli/command.ts";
import type { Terminal } from "#commands/command.ts";
import { auditFacts, identityFacts, organizationFacts } from "#domain/account/facts.ts";
import { givenTier, type Organization, TIERS, type Tier } from "#domain/account/organization.ts";
import { byOperator, type OpenedAccounts } from "./open.ts";
import { type OutputOptions, printFacts, printRows } from "./output.ts";

/** A person, whose sessions end, or an organization; their keys are refused within seconds. */
export async function setSuspended(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  id: string,
  isSuspended: boolean,
): Promise<number> {
  const { ledger, clock } = accounts;
  const by = byOperator(accounts);
  if (id.startsWith("org_")) {
    const organization = await ledger.organizations.byId(id);
    if (organization === null) return noAccount(terminal, id);
    const status = isSuspended ? "suspended" : resumedStatus(organization);
    const changed = await ledger.organizations.change(id, { status }, by);
    if (changed === null) return noAccount(terminal, id);
    await forgetKeys(accounts, id);
    printFacts(terminal, options, organizationFacts(changed, clock.now()));
    return 0;
  }
  const patch = { suspendedAt: isSuspended ? by.at : null };
  const changed = await ledger.identities.change(id, patch, by, isSuspended ? "all" : "none");
  if (changed === null || changed === "email_taken") return noAccount(terminal, id);
  const organization = await ledger.organizations.byOwner(id);
  if (organization !== null) await forgetKeys(accounts, organization.id);
  printFacts(terminal, options, identityFacts(changed));
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
  const { organizations } = accounts.ledger;
  const present = await organizations.byId(id);
  const changed =
    present === null ? null : await organizations.change(id, givenTier(present, tier), byOperator(accounts));
  if (changed === null) return noAccount(terminal, id);
  await forgetKeys(accounts, id);
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

/** The earlier status is not stored: it follows from the payments. */
function resumedStatus({ pastDueSince }: Organization): "past_due" | "active" {
  return pastDueSince === null ? "active" : "past_due";
}

/** What processes remember of the keys is out of date. */
async function forgetKeys({ ledger, keyNews }: OpenedAccounts, organizationId: string): Promise<void> {
  keyNews.ended((await ledger.keys.list(organizationId)).map(({ id }) => id));
}

function noAccount(terminal: Terminal, id: string): number {
  terminal.complain(`there is no account ${id}; crossrate accounts list shows them`);
  return 1;
}
