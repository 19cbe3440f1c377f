/** The keys of an organization as its owner sees them on the dashboard: none of them with its text. */

import type { AccountDeps } from "#accounts/account/deps.ts";
import { type ApiKey, currentKey, keyState } from "#domain/account/key.ts";
import { withLedger } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";

type KeyFacts = Pick<ApiKey, "prefix" | "createdAt" | "lastUsedAt">;

export interface OwnKeys {
  /** Null when all keys are revoked. */
  readonly current: KeyFacts | null;
  /** Replaced, and still good until `endsAt`. */
  readonly inGrace: readonly (KeyFacts & { readonly endsAt: Instant })[];
  /** The last that ended, newest first. */
  readonly ended: readonly (KeyFacts & { readonly endedAt: Instant })[];
}

const MOST_ENDED = 5;

/** Null before provisioning. Failure `service_unavailable`. */
export async function ownKeys(
  { ledger, clock }: Pick<AccountDeps, "ledger" | "clock">,
  ownerId: string,
): Promise<OwnKeys | null> {
  const keys = await withLedger(async () => {
    const organization = await ledger.organizations.byOwner(ownerId);
    return organization === null ? null : await ledger.keys.list(organization.id);
  });
  if (keys === null) return null;
  const now = clock.now();
  const current = currentKey(keys);
  return {
    current: current && factsOf(current),
    inGrace: keys.flatMap((key) =>
      keyState(key, now) === "grace" && key.revokeAt !== null
        ? [{ ...factsOf(key), endsAt: key.revokeAt }]
        : [],
    ),
    ended: keys
      .filter((key) => keyState(key, now) === "revoked")
      .map((key) => ({ ...factsOf(key), endedAt: key.revokedAt ?? key.revokeAt ?? now }))
      .sort((a, b) => b.endedAt - a.endedAt)
      .slice(0, MOST_ENDED),
  };
}

function factsOf({ prefix, createdAt, lastUsedAt }: ApiKey): KeyFacts {
  return { prefix, createdAt, lastUsedAt };
}
