/** Identifies the caller of an account endpoint: a session by token or cookie, or a provider's JWT. Never an API key. */

import type { By } from "#domain/account/audit.ts";
import { type Identity, isSessionLive, type Session } from "#domain/account/identity.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { BearerTokens, DashboardCookies, Tokens } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import { externalPerson } from "./external-person.ts";
import type { LastUsed } from "./last-used.ts";

export interface Credentials {
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  /** Whether the request may change anything: then a cookie alone does not prove that its owner meant it. */
  readonly mutates: boolean;
}

export interface SessionCaller {
  readonly identity: Identity;
  /** null for a provider's JWT. */
  readonly session: Session | null;
  by(at: Instant): By;
}

export interface SessionCallerDeps {
  readonly ledger: Pick<Ledger, "sessions" | "identities">;
  readonly tokens: Pick<Tokens, "read" | "matches">;
  readonly cookies: DashboardCookies;
  /** null where no provider is configured. */
  readonly bearers: BearerTokens | null;
  readonly seen: Pick<LastUsed, "note">;
  readonly clock: Clock;
}

/**
 * The person behind a request. `Authorization` takes precedence; a cookie counts where there is none.
 * Failure `session_required` (nothing presented, or nothing valid), `forbidden` (suspended, or a change by cookie
 * from another site's page), `auth_unavailable` (the ledger or the provider cannot be reached).
 */
export async function sessionCaller(
  deps: SessionCallerDeps,
  credentials: Credentials,
): Promise<SessionCaller> {
  const { authorization } = credentials;
  try {
    const bearer = authorization === null ? null : bearerOf(authorization);
    if (bearer !== null && !bearer.startsWith(SESSION_KIND)) return await byJwt(deps, bearer);
    return await bySession(deps, bearer ?? byCookie(deps, credentials));
  } catch (fault) {
    throw publicFault(fault);
  }
}

/** A session's token as a request presents it, live or not, of any person; null where there is none. */
export function presentedToken(
  { cookies }: Pick<SessionCallerDeps, "cookies">,
  { authorization, cookie }: Pick<Credentials, "authorization" | "cookie">,
): string | null {
  if (authorization === null) return cookies.session.read(cookie);
  const [, token] = BEARER.exec(authorization) ?? [];
  return token?.startsWith(SESSION_KIND) ? token : null;
}

/** A ledger out of reach is Failure `auth_unavailable`; every other fault is itself. */
export function publicFault(fault: unknown): unknown {
  if (!(fault instanceof LedgerUnavailable)) return fault;
  const reason = "accounts cannot be reached at the moment; try again";
  return new Failure("auth_unavailable", { reason }, fault);
}

export function suspendedFailure(): Failure {
  return new Failure("forbidden", {
    reason: "this account is suspended; write to the operator of this server",
  });
}

const SESSION_KIND = "fxs_";
const API_KEY_KIND = "fxk_";
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** The token of an Authorization header. */
function bearerOf(authorization: string): string {
  const [, token] = BEARER.exec(authorization) ?? [];
  if (token === undefined) throw unsigned("send Authorization: Bearer followed by a session token");
  if (token.startsWith(API_KEY_KIND)) {
    throw unsigned("an API key does not open account endpoints; sign in and send the session's token");
  }
  return token;
}

function byCookie({ cookies }: SessionCallerDeps, { cookie, origin, mutates }: Credentials): string {
  const token = cookies.session.read(cookie);
  if (token === null) throw new Failure("session_required");
  // Before the look-up: another site's page learns nothing, not even whether the session is live.
  if (mutates && !cookies.isOwnOrigin(origin)) throw foreignOrigin();
  return token;
}

/** For what a browser would do on another site's behalf. */
export function foreignOrigin(): Failure {
  return new Failure("forbidden", {
    reason:
      "changes by cookie are accepted from this site's own pages only; others send Authorization: Bearer",
  });
}

async function bySession(
  { ledger, tokens, seen, clock }: SessionCallerDeps,
  text: string,
): Promise<SessionCaller> {
  const presented = tokens.read(SESSION_KIND, text);
  if (presented === null) throw unsigned("the session token is not valid; sign in again");
  const found = await ledger.sessions.find(presented.id);
  if (found === null || !tokens.matches(presented, found.session.secretHash)) {
    throw unsigned("the session token is not valid; sign in again");
  }
  const now = clock.now();
  const { session, identity } = found;
  if (identity.suspendedAt !== null) throw suspendedFailure();
  if (!isSessionLive(found, now)) throw unsigned("the session has ended; sign in again");
  seen.note(session.id, now);
  return callerOf(identity, session);
}

async function byJwt(deps: SessionCallerDeps, jwt: string): Promise<SessionCaller> {
  const verified = await deps.bearers?.verify(jwt);
  if (verified === undefined) throw unsigned("the token is none of this server's sessions; sign in first");
  if ("refused" in verified) {
    if (verified.refused === "provider_unavailable") {
      const reason = "the identity provider cannot be reached at the moment; try again";
      throw new Failure("auth_unavailable", { reason }, new Error(verified.detail));
    }
    throw unsigned("the token is not valid here; get a new one from the identity provider");
  }
  const identity = await externalPerson(deps, verified);
  if (identity.suspendedAt !== null) throw suspendedFailure();
  return callerOf(identity, null);
}

function callerOf(identity: Identity, session: Session | null): SessionCaller {
  return { identity, session, by: (at) => ({ at, actor: `identity:${identity.id}` }) };
}

function unsigned(wording: string): Failure {
  return new Failure("session_required", { wording });
}
