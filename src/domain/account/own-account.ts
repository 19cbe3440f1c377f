/** An account for its owner: the values that use cases return and that the contract prints. */

import type { Day, Instant } from "#domain/time/day.ts";
import type { ApiKey } from "./key.ts";
import type { OrganizationStatus, Tier } from "./organization.ts";

/** A key with its text, which is null when its envelope does not open. */
export interface ReadableKey extends Pick<ApiKey, "prefix" | "createdAt" | "lastUsedAt"> {
  readonly plaintext: string | null;
}

/** The key that is current after the call; `created`: this call issued it. */
export interface CurrentKey {
  readonly created: boolean;
  readonly organizationId: string;
  readonly key: ReadableKey;
}

/** Keys that were revoked: `revokedAt` and `prefix` are of the newest; null where there has never been a key. */
export interface RevokedKeys {
  readonly revokedAt: Instant | null;
  readonly prefix: string | null;
}

/** Everything but the address is null before provisioning; `key` also once all keys are revoked. */
export interface OwnAccount {
  readonly email: string | null;
  /** `tier` is the one whose limits hold now. */
  readonly organization: {
    readonly id: string;
    readonly tier: Tier;
    readonly status: OrganizationStatus;
  } | null;
  readonly key: ReadableKey | null;
  readonly usage: MonthlyUsage | null;
}

export interface MonthlyUsage {
  readonly calls: number;
  readonly limit: number;
  /** First day of the next month. */
  readonly resetsOn: Day;
}

/** `organizationId`: the organization that this call deleted, null where there was none. */
export interface ClosedAccount {
  readonly organizationId: string | null;
  readonly subscriptionCancelled: boolean;
}
