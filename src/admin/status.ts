/** Changes an account: its plan, its suspension, the revocation of a key. The change holds from the next call here. */

import { refusedValue } from "#accounts/identity/password-rules.ts";
import { identityFacts, keyFacts, organizationFacts } from "#domain/account/facts.ts";
import { givenTier, TIERS } from "#domain/account/organization.ts";
import { byOperator, forgetKeys, nothingOf, type Verb } from "./request.ts";

const PAYS =
  "this organization pays by subscription: the next notice of the payment provider sets the tier that was bought" as const;

/** `{"tier": …}`: the plan to give, whether or not it was bought. Failure `validation_error` for any other. */
export const setTier: Verb = async (tools, { id, body }) => {
  const sent: unknown = await body();
  const word = typeof sent === "object" && sent !== null && "tier" in sent ? sent.tier : undefined;
  const tier = TIERS.find((candidate) => candidate === word);
  if (tier === undefined) throw refusedValue("/tier", `one of ${TIERS.join(", ")} is needed`);
  const { organizations } = tools.ledger;
  const present = await organizations.byId(id);
  const changed =
    present === null ? null : await organizations.change(id, givenTier(present, tier), byOperator(tools));
  if (changed === null) throw nothingOf("organization", id);
  await forgetKeys(tools, id);
  const organization = organizationFacts(changed, tools.clock.now());
  return changed.billingSubscriptionId === null ? { organization } : { organization, warning: PAYS };
};

/** A person: their sessions end with it. */
export const suspendPerson: Verb = (tools, { id }) => setPersonSuspended(tools, id, true);
export const resumePerson: Verb = (tools, { id }) => setPersonSuspended(tools, id, false);

export const suspendOrganization: Verb = async (tools, { id }) =>
  await setStatus(tools, id, () => "suspended");

/** The earlier status is not stored: it follows from the payments. */
export const resumeOrganization: Verb = async (tools, { id }) =>
  await setStatus(tools, id, (pastDueSince) => (pastDueSince === null ? "active" : "past_due"));

/** At once; Failure `not_found` for a key that is unknown or has ended already. */
export const revokeKey: Verb = async (tools, { id }) => {
  const revoked = await tools.ledger.keys.revoke(id, byOperator(tools));
  if (revoked === null) throw nothingOf("working key", id);
  tools.keyNews.ended([id]);
  return { key: keyFacts(revoked, tools.clock.now()) };
};

async function setPersonSuspended(tools: Parameters<Verb>[0], id: string, isSuspended: boolean) {
  const { ledger } = tools;
  const by = byOperator(tools);
  const patch = { suspendedAt: isSuspended ? by.at : null };
  const changed = await ledger.identities.change(id, patch, by, isSuspended ? "all" : "none");
  if (changed === null || changed === "email_taken") throw nothingOf("person", id);
  const organization = await ledger.organizations.byOwner(id);
  if (organization !== null) await forgetKeys(tools, organization.id);
  return { identity: identityFacts(changed) };
}

async function setStatus(
  tools: Parameters<Verb>[0],
  id: string,
  statusOf: (pastDueSince: number | null) => "active" | "past_due" | "suspended",
) {
  const { ledger, clock } = tools;
  const organization = await ledger.organizations.byId(id);
  const status = organization && statusOf(organization.pastDueSince);
  const changed = status && (await ledger.organizations.change(id, { status }, byOperator(tools)));
  if (changed === null) throw nothingOf("organization", id);
  await forgetKeys(tools, id);
  return { organization: organizationFacts(changed, clock.now()) };
}
