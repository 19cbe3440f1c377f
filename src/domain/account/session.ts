/** A session of a browser or the command line. The token is "id + secret"; only the secret's hash is stored. */

import type { Instant } from "#domain/time/day.ts";
import type { Identity } from "./identity.ts";

export interface Session {
  readonly id: string;
  readonly identityId: string;
  readonly secretHash: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Written in batches, so up to a minute behind. */
  readonly lastSeenAt: Instant;
  /** Summaries for the owner's list of sessions, such as "Firefox on Linux" and "192.0.2.0/24". */
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly endedAt: Instant | null;
}

export type NewSession = Pick<
  Session,
  "id" | "identityId" | "secretHash" | "expiresAt" | "userAgent" | "address"
>;

export interface SessionWithIdentity {
  readonly session: Session;
  readonly identity: Identity;
}

/** Whether a session still opens anything: not ended, not expired, its owner not suspended. */
export function isSessionLive({ session, identity }: SessionWithIdentity, now: Instant): boolean {
  return session.endedAt === null && now < session.expiresAt && identity.suspendedAt === null;
}

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
