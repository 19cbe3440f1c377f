/** DELETE /v1/keys: no key of the organization works any more. */

import type { By } from "#domain/account/audit.ts";
import { formatInstant } from "#domain/day.ts";
import { type AccountDeps, reaching } from "./account-deps.ts";

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
    // Made in the same millisecond as its successor a key may come first, but the last one was never replaced.
    const keys = await deps.ledger.keys.list(organization.id);
    return keys.find(({ revokeAt }) => revokeAt === null) ?? null;
  });
  const revokedAt = newest?.revokedAt ?? null;
  return {
    result: "success",
    revoked: revokedAt !== null,
    revoked_at: revokedAt === null ? null : formatInstant(revokedAt),
    prefix: newest?.prefix ?? null,
  };
}
