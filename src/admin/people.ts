/** Reads of the operators' listener: all people in pages, one person, an organization's keys, the audit log. It also makes reset links. */

import { RESET_VALID_HOURS } from "#accounts/identity/one-time-link.ts";
import { auditFacts, identityFacts, keyFacts, organizationFacts } from "#domain/account/facts.ts";
import { shownPrefix } from "#domain/account/key-format.ts";
import type { Organization } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type AdminTools, byOperator, limitOf, nothingOf, textOf, type Verb } from "./request.ts";

const LARGEST_PAGE = 200;
const LONGEST_AUDIT = 10_000;
const WHO = "an e-mail address, an id, or the beginning of a key";

/** A page in order of id; `next_after` is null on the last one. */
export const listAccounts: Verb = async ({ ledger, clock }, { query }) => {
  const after = textOf(query, "after", /^\w{1,64}$/, "the next_after of the page before");
  const limit = limitOf(query, LARGEST_PAGE);
  // One more than requested shows whether there is another page.
  const found = await ledger.identities.list(after, limit + 1);
  const page = found.slice(0, limit);
  const accounts = [];
  for (const identity of page) {
    const organization = await ledger.organizations.byOwner(identity.id);
    accounts.push({
      identity: identityFacts(identity),
      organization: organization && organizationFacts(organization, clock.now()),
    });
  }
  return { accounts, next_after: found.length > limit ? (page.at(-1)?.id ?? null) : null };
};

/** Of an e-mail address or an id at most one; keys may share their beginning. */
export const findAccounts: Verb = async (tools, { query }) => {
  const { ledger, clock } = tools;
  const who = textOf(query, "who", /^[^\p{C}]{1,320}$/u, WHO);
  if (who === null) throw new Failure("missing_parameter", { name: "who" });
  const accounts = [];
  for (const ownerId of await ownersOf(tools, who)) {
    const identity = await ledger.identities.byId(ownerId);
    const organization = await ledger.organizations.byOwner(ownerId);
    const keys = organization === null ? [] : await ledger.keys.list(organization.id);
    accounts.push({
      identity: identity && identityFacts(identity),
      organization: organization && organizationFacts(organization, clock.now()),
      keys: keys.map((key) => keyFacts(key, clock.now())),
    });
  }
  return { accounts };
};

/** Newest first, revoked ones too. */
export const listKeys: Verb = async ({ ledger, clock }, { id }) => {
  if ((await ledger.organizations.byId(id)) === null) throw nothingOf("organization", id);
  return { keys: (await ledger.keys.list(id)).map((key) => keyFacts(key, clock.now())) };
};

/** Newest first. */
export const readAudit: Verb = async ({ ledger }, { query }) => {
  const needed = "a kind and an id, such as organization:org_…";
  const subject = textOf(query, "subject", /^[a-z_]+:[^\s\p{C}]{1,200}$/u, needed);
  const entries = await ledger.audit.list(subject === null ? {} : { subject }, limitOf(query, LONGEST_AUDIT));
  return { entries: entries.map(auditFacts) };
};

/** The only answer with a secret: a reset link. Failure `conflict` for a person without a password here. */
export const makeResetLink: Verb = async (tools, { id }) => {
  const identity = await tools.ledger.identities.byId(id);
  if (identity === null) throw nothingOf("person", id);
  const by = byOperator(tools);
  const link = await tools.resetLink(identity, by);
  return { id, email: identity.email, link, valid_hours: RESET_VALID_HOURS };
};

/** Ids of the people whom an e-mail address, an id or the beginning of a key leads to. */
export async function ownersOf(
  { ledger }: Pick<AdminTools, "ledger">,
  who: string,
): Promise<readonly string[]> {
  const owner = (organization: Organization | null) => (organization === null ? [] : [organization.ownerId]);
  if (who.includes("@")) {
    const identity = await ledger.identities.byEmail(who);
    return identity === null ? [] : [identity.id];
  }
  // A whole key may be sent: only its public prefix is searched.
  if (who.startsWith("fxk_")) {
    const holders = await ledger.keys.byPrefix(shownPrefix(who));
    return [...new Set(holders.map(({ organization }) => organization.ownerId))];
  }
  if (who.startsWith("org_")) return owner(await ledger.organizations.byId(who));
  const identity = await ledger.identities.byId(who);
  return identity === null ? [] : [identity.id];
}
