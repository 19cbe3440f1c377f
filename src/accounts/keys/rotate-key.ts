/** POST /v1/keys/rotate: a new key now; the one before it works for 24 hours more. */

import { type AccountDeps, reaching } from "#accounts/account/deps.ts";
import { attempt } from "#accounts/identity/attempts.ts";
import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/faults/errors.ts";
import { keyCreated, makeKey } from "./issue-key.ts";

/** A second rotation would end the key that is in use: the first one put it into its grace. */
const LOOK_FIRST =
  "before rotating again see GET /v1/account: it may have happened, and a second rotation ends the key in grace";

/**
 * ApiKeyCreatedResponse. A key still in the grace of an earlier rotation ends at once, so that at most two work; where no
 * key works a first one is issued. Failure `rate_limited`, `conflict` before provisioning, `service_unavailable`: then it
 * may have been rotated all the same, and GET /v1/account shows the key that stands.
 */
export async function rotateKey(deps: AccountDeps, ownerId: string, by: By) {
  await attempt(deps.attempts, deps.clock.now(), [{ limit: "rotation of", key: ownerId }]);
  const rotated = await reaching(() => rotate(deps, ownerId, by), LOOK_FIRST);
  if (rotated === null) {
    const reason =
      "there is no organization yet; POST /v1/account/provision makes one and issues its first key";
    throw new Failure("conflict", { reason });
  }
  const { key, replaced, ended } = rotated;
  deps.keyNews.ended([...(replaced === null ? [] : [replaced]), ...ended].map(({ id }) => id));
  return await keyCreated(deps, true, key);
}

async function rotate(deps: AccountDeps, ownerId: string, by: By) {
  const organization = await deps.ledger.organizations.byOwner(ownerId);
  if (organization === null) return null;
  // Sealing takes time: it is done before the ledger takes its lock.
  const made = await makeKey(deps, organization.id);
  return await deps.ledger.keys.rotate(organization.id, made, by);
}
