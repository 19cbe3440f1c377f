/** A person who can sign in: by e-mail and password, or by an external provider's (iss, sub). Never keyed on the e-mail of the latter. */

import type { Instant } from "#domain/time/day.ts";

export const ROLES = ["user", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Who it is at an external provider, in the words of its tokens. */
export interface ExternalSubject {
  readonly iss: string;
  readonly sub: string;
}

export interface Identity {
  readonly id: string;
  /** As `normalizeEmail` gives it, unique among identities; null when unknown or taken by another identity. */
  readonly email: string | null;
  /** PHC string of argon2id; null for those who never set a password. */
  readonly passwordHash: string | null;
  readonly external: ExternalSubject | null;
  readonly emailVerifiedAt: Instant | null;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly suspendedAt: Instant | null;
}

export type NewIdentity = Pick<Identity, "email" | "passwordHash" | "emailVerifiedAt" | "role">;

/** What may change of an identity; absent members stay. */
export interface IdentityPatch {
  readonly email?: string | null;
  readonly passwordHash?: string | null;
  readonly emailVerifiedAt?: Instant | null;
  readonly role?: Role;
  readonly suspendedAt?: Instant | null;
}

/** E-mail addresses are compared and stored trimmed, in NFC and lower case. Not a check that it is one. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}
