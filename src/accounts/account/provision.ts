/** POST /v1/account/provision: the organization and its first key, made where they are absent. */

import { attempt } from "#accounts/identity/attempts.ts";
import { keyCreated, makeKey } from "#accounts/keys/issue-key.ts";
import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type AccountDeps, reaching } from "./deps.ts";

export interface SignUpFacts {
  /** Where the sign-up came from, as the caller says; null when nothing was said. */
  readonly attribution: Readonly<Record<string, string>> | null;
  readonly marketingConsent: boolean;
}

/**
 * ApiKeyCreatedResponse. However many race, one organization and one key come of it and `created` is true once; the others
 * are answered with the same key. Facts are kept from the call that makes the organization. Failure `session_required`
 * when the identity is gone, `rate_limited`, `service_unavailable`.
 */
export async function provision(deps: AccountDeps, ownerId: string, facts: SignUpFacts, by: By) {
  await attempt(deps.attempts, deps.clock.now(), [{ limit: "provision of", key: ownerId }]);
  const wanted = {
    ownerId,
    attribution: facts.attribution === null ? null : JSON.stringify(facts.attribution),
    marketingConsent: facts.marketingConsent,
    makeKey: (organizationId: string) => makeKey(deps, organizationId),
  };
  const provisioned = await reaching(() => deps.ledger.organizations.provision(wanted, by));
  if (provisioned === null) throw new Failure("session_required");
  return await keyCreated(deps, provisioned.created, provisioned.key);
}
