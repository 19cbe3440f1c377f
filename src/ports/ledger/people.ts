/** The ledger's half about people, types only: identities, sessions, tokens that work once, consents. */

import type { By } from "#domain/account/audit.ts";
import type {
  Consent,
  ExternalSubject,
  Identity,
  IdentityPatch,
  NewIdentity,
} from "#domain/account/identity.ts";
import type {
  NewOneTimeToken,
  NewSession,
  OneTimeToken,
  Session,
  SessionWithIdentity,
  TokenPurpose,
} from "#domain/account/session.ts";
import type { Instant } from "#domain/time/day.ts";

/** Which sessions end in the same transaction: none, all, or all but the caller's. */
export type EndSessions = "none" | "all" | { readonly allBut: string };

export interface Identities {
  /** "email_taken" when another identity has the address; it is normalized here. */
  create(identity: NewIdentity, by: By): Promise<Identity | "email_taken">;
  /**
   * The identity of an external (iss, sub), made at its first sign-in; `created` is true exactly once, however
   * many race. An e-mail that another identity has is left out: accounts are never joined by address.
   */
  ensureExternal(
    external: ExternalSubject,
    first: Pick<NewIdentity, "email" | "emailVerifiedAt">,
    by: By,
  ): Promise<{ readonly identity: Identity; readonly created: boolean }>;
  byId(id: string): Promise<Identity | null>;
  byEmail(email: string): Promise<Identity | null>;
  /** Null when there is no such identity. `endSessions` (default none) ends sessions in the same transaction. */
  change(
    id: string,
    patch: IdentityPatch,
    by: By,
    endSessions?: EndSessions,
  ): Promise<Identity | "email_taken" | null>;
  /** In order of id, after the given one. */
  list(after: string | null, limit: number): Promise<readonly Identity[]>;
}

export interface Sessions {
  start(session: NewSession, by: By): Promise<Session>;
  /** With its identity, in one query, live or not (`isSessionLive` says). The caller compares the secret's hash. */
  find(id: string): Promise<SessionWithIdentity | null>;
  /** Those of an identity that have not ended or expired, newest first. */
  list(identityId: string, now: Instant): Promise<readonly Session[]>;
  /** `lastSeenAt` of many at once; it never goes back. Not audited. */
  markUsed(seen: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
  /** False when it has ended already or is not the identity's. */
  end(id: string, identityId: string, by: By): Promise<boolean>;
  /** How many ended. */
  endAll(identityId: string, which: EndSessions, by: By): Promise<number>;
  /** Forgets sessions that ended or expired before the instant; how many. */
  prune(before: Instant): Promise<number>;
}

export interface OneTimeTokens {
  /** Earlier unused tokens of the same identity and purpose stop working. */
  issue(token: NewOneTimeToken, by: By): Promise<void>;
  /** Used and expired ones too. The caller compares the secret's hash before `consume`. */
  find(id: string): Promise<OneTimeToken | null>;
  /**
   * Uses a token, once however many race: null when it is unknown, expired, used, of another purpose, or sent to another address than the
   * identity's present one. In the same transaction applies the patch to its identity and ends the requested sessions.
   */
  consume(
    id: string,
    purpose: TokenPurpose,
    change: { readonly patch: IdentityPatch; readonly endSessions: EndSessions },
    at: Instant,
  ): Promise<Identity | null>;
  /** Forgets tokens that expired before the instant; how many. */
  prune(before: Instant): Promise<number>;
}

export interface Consents {
  /** The first acceptance of a version counts: repeating it changes nothing and resolves with the first. */
  accept(identityId: string, policyVersion: string, by: By): Promise<Consent>;
  /** Newest first. */
  list(identityId: string): Promise<readonly Consent[]>;
}
