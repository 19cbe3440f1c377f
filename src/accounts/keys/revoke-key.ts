/** DELETE /v1/keys: no key of the organization works any more. */

import { type AccountDeps, reaching } from "#accounts/account/deps.ts";
import type { By } from "#domain/account/audit.ts";
import type { ApiKey } from "#domain/account/key.ts";
import { formatInstant } from "#domain/time/day.ts";

/**
 * Ends every key that works, one in grace too, and tells of the one that was current last: `revoked` is true once there is a key and it has
 * ended, so a repeated call is answered with the same facts. Without any key ever, `revoked` is false and the others are
 * null. Failure `service_unavailable`.
 */
export async function revokeKeys(deps: AccountDeps, ownerId: string, by: By) {
  const newest = await reaching(async () => {
    const organization = await deps.ledger.organizations.byOwner(ownerId);
    if (organization === null) return null;
    const ended = await deps.ledger.keys.revokeAll(organization.id, by);
    if (ended.length > 0) deps.keyNews.ended(ended.map(({ id }) => id));
    // The ledger is not asked again: a key may have been issued meanwhile, or the account closed.
    return ended.find(isLast) ?? lastOf(await deps.ledger.keys.list(organization.id));
  });
  const revokedAt = newest?.revokedAt ?? null;
  return {
    result: "success",
    revoked: revokedAt !== null,
    revoked_at: revokedAt === null ? null : formatInstant(revokedAt),
    prefix: newest?.prefix ?? null,
  };
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
