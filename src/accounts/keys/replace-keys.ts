/** POST /v1/keys/rotate issues a new key; the previous one works for another 24 hours. DELETE /v1/keys revokes every key. */

import type { AccountDeps } from "#accounts/deps.ts";
import { attempt } from "#accounts/identity/attempts.ts";
import type { By } from "#domain/account/audit.ts";
import type { ApiKey } from "#domain/account/key.ts";
import { withLedger } from "#domain/account/ledger.ts";
import type { CurrentKey, RevokedKeys } from "#domain/account/own-account.ts";
import { Failure } from "#domain/faults/errors.ts";
import { makeKey, readableKey } from "./issue-key.ts";

/** A second rotation would end the key that is in use: the first one put it into its grace. */
const LOOK_FIRST =
  "before rotating again see GET /v1/account: it may have happened, and a second rotation ends the key in grace";

/**
 * Issues a new key. A key still in the grace of an earlier rotation ends at once, so that at most two work; where no
 * key works a first one is issued. Failure `rate_limited`, `conflict` before provisioning, `service_unavailable`: then it
 * may have been rotated all the same, and GET /v1/account shows the current key.
 */
export async function rotateKey(deps: AccountDeps, ownerId: string, by: By): Promise<CurrentKey> {
  await attempt(deps.attempts, deps.clock.now(), [{ limit: "rotation of", key: ownerId }]);
  const rotated = await withLedger(() => rotate(deps, ownerId, by), LOOK_FIRST);
  if (rotated === null) {
    const reason =
      "there is no organization yet; POST /v1/account/provision makes one and issues its first key";
    throw new Failure("conflict", { reason });
  }
  const { key, replaced, ended } = rotated;
  deps.keyNews.ended([...(replaced === null ? [] : [replaced]), ...ended].map(({ id }) => id));
  return { created: true, organizationId: key.organizationId, key: await readableKey(deps, key) };
}

async function rotate(deps: AccountDeps, ownerId: string, by: By) {
  const organization = await deps.ledger.organizations.byOwner(ownerId);
  if (organization === null) return null;
  // Sealing takes time: it is done before the ledger takes its lock.
  const made = await makeKey(deps, organization.id);
  return await deps.ledger.keys.rotate(organization.id, made, by);
}

/**
 * Ends every key that works, one in grace too, and returns the facts of the one that was current last; a repeated call
 * returns the same. Failure `service_unavailable`.
 */
export async function revokeKeys(deps: AccountDeps, ownerId: string, by: By): Promise<RevokedKeys> {
  const newest = await withLedger(async () => {
    const organization = await deps.ledger.organizations.byOwner(ownerId);
    if (organization === null) return null;
    const ended = await deps.ledger.keys.revokeAll(organization.id, by);
    if (ended.length > 0) deps.keyNews.ended(ended.map(({ id }) => id));
    // The ledger is not queried again: a key may have been issued meanwhile, or the account closed.
    return ended.find(isLast) ?? lastOf(await deps.ledger.keys.list(organization.id));
  });
  return { revokedAt: newest?.revokedAt ?? null, prefix: newest?.prefix ?? null };
}

/** Made in the same millisecond its keys may be listed in any order: the last one is that which ended last. */
function lastOf(keys: readonly ApiKey[]): ApiKey | null {
  const [last = null] = keys.filter(isLast).toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0));
  return last;
}

/** Ended, and never replaced by a rotation: so was each key that was current until all keys ended. */
function isLast({ revokeAt, revokedAt }: Pick<ApiKey, "revokeAt" | "revokedAt">): boolean {
  return revokeAt === null && revokedAt !== null;
}
