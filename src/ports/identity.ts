/**
 * Who is asking: passwords, cookies, providers elsewhere, mail to a person, and the vault of secrets that must
 * be shown again. Types only.
 */

import type { MailText } from "#domain/account/identity.ts";

// ── Passwords ────────────────────────────────────────────────────────────────────────────────────

export type PasswordFault = "too_short" | "too_long" | "not_text" | "too_common";

/**
 * Hashing waits for its turn. `from` is the caller's address, as limits count callers: networks take turns. Rejects with Failure
 * `auth_unavailable` when too many wait.
 */
export interface Passwords {
  fault(password: string): PasswordFault | null;
  /** argon2id in the PHC text form, with its parameters and salt. */
  hash(password: string, from: string): Promise<string>;
  /**
   * False too for a password that could never have been set, for a text that is not an argon2id hash, and for null (no account or no
   * password): each takes as long as a real check.
   */
  verify(password: string, hash: string | null, from: string): Promise<boolean>;
  /** True where a hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
}

// ── Cookies ───────────────────────────────────────────────────────────────────────────────────────────

export interface Cookie {
  readonly name: string;
  /** A Set-Cookie value. The cookie's own value must be of `A-Z a-z 0-9 _ -`. */
  set(value: string, maxAgeSeconds: number): string;
  clear(): string;
  /** The cookie's value in a Cookie header; null if it is absent, empty, or there twice with different values. */
  read(header: string | null): string | null;
}

export interface DashboardCookies {
  readonly session: Cookie;
  /** Holds what a provider's callback needs. */
  readonly signIn: Cookie;
  /** The name of a message for the next page only. */
  readonly notice: Cookie;
  /** Whether a change by cookie comes from this site's own pages, by its Origin header. */
  isOwnOrigin(origin: string | null): boolean;
}

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
 * `provider_unavailable` may pass: answer 503. `denied`: by the person or the provider. `code`: used, expired, or not ours.
 * `state`: not begun in this browser, or too long ago. `unacceptable`: a token that is malformed, of another signer, issuer,
 * audience or use, or out of date.
 */
export type IdentityRefusalReason = "provider_unavailable" | "denied" | "code" | "state" | "unacceptable";

/** `detail` is for the log, such as the claim that does not fit: it holds no token, code or credential. */
export interface IdentityRefusal {
  readonly refused: IdentityRefusalReason;
  readonly detail: string;
}

export interface BearerTokens {
  /** Checks a JWT that a caller presents. Never rejects. */
  verify(jwt: string): Promise<ExternalIdentity | IdentityRefusal>;
}

export interface BegunSignIn {
  readonly url: string;
  /** The sealed sign-in cookie, of no use after `maxAgeSeconds`. */
  readonly cookie: string;
  readonly maxAgeSeconds: number;
}

export interface FinishedSignIn {
  readonly identity: ExternalIdentity;
  readonly returnTo: string;
}

/** Sign-in at an OpenID provider: authorization code with PKCE. */
export interface ExternalSignIn {
  /** `returnTo` is a path of this site; anything else becomes `/`. Never rejects. */
  begin(returnTo: string): Promise<BegunSignIn | IdentityRefusal>;
  /** `search` is the query of the callback address; `cookie` what the browser brought back. Never rejects. */
  finish(search: string, cookie: string | null): Promise<FinishedSignIn | IdentityRefusal>;
}

export interface MailMessage extends MailText {
  readonly to: string;
}

/**
 * `bad_message`: the address or the subject cannot be sent; nothing was attempted. `rejected`: refused permanently.
 * `unavailable`: not reached, or to be tried later.
 */
export type MailFault = "not_configured" | "bad_message" | "rejected" | "unavailable";

/**
 * `detail` is for the log: it holds neither the text nor credentials. `mayHaveCome`: the server may have the message, because the
 * fault came after it was sent, or at an unknown step.
 */
export type MailOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly fault: MailFault; readonly detail: string; readonly mayHaveCome?: true };

export interface Mail {
  /** False where the command line shows links instead. */
  readonly configured: boolean;
  /** Resolves when the server took the message over. Never rejects. */
  send(message: MailMessage): Promise<MailOutcome>;
}

/** AES-256-GCM in two layers. Stored as JSON; every text but `kek_id` is canonical base64url. */
export interface Envelope {
  readonly v: 1;
  readonly kek_id: string;
  /** Nonce of 12 bytes, the data key of 32 bytes encrypted, tag of 16 bytes. */
  readonly wrapped_dek: string;
  /** The nonce of `ct`, 12 bytes. */
  readonly nonce: string;
  /** The plaintext encrypted under the data key, and a tag of 16 bytes. */
  readonly ct: string;
}

/** The owner of a secret, authenticated, not stored: no envelope opens in another row. Each has 1 to 64 of `A-Z a-z 0-9 _ . : -`. */
export interface SealedFor {
  readonly org: string;
  readonly id: string;
  readonly purpose: string;
}

/** `unknown_key`: a master key is missing; the other two are damage. */
export type VaultRefusal = "malformed" | "unknown_key" | "not_authentic";

export interface Vault {
  /** HMAC-SHA256 of a key under the pepper, 64 hex digits: stored and indexed instead of the key. */
  lookup(key: string): string;
  /** 16 hex digits that name the pepper, stored with the look-ups: a start with another pepper is noticed. */
  readonly pepperMark: string;
  /** The mark of every master key, by id. */
  readonly masterMarks: ReadonlyMap<string, string>;
  /** At most 16,384 bytes of UTF-8. */
  seal(plaintext: string, sealedFor: SealedFor): Promise<Envelope>;
  /** Rejects with VaultFault. */
  open(envelope: Envelope, sealedFor: SealedFor): Promise<string>;
  /** The envelope with its data key under the first master key. Rejects with VaultFault. */
  rewrap(envelope: Envelope, sealedFor: SealedFor): Promise<Envelope>;
  /** Whether the data key is under another master key than the first. */
  needsRewrap(envelope: Envelope): boolean;
}
