/** Who is asking: passwords, session tokens, cookies, and providers elsewhere. Types only. */

import type { TokenKind } from "#domain/account/key.ts";

// ── Passwords ────────────────────────────────────────────────────────────────────────────────────

export type PasswordFault = "too_short" | "too_long" | "not_text" | "too_common";

/**
 * Each that hashes waits for its turn. `from` is the caller's address, as limits count callers: networks have turns round and
 * round, whatever each of them sends. Rejects with Failure `auth_unavailable` when too many wait.
 */
export interface Passwords {
  /** What is wrong with a password that is to be set, or null. */
  fault(password: string): PasswordFault | null;
  /** argon2id in the PHC text form, with its parameters and salt. */
  hash(password: string, from: string): Promise<string>;
  /** False also for a password that could never have been set, and for a text that is no argon2id hash. */
  verify(password: string, hash: string, from: string): Promise<boolean>;
  /** Takes as long as `verify` and is always false: for accounts that do not exist or have no password. */
  verifyDummy(password: string, from: string): Promise<false>;
  /** True where a hash was made with other parameters than today's: after a right password, store a new one. */
  needsRehash(hash: string): boolean;
}

// ── Tokens and cookies ───────────────────────────────────────────────────────────────────────────

export interface IssuedToken {
  /** Row id: `ses_…` or `otk_…`. */
  readonly id: string;
  /** SHA-256 of the secret part, 64 hex digits: all that is stored of it. */
  readonly secretHash: string;
  /** The whole token, for its bearer alone. */
  readonly token: string;
}

export interface PresentedToken {
  readonly id: string;
  readonly secretHash: string;
}

export interface Tokens {
  issue(kind: TokenKind): IssuedToken;
  /** The row to look for and the hash to compare with it, or null for what was never issued in this form. */
  read(kind: TokenKind, text: string): PresentedToken | null;
  /** Constant-time comparison of two hashes. */
  matches(presented: PresentedToken, storedHash: string): boolean;
}

/** One cookie of the dashboard. */
export interface Cookie {
  readonly name: string;
  /** A Set-Cookie value. The cookie's own value must be of `A-Z a-z 0-9 _ -`. */
  set(value: string, maxAgeSeconds: number): string;
  clear(): string;
  /** Its value in a Cookie header; null when absent, empty, or there twice with different values. */
  read(header: string | null): string | null;
}

export interface DashboardCookies {
  readonly session: Cookie;
  /** What a sign-in elsewhere needs back at its callback. */
  readonly signIn: Cookie;
  /** The name of a message for the next page alone. */
  readonly notice: Cookie;
  /** Whether a request that changes something by cookie comes from this site's own pages, by its Origin header. */
  isOwnOrigin(origin: string | null): boolean;
}

/** How a browser that signed in before is recognized. */
export interface Devices {
  readonly cookie: Cookie;
  /** A keyed hash in hexadecimal, the same in every replica. */
  readonly hide: (text: string) => string;
}

// ── Providers elsewhere ──────────────────────────────────────────────────────────────────────────

/** Keyed on (iss, sub); the e-mail is a contact, never an identity. */
export interface ExternalIdentity {
  readonly iss: string;
  readonly sub: string;
  readonly email: string | null;
  /** True only where the provider vouches for it. */
  readonly email_verified: boolean;
}

/**
 * `provider_unavailable` is a passing fault elsewhere: answer 503. `denied`: the person or the provider refused.
 * `code`: used, expired, or not ours. `state`: the sign-in was not begun in this browser, or too long ago.
 */
export type IdentityRefusalReason =
  | "malformed"
  | "algorithm"
  | "signature"
  | "unknown_key"
  | "issuer"
  | "audience"
  | "expired"
  | "not_yet_valid"
  | "claims"
  | "nonce"
  | "state"
  | "code"
  | "denied"
  | "provider_unavailable";

/** `detail` is for the log: it holds no token, code or credential. */
export interface IdentityRefusal {
  readonly refused: IdentityRefusalReason;
  readonly detail: string;
}

export interface BearerTokens {
  /** Checks a JWT that a caller presents. Never rejects. */
  verify(jwt: string): Promise<ExternalIdentity | IdentityRefusal>;
}

export interface BegunSignIn {
  /** Where to send the browser. */
  readonly url: string;
  /** Value of the sign-in cookie, sealed; it is of no use after `maxAgeSeconds`. */
  readonly cookie: string;
  readonly maxAgeSeconds: number;
}

export interface FinishedSignIn {
  readonly identity: ExternalIdentity;
  /** A path of this site. */
  readonly returnTo: string;
}

/** Sign-in at an OpenID provider: authorization code with PKCE. */
export interface ExternalSignIn {
  /** `returnTo` is a path of this site; anything else becomes `/`. Never rejects. */
  begin(returnTo: string): Promise<BegunSignIn | IdentityRefusal>;
  /** `search` is the query of the callback address; `cookie` what the browser brought back. Never rejects. */
  finish(search: string, cookie: string | null): Promise<FinishedSignIn | IdentityRefusal>;
}
