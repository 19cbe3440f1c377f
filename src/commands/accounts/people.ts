/** `crossrate accounts list|find|create-admin|reset-link`: people and their way in. */

import { UsageFault } from "#cli/command.ts";
import type { Terminal } from "#commands/command.ts";
import { identityFacts, keyFacts, organizationFacts } from "#domain/account/facts.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { OpenedAccounts } from "./open.ts";
import { type OutputOptions, printFacts, printRows } from "./output.ts";

const PAGE = 200;

export async function listPeople(
  { ledger }: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
): Promise<number> {
  const rows = [];
  for (let after: string | null = null; ; ) {
    const page: readonly Identity[] = await ledger.identities.list(after, PAGE);
    for (const identity of page) {
      const organization = await ledger.organizations.byOwner(identity.id);
      const { signs_in_with: _, email_verified_at: __, ...facts } = identityFacts(identity);
      rows.push({ ...facts, organization: organization?.id ?? null, tier: organization?.tier ?? null });
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  printRows(terminal, options, rows, "there are no accounts");
  return 0;
}

/** By e-mail address, id of a person or an organization, or the beginning of an API key. */
export async function findPeople(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  text: string,
): Promise<number> {
  const { ledger, clock } = accounts;
  const owners = await accounts.ownersOf(text);
  const found = [];
  for (const ownerId of owners) {
    const identity = await ledger.identities.byId(ownerId);
    const organization = await ledger.organizations.byOwner(ownerId);
    const keys = organization === null ? [] : await ledger.keys.list(organization.id);
    found.push({ identity, organization, keys: keys.map((key) => keyFacts(key, clock.now())) });
  }
  const facts = found.map(({ identity, organization, keys }) => ({
    identity: identity && identityFacts(identity),
    organization: organization && organizationFacts(organization, clock.now()),
    keys,
  }));
  if (options.json) terminal.print(JSON.stringify(facts, null, 2));
  else for (const one of facts) printPerson(terminal, options, one);
  if (facts.length === 0 && !options.json) terminal.print("no account was found");
  return facts.length === 0 ? 1 : 0;
}

/** A person of this address as an administrator, made where there is none, and the link to set a password. */
export async function createAdmin(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  email: string,
): Promise<number> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageFault("name an e-mail address");
  const { ledger } = accounts;
  const by = accounts.by();
  const wanted = { email, passwordHash: null, emailVerifiedAt: null, role: "admin" } as const;
  let identity: Identity | "email_taken" | null = await ledger.identities.create(wanted, by);
  if (identity === "email_taken") {
    const present = await ledger.identities.byEmail(email);
    identity = present && (await ledger.identities.change(present.id, { role: "admin" }, by));
  }
  if (identity === null || identity === "email_taken")
    throw new Error("the account changed meanwhile; try again");
  const link = identity.external === null ? await accounts.resetLink(identity) : null;
  printFacts(terminal, options, {
    id: identity.id,
    email: identity.email,
    role: identity.role,
    ...linkFacts(link),
  });
  return 0;
}

export async function printResetLink(
  accounts: OpenedAccounts,
  terminal: Terminal,
  options: OutputOptions,
  email: string,
): Promise<number> {
  const identity = await accounts.ledger.identities.byEmail(email);
  if (identity === null) {
    terminal.complain("no account has this e-mail address");
    return 1;
  }
  const link = await accounts.resetLink(identity);
  printFacts(terminal, options, { id: identity.id, email: identity.email, ...linkFacts(link) });
  return 0;
}

function linkFacts(link: string | null) {
  if (link === null) return {};
  const [, token = ""] = link.split("#token=");
  return {
    link,
    token,
    use: 'open the link, or POST {"token": …, "new": …} to /v1/auth/password-reset/confirm, within one hour, once',
  };
}

interface Person {
  readonly identity: ReturnType<typeof identityFacts> | null;
  readonly organization: ReturnType<typeof organizationFacts> | null;
  readonly keys: readonly ReturnType<typeof keyFacts>[];
}

function printPerson(
  terminal: Terminal,
  options: OutputOptions,
  { identity, organization, keys }: Person,
): void {
  if (identity !== null) printFacts(terminal, options, identity);
  terminal.print(organization === null ? "\nno organization" : "\norganization");
  if (organization !== null) printFacts(terminal, options, organization);
  terminal.print("");
  printRows(terminal, options, keys, "no keys");
}
