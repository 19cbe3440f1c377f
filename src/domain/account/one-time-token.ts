/** Tokens that are mailed and work once: to verify an e-mail address, or to set a new password. Only the hash of their secret is kept. */

import type { Instant } from "#domain/time/day.ts";

export const TOKEN_PURPOSES = ["verify_email", "reset_password"] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

export interface OneTimeToken {
  readonly id: string;
  readonly secretHash: string;
  readonly purpose: TokenPurpose;
  readonly identityId: string;
  /** The address that it was sent to: using it proves that one and no other. */
  readonly email: string;
  readonly expiresAt: Instant;
  /** Used, or replaced by a newer one. */
  readonly usedAt: Instant | null;
}

export type NewOneTimeToken = Omit<OneTimeToken, "usedAt">;
