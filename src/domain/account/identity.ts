/**
 * People who sign in (by password, or by a provider's issuer and subject, never by its e-mail), their sessions, and the texts of
 * their mails.
 */

import { type Day, formatDay, type Instant } from "#domain/time/day.ts";

export const ROLES = ["user", "admin"] as const;
type Role = (typeof ROLES)[number];

/** The identity at an external provider, as its tokens name it. */
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
  /** Both null for a person without an external provider. */
  readonly iss: string | null;
  readonly sub: string | null;
  readonly emailVerifiedAt: Instant | null;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly suspendedAt: Instant | null;
}

export type NewIdentity = Pick<Identity, "email" | "passwordHash" | "emailVerifiedAt" | "role">;

/** The members that may change; absent members stay. */
export type IdentityPatch = Partial<
  Pick<Identity, "email" | "passwordHash" | "emailVerifiedAt" | "role" | "suspendedAt">
>;

/** The form in which e-mail addresses are compared and stored: trimmed, NFC, lower case. It does not check that the text is an address. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

export interface Policy {
  readonly version: string;
  readonly url: string;
}

export interface Consent {
  readonly identityId: string;
  readonly policyVersion: string;
  readonly acceptedAt: Instant;
}

/** Algorithms with a public key only: with a shared secret, everyone who verifies could also sign. */
// biome-ignore format: a list of names
export const ASYMMETRIC_ALGORITHMS = [
  "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
] as const;

const PRODUCT = "crossrate";
/** Shorter names occur in many passwords by chance. */
const LEAST_LENGTH = 4;

/**
 * "address": the password is the e-mail address, or its part before the @ or a +; "product": the service's name, also repeated.
 * Both in any case, with digits, blanks and punctuation added. Null for any other password.
 */
export function guessableName(password: string, email: string | null): "address" | "product" | null {
  const plain = plainOf(password);
  const letters = lettersOf(plain);
  if (letters !== "" && letters.replaceAll(PRODUCT, "") === "") return "product";
  if (email === null) return null;
  const address = plainOf(normalizeEmail(email));
  const local = address.slice(0, Math.max(0, address.lastIndexOf("@")));
  const names = [address, local, local.split("+")[0] ?? ""].filter((name) => name !== "");
  const isName = names.some((name) => {
    const its = lettersOf(name);
    if (plain === name || (its.length >= LEAST_LENGTH && letters === its)) return true;
    return name.length >= LEAST_LENGTH && plain.includes(name) && letters === its;
  });
  return isName ? "address" : null;
}

/** One spelling for what different keyboards send for the same characters. */
function plainOf(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function lettersOf(plain: string): string {
  return plain.replace(/[^\p{L}]/gu, "");
}

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

/** Whether a session is valid: not ended, not expired, its owner not suspended. */
export function isSessionLive({ session, identity }: SessionWithIdentity, now: Instant): boolean {
  return session.endedAt === null && now < session.expiresAt && identity.suspendedAt === null;
}

export const TOKEN_PURPOSES = ["verify_email", "reset_password"] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

export interface OneTimeToken extends Pick<Session, "id" | "secretHash" | "identityId" | "expiresAt"> {
  readonly purpose: TokenPurpose;
  /** The address that the token was sent to: using the token verifies this address only. */
  readonly email: string;
  /** Used, or replaced by a newer one. */
  readonly usedAt: Instant | null;
}

export type NewOneTimeToken = Omit<OneTimeToken, "usedAt">;

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** `site` is the installation's public address: it says to the reader who writes. */
export function verificationMail(site: string, link: string): MailText {
  return {
    subject: "Confirm your e-mail address",
    text: `Someone, probably you, gave this address for an account at ${site}.

To confirm that it is yours, open this link within 24 hours, and enter the password that you chose there:

${link}

If it was not you, do nothing: the address stays unconfirmed.
`,
  };
}

export function resetMail(site: string, link: string): MailText {
  return {
    subject: "Set a new password",
    text: `Someone, probably you, asked for a new password for the account with this address at ${site}.

To set one, open this link within one hour. It works once, and signs out every other session:

${link}

If it was not you, do nothing: your password stays as it is.
`,
  };
}

interface QuotaMail {
  readonly site: string;
  readonly percent: 80 | 100;
  readonly calls: number;
  readonly quota: number;
  readonly isLargest: boolean;
  /** The first day of the next month. */
  readonly resetsOn: Day;
}

export function quotaMail({ site, percent, calls, quota, isLargest, resetsOn }: QuotaMail): MailText {
  const used = `${calls.toLocaleString("en-US")} of ${quota.toLocaleString("en-US")} calls`;
  return {
    subject: percent === 100 ? "Your monthly quota is used up" : `${percent} % of your monthly quota is used`,
    text: `Your account at ${site} has made ${used} this month.

${percent === 100 ? "Further calls are refused with 429 quota_exceeded until the quota resets." : "Calls beyond the quota will be refused with 429 quota_exceeded."}
It resets on ${formatDay(resetsOn)} at 00:00 UTC.${isLargest ? "" : " A larger plan takes effect at once."}

Usage by day:  ${site}/dashboard
Plans:         ${site}/dashboard/plan

This mail is sent once a month at 80 % and once at 100 % of a quota.
`,
  };
}
