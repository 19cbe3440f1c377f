/** API keys and their states: active, in its grace period, revoked. At most two keys of an organization work at once. */

import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Organization } from "./organization.ts";

export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  /** The first characters, by which users recognize it. */
  readonly prefix: string;
  readonly createdAt: Instant;
  /** Written in batches, so up to a minute behind. */
  readonly lastUsedAt: Instant | null;
  /** End of the grace period, for a key that was rotated. */
  readonly revokeAt: Instant | null;
  readonly revokedAt: Instant | null;
}

/** A key as it is issued: made outside, because its secret is never known here. */
export interface NewKey {
  readonly id: string;
  readonly prefix: string;
  /** Keyed hash by which the key is found. */
  readonly lookup: string;
  /** Encrypted plaintext, as text; bound to organization and key. */
  readonly envelope: string;
}

export interface KeyWithEnvelope extends ApiKey {
  readonly envelope: string;
}

/** All that admission needs to know of a presented key. */
export interface KeyHolder {
  readonly key: ApiKey;
  readonly organization: Organization;
  readonly ownerSuspendedAt: Instant | null;
}

type KeyState = "active" | "grace" | "revoked";

/** A rotated key works for this long, and not a millisecond longer. */
export const ROTATION_GRACE_MILLISECONDS = MILLISECONDS_PER_DAY;

type KeyTimes = Pick<ApiKey, "revokeAt" | "revokedAt">;

export function keyState({ revokeAt, revokedAt }: KeyTimes, now: Instant): KeyState {
  if (revokedAt !== null || (revokeAt !== null && now >= revokeAt)) return "revoked";
  return revokeAt === null ? "active" : "grace";
}

/** The one key that is neither replaced nor revoked. */
export function currentKey<K extends KeyTimes>(keys: readonly K[]): K | null {
  return keys.find(({ revokeAt, revokedAt }) => revokeAt === null && revokedAt === null) ?? null;
}

interface Rotation {
  /** Gets its `revokeAt`. */
  readonly replaced: { readonly id: string; readonly revokeAt: Instant } | null;
  /** End at once: those that were still in the grace of an earlier rotation. */
  readonly revoked: readonly string[];
}

/** What a rotation does to the keys there are, before the new one joins them. */
export function rotation(keys: readonly ApiKey[], now: Instant): Rotation {
  const current = currentKey(keys);
  return {
    replaced: current && { id: current.id, revokeAt: now + ROTATION_GRACE_MILLISECONDS },
    revoked: keys.filter((key) => keyState(key, now) === "grace").map(({ id }) => id),
  };
}
