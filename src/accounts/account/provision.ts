/** POST /v1/account/provision: creates the organization and its first key if they do not exist. */

import type { AccountDeps } from "#accounts/deps.ts";
import { attempt } from "#accounts/identity/attempts.ts";
import { makeKey, readableKey } from "#accounts/keys/issue-key.ts";
import type { By } from "#domain/account/audit.ts";
import { withLedger } from "#domain/account/ledger.ts";
import type { CurrentKey } from "#domain/account/own-account.ts";
import { Failure } from "#domain/faults/errors.ts";

export interface SignUpFacts {
  /** Where the sign-up came from, as the caller states; null when it states nothing. */
  readonly attribution: Readonly<Record<string, string>> | null;
  readonly marketingConsent: boolean;
}

/**
 * However many calls race, they make one organization and one key, `created` is true once, and the others get the same key.
 * Facts are stored from the call that makes the organization. Failure `session_required`
 * when the identity is gone, `rate_limited`, `service_unavailable`.
 */
export async function provision(
  deps: AccountDeps,
  ownerId: string,
  facts: SignUpFacts,
  by: By,
): Promise<CurrentKey> {
  await attempt(deps.attempts, deps.clock.now(), [{ limit: "provision of", key: ownerId }]);
  const wanted = {
    ownerId,
    attribution: facts.attribution === null ? null : JSON.stringify(facts.attribution),
    marketingConsent: facts.marketingConsent,
    makeKey: (organizationId: string) => makeKey(deps, organizationId),
  };
  const provisioned = await withLedger(() => deps.ledger.organizations.provision(wanted, by));
  if (provisioned === null) throw new Failure("session_required");
  const { created, key } = provisioned;
  return { created, organizationId: key.organizationId, key: await readableKey(deps, key) };
}
