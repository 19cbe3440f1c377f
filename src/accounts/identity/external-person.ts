/** Finds or creates the identity of a person at an OpenID provider, by issuer and subject. */

import type { Identity } from "#domain/account/identity.ts";
import type { ExternalIdentity } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

interface ExternalPersonDeps {
  readonly ledger: Pick<Ledger, "identities">;
  readonly clock: Clock;
}

/**
 * Never found by its e-mail. An address that the provider does not vouch for is not stored: otherwise
 * any caller could hold another person's address, and its owner could not sign up with it.
 */
export async function externalPerson(
  { ledger, clock }: ExternalPersonDeps,
  { iss, sub, email, email_verified: isVerified }: ExternalIdentity,
): Promise<Identity> {
  const now = clock.now();
  const contact = isVerified ? email : null;
  const { identity } = await ledger.identities.ensureExternal(
    { iss, sub },
    { email: contact, emailVerifiedAt: contact === null ? null : now },
    { at: now, actor: "system" },
  );
  return identity;
}
