/** `crossrate accounts …` and `crossrate admin keys …`: the operator's view of people, organizations and keys in the ledger. */

import { type CommandContext, type Terminal, UsageFault } from "#cli/command.ts";
import { printable, printTable } from "#cli/show.ts";
import type { Identity } from "#domain/account/identity.ts";
import { type ApiKey, keyState } from "#domain/account/key.ts";
import { type Organization, TIERS, tierInForce } from "#domain/account/organization.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { type LedgerOptions, openAccounts } from "./open-product.ts";

interface Options extends LedgerOptions {
  readonly json?: true;
  readonly subject?: string;
  readonly limit?: string;
}

interface Work {
  readonly accounts: Awaited<ReturnType<typeof openAccounts>>;
  readonly terminal: Terminal;
  readonly options: Options;
}

function onLedger<Code>(work: (work: Work, ...words: readonly string[]) => Promise<Code>) {
  return async (context: CommandContext, options: Options, words: readonly string[]) => {
    const accounts = await openAccounts(context, options);
    try {
      return await work({ accounts, terminal: context.terminal, options }, ...words);
    } finally {
      await accounts.close();
    }
  };
}

const PAGE = 200;

export const listPeople = onLedger(async ({ accounts: { ledger, clock }, terminal, options }) => {
  const rows = [];
  for (let after: string | null = null; ; ) {
    const page: readonly Identity[] = await ledger.identities.list(after, PAGE);
    for (const identity of page) {
      const organization = await ledger.organizations.byOwner(identity.id);
      const { signs_in_with: _, email_verified_at: __, ...facts } = identityFacts(identity);
      const { id = null, tier = null, status = null } = organization ?? {};
      const inForce = organization && tierInForce(organization, clock.now());
      rows.push({ ...facts, organization: id, tier, tier_in_force: inForce, status });
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  printRows(terminal, options, rows, "there are no accounts");
});

export const findPeople = onLedger(async ({ accounts, terminal, options }, text = "") => {
  const { ledger, clock } = accounts;
  const people = [];
  for (const ownerId of await accounts.ownersOf(text)) {
    const identity = await ledger.identities.byId(ownerId);
    const organization = await ledger.organizations.byOwner(ownerId);
    const keys = organization === null ? [] : await ledger.keys.list(organization.id);
    people.push({
      identity: identity && identityFacts(identity),
      organization: organization && organizationFacts(organization, clock.now()),
      keys: keys.map((key) => keyFacts(key, clock.now())),
    });
  }
  if (options.json) terminal.print(JSON.stringify(people, null, 2));
  else if (people.length === 0) terminal.print("no account was found");
  else
    for (const { identity, organization, keys } of people) {
      if (identity !== null) printFacts(terminal, options, identity);
      terminal.print(organization === null ? "\nno organization" : "\norganization");
      if (organization !== null) printFacts(terminal, options, organization);
      terminal.print("");
      printRows(terminal, options, keys, "no keys");
    }
  return people.length === 0 ? 1 : 0;
});

export const createAdmin = onLedger(async ({ accounts, terminal, options }, email = "") => {
  const { identities } = accounts.ledger;
  const by = accounts.by();
  const admin = { email, passwordHash: null, emailVerifiedAt: null, role: "admin" } as const;
  let identity: Identity | "email_taken" | null = await identities.create(admin, by);
  if (identity === "email_taken") {
    const present = await identities.byEmail(email);
    identity = present && (await identities.change(present.id, { role: "admin" }, by));
  }
  if (identity === null || identity === "email_taken")
    throw new Error("the account changed meanwhile; try again");
  const link = identity.iss === null ? linkFacts(await accounts.resetLink(identity)) : {};
  printFacts(terminal, options, { id: identity.id, email: identity.email, role: identity.role, ...link });
});

export const printResetLink = onLedger(async ({ accounts, terminal, options }, email = "") => {
  const identity = await accounts.ledger.identities.byEmail(email);
  if (identity === null) return failed(terminal, "no account has this e-mail address");
  const link = linkFacts(await accounts.resetLink(identity));
  printFacts(terminal, options, { id: identity.id, email: identity.email, ...link });
  return 0;
});

function linkFacts(link: string) {
  const [, token = ""] = link.split("#token=");
  return {
    link,
    token,
    use: 'open the link, or POST {"token": …, "new": …} to /v1/auth/password-reset/confirm, within one hour, once',
  };
}

/** Suspends a person and ends their sessions (`idn_…`), or an organization (`org_…`); their keys are refused within seconds. */
const setSuspended = (isSuspended: boolean) =>
  onLedger(async ({ accounts, terminal, options }, id = "") => {
    const changed = id.startsWith("org_")
      ? await accounts.suspendOrganization(id, isSuspended)
      : await accounts.suspendPerson(id, isSuspended);
    if (changed === null) return failed(terminal, noAccount(id));
    const now = accounts.clock.now();
    const facts = "ownerId" in changed ? organizationFacts(changed, now) : identityFacts(changed);
    printFacts(terminal, options, facts);
    return 0;
  });
export const suspend = setSuspended(true);
export const resume = setSuspended(false);

export const setTier = onLedger(async ({ accounts, terminal, options }, id = "", word = "") => {
  const tier = TIERS.find((candidate) => candidate === word);
  if (tier === undefined) throw new UsageFault(`tier must be one of ${TIERS.join(", ")}`);
  const changed = await accounts.giveTier(id, tier);
  if (changed === null) return failed(terminal, noAccount(id));
  printFacts(terminal, options, organizationFacts(changed, accounts.clock.now()));
  if (changed.billingSubscriptionId !== null)
    terminal.complain(
      "this organization pays by subscription: the next notice of the payment provider sets the tier that was bought",
    );
  return 0;
});

export const forgetBilling = onLedger(async ({ accounts, terminal, options }, id = "") => {
  const organization = await accounts.ledger.organizations.byId(id);
  if (organization === null) return failed(terminal, noAccount(id));
  const changed = await accounts.forgetBilling(organization);
  if (changed === null) return failed(terminal, `${id} changed meanwhile; try again`);
  printFacts(terminal, options, organizationFacts(changed, accounts.clock.now()));
  const { billingSubscriptionId } = organization;
  if (billingSubscriptionId !== null)
    terminal.complain(
      `${billingSubscriptionId} was not cancelled: where it still runs, its owner goes on paying`,
    );
  return 0;
});

export const erase = onLedger(async ({ accounts, terminal, options }, id = "") => {
  const erased = await accounts.erasePerson(id);
  if (erased === null) return failed(terminal, noAccount(id));
  printFacts(terminal, options, { id, erased: true, ...erased });
  if (erased.customer !== null)
    terminal.complain(
      `the payment provider still has ${erased.customer}, with address and invoices: close an open payment page there, and cancel a subscription of the last minutes`,
    );
  return 0;
});

export const printAudit = onLedger(async ({ accounts: { ledger }, terminal, options }) => {
  const { subject, limit = "50" } = options;
  const entries = await ledger.audit.list(subject === undefined ? {} : { subject }, Number(limit));
  const rows = entries.map(({ id, at: when, actor, action, subject, detail }) => ({
    ...{ at: formatInstant(when), actor, action, subject, detail: JSON.stringify(detail), id },
  }));
  printRows(terminal, options, rows, "the audit log has no such entries");
});

export const listKeys = onLedger(async ({ accounts: { ledger, clock }, terminal, options }, id = "") => {
  if ((await ledger.organizations.byId(id)) === null)
    return failed(terminal, `there is no organization ${id}; crossrate accounts list shows them`);
  const keys = (await ledger.keys.list(id)).map((key) => keyFacts(key, clock.now()));
  printRows(terminal, options, keys, "no keys");
  return 0;
});

export const revokeKey = onLedger(async ({ accounts, terminal, options }, id = "") => {
  const revoked = await accounts.revokeKey(id);
  if (revoked === null) return failed(terminal, `there is no key ${id} that still works`);
  printFacts(terminal, options, keyFacts(revoked, accounts.clock.now()));
  return 0;
});

export const rewrapKeys = onLedger(async ({ accounts, terminal, options }) => {
  const { looked, rewrapped, unreadable } = await accounts.rewrapKeys();
  printFacts(terminal, options, { looked, rewrapped, unreadable: unreadable.length });
  for (const id of unreadable)
    failed(
      terminal,
      `${id} does not open: its master key is missing, or it is damaged; rotating replaces it`,
    );
  return unreadable.length > 0 ? 1 : 0;
});

function noAccount(id: string): string {
  return `there is no account ${id}; crossrate accounts list shows them`;
}

function failed({ complain }: Terminal, line: string): number {
  complain(line);
  return 1;
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

function printRows(terminal: Terminal, { json }: Options, rows: readonly Row[], empty: string): void {
  const { print } = terminal;
  const heads = Object.keys(rows[0] ?? {});
  if (json) print(JSON.stringify(rows, null, 2));
  else if (rows.length === 0) print(empty);
  else {
    const cells = rows.map((row) => heads.map((head) => String(row[head] ?? "–")));
    printTable(terminal, heads, cells);
  }
}

/** Prints a line per member, or a JSON object. The only secret ever printed is a reset link. */
function printFacts({ print }: Terminal, { json }: Options, facts: Readonly<Record<string, unknown>>): void {
  if (json) {
    print(JSON.stringify(facts, null, 2));
    return;
  }
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, value] of Object.entries(facts)) {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "–");
    print(`${name.padEnd(width)}  ${printable(text)}`);
  }
}

// ── What is printed: no hash and no ciphertext ───────────────────────────────────────────────────

const at = (instant: Instant | null) => (instant === null ? null : formatInstant(instant));

function identityFacts(identity: Identity) {
  const { id, email, role, emailVerifiedAt, iss, passwordHash, createdAt, suspendedAt } = identity;
  return {
    id,
    email,
    role,
    created_at: at(createdAt),
    email_verified_at: at(emailVerifiedAt),
    suspended_at: at(suspendedAt),
    signs_in_with: iss ?? (passwordHash === null ? null : "password"),
  };
}

function organizationFacts(organization: Organization, now: Instant) {
  const { id, ownerId, tier, status, pastDueSince, createdAt } = organization;
  return {
    id,
    owner: ownerId,
    tier,
    tier_in_force: tierInForce(organization, now),
    status,
    past_due_since: at(pastDueSince),
    billing_customer: organization.billingCustomerId,
    billing_subscription: organization.billingSubscriptionId,
    created_at: at(createdAt),
  };
}

function keyFacts(key: ApiKey, now: Instant) {
  const { id, organizationId, prefix, createdAt, lastUsedAt, revokeAt, revokedAt } = key;
  return {
    id,
    prefix,
    state: keyState(key, now),
    created_at: at(createdAt),
    last_used_at: at(lastUsedAt),
    ends_at: at(revokedAt ?? revokeAt),
    organization: organizationId,
  };
}
