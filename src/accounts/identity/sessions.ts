/**
 * Sessions: the caller of a request (by session token, cookie or a provider's JWT; never by API key), how a session starts and ends,
 * browsers that signed in before, and when keys and sessions were last used.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Identity, isSessionLive, normalizeEmail, type Session } from "#domain/account/identity.ts";
import { isId } from "#domain/account/key.ts";
import { type By, LedgerUnavailable } from "#domain/account/ledger.ts";
import { issueToken, matchesHash, readToken } from "#domain/account/token.ts";
import { Failure } from "#domain/faults/errors.ts";
import { parseAddress } from "#domain/net/address.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { ExternalIdentity } from "#ports/identity.ts";
import type { Gate, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { IdentityDeps, SessionCallerDeps, Visit } from "./deps.ts";

export interface Credentials {
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  /** Whether the request may change anything: then a cookie alone does not prove that its owner meant it. */
  readonly mutates: boolean;
}

export interface SessionCaller {
  readonly identity: Identity;
  /** Null for a provider's JWT. */
  readonly session: Session | null;
  by(at: Instant): By;
}

/**
 * The person behind a request, by `Authorization`, else by cookie. Failure `session_required` (nothing valid), `forbidden`
 * (suspended, or a change by cookie from another site's page), `auth_unavailable` (the ledger or the provider cannot be reached).
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

/** The session token of a request, live or not, or null. */
export function presentedToken(
  { cookies }: Pick<SessionCallerDeps, "cookies">,
  { authorization, cookie }: Pick<Credentials, "authorization" | "cookie">,
): string | null {
  if (authorization === null) return cookies.session.read(cookie);
  const [, token] = BEARER.exec(authorization) ?? [];
  return token?.startsWith(SESSION_KIND) ? token : null;
}

/** LedgerUnavailable becomes Failure `auth_unavailable`; every other fault is itself. */
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
  // Before the look-up: another site's page learns nothing about the session.
  if (mutates && !cookies.isOwnOrigin(origin)) throw foreignOrigin();
  return token;
}

/** Refuses what a browser would do on another site's behalf. */
export function foreignOrigin(): Failure {
  return new Failure("forbidden", {
    reason:
      "changes by cookie are accepted from this site's own pages only; others send Authorization: Bearer",
  });
}

async function bySession({ ledger, seen, clock }: SessionCallerDeps, text: string): Promise<SessionCaller> {
  const presented = readToken(SESSION_KIND, text);
  if (presented === null) throw unsigned("the session token is not valid; sign in again");
  const stored = await ledger.sessions.find(presented.id);
  if (stored === null || !matchesHash(presented, stored.session.secretHash)) {
    throw unsigned("the session token is not valid; sign in again");
  }
  const now = clock.now();
  const { session, identity } = stored;
  if (identity.suspendedAt !== null) throw suspendedFailure();
  if (!isSessionLive(stored, now)) throw unsigned("the session has ended; sign in again");
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

/**
 * Finds or creates the identity of a person at an OpenID provider: by issuer and subject, never by e-mail. The e-mail address is
 * the last one that the provider vouched for. An unconfirmed one is not stored: any caller could take another person's.
 */
export async function externalPerson(
  { ledger, clock }: { readonly ledger: Pick<Ledger, "identities">; readonly clock: Clock },
  { iss, sub, email, email_verified: isVerified }: ExternalIdentity,
): Promise<Identity> {
  const now = clock.now();
  const by = { at: now, actor: "system" } as const;
  const contact = isVerified ? email : null;
  const first = { email: contact, emailVerifiedAt: contact === null ? null : now };
  const { identity } = await ledger.identities.ensureExternal({ iss, sub }, first, by);
  if (contact === null || normalizeEmail(contact) === identity.email) return identity;
  if ((await ledger.identities.byEmail(contact)) !== null) return identity;
  const changed = await ledger.identities.change(identity.id, first, by);
  return changed === null || changed === "email_taken" ? identity : changed;
}

/** Counted from the sign-in and never extended: the thief of a token cannot prolong it. */
export const SESSION_SECONDS = (30 * MILLISECONDS_PER_DAY) / 1000;

export type SignedIn = Awaited<ReturnType<typeof startSession>>;

export interface SignedInByPassword extends SignedIn {
  /** The cookie that recognizes this browser at the next sign-in, or null. */
  readonly device: string | null;
}

/** Ends the presented session, then starts a new one: if that fails, the person signs in again. Rejects with LedgerUnavailable. */
export async function startSession(
  { ledger, random, clock }: Pick<IdentityDeps, "ledger" | "random" | "clock">,
  identity: Identity,
  visit: Visit,
) {
  const by = { at: clock.now(), actor: `identity:${identity.id}` } as const;
  const presented = visit.presented === null ? null : readToken(SESSION_KIND, visit.presented);
  if (presented !== null) {
    const stored = await ledger.sessions.find(presented.id);
    if (stored !== null && matchesHash(presented, stored.session.secretHash))
      await ledger.sessions.end(presented.id, stored.session.identityId, by);
  }
  const { id, secretHash, token } = issueToken(SESSION_KIND, random);
  const session = await ledger.sessions.start(
    {
      id,
      identityId: identity.id,
      secretHash,
      expiresAt: by.at + SESSION_SECONDS * 1000,
      userAgent: clientSummary(visit.userAgent),
      address: networkSummary(visit.address),
    },
    by,
  );
  return { identity, session, token };
}

/** The order matters: later browsers also send the names of earlier ones. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^([A-Za-z][A-Za-z0-9._-]{0,30})\//, "$1"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const LONGEST_READ = 512;

/** "Firefox on Linux", "curl"; null where the header names no program. */
export function clientSummary(userAgent: string | null): string | null {
  const text = (userAgent ?? "").slice(0, LONGEST_READ);
  const program = named(text, PROGRAMS);
  if (program === null) return null;
  const system = named(text, SYSTEMS);
  return system === null ? program : `${program} on ${system}`;
}

/** The network of an address, such as 192.0.2.0/24 or 2001:db8:1::/48; null if the text is not an address. */
export function networkSummary(address: string): string | null {
  // IPv6 callers arrive as a /64, the unit of limits.
  const bytes = parseAddress(address.replace(/\/\d+$/, ""));
  if (bytes === null) return null;
  if (bytes.length === 4) return `${bytes.slice(0, 3).join(".")}.0/24`;
  const groups = [0, 2, 4].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(":")}::/48`;
}

function named(text: string, names: readonly (readonly [RegExp, string])[]): string | null {
  for (const [pattern, name] of names) {
    const match = pattern.exec(text);
    if (match !== null) return name === "$1" ? (match[1] ?? null) : name;
  }
  return null;
}

type Deps = Pick<IdentityDeps, "ledger" | "clock">;

/** Live sessions, newest first. Rejects with LedgerUnavailable, as do the functions below. */
export async function listSessions(
  { ledger, clock }: Deps,
  { identity }: SessionCaller,
): Promise<readonly Session[]> {
  return await ledger.sessions.list(identity.id, clock.now());
}

/** Failure `not_found` for an id that is not one of the caller's living sessions. */
export async function endSession({ ledger, clock }: Deps, caller: SessionCaller, id: string): Promise<void> {
  const isOne =
    isId("ses_", id) && (await ledger.sessions.end(id, caller.identity.id, caller.by(clock.now())));
  if (!isOne) throw new Failure("not_found", { path: `/v1/auth/sessions/${id}` });
}

/** Ends all but the caller's session; resolves with the number of ended sessions. */
export async function endOtherSessions({ ledger, clock }: Deps, caller: SessionCaller): Promise<number> {
  const which = caller.session === null ? "all" : { allBut: caller.session.id };
  return await ledger.sessions.endAll(caller.identity.id, which, caller.by(clock.now()));
}

/** False for a provider's JWT, which ends by itself. Rejects with LedgerUnavailable. */
export async function signOut(
  { ledger, clock }: Pick<IdentityDeps, "ledger" | "clock">,
  caller: SessionCaller,
): Promise<boolean> {
  const { session, identity } = caller;
  if (session === null) return false;
  return await ledger.sessions.end(session.id, identity.id, caller.by(clock.now()));
}

export const DEVICE_SECONDS = (400 * MILLISECONDS_PER_DAY) / 1000;
const VALUE = /^([0-9A-Za-z_]{1,64})-([0-9a-f]{64})$/;

type Person = Pick<Identity, "id" | "passwordHash">;

/** The cookie of a browser that just proved the person's password; a new password invalidates it. Null without devices or a password. */
export function deviceValue(
  { devices }: Pick<IdentityDeps, "devices">,
  { id, passwordHash }: Person,
  session: Pick<Session, "id">,
): string | null {
  if (devices === undefined || passwordHash === null) return null;
  return `${session.id}-${devices.hide(`device ${id} ${passwordHash} ${session.id}`)}`;
}

/** The gate of the browser that presents a cookie of this person, or null. */
export function deviceGate(
  deps: Pick<IdentityDeps, "devices">,
  person: Person | null,
  presented: string | null,
): Gate | null {
  const [, id] = VALUE.exec(presented ?? "") ?? [];
  if (id === undefined || presented === null || person === null) return null;
  const expected = deviceValue(deps, person, { id });
  if (expected === null || !timingSafeEqual(digest(expected), digest(presented))) return null;
  return { limit: "sign-in by device", key: id };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export type LastUsed = ReturnType<typeof openLastUsed>;

interface UsedRows {
  markUsed(uses: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
}

/** Collects when keys or sessions were last used. Beyond `most`, further ids are noted after the next flush: late, never wrong. */
export function openLastUsed(rows: UsedRows, most = 50_000) {
  let noted = new Map<string, Instant>();
  const note = (id: string, at: Instant) => {
    const last = noted.get(id);
    if (last === undefined ? noted.size < most : last < at) noted.set(id, at);
  };
  return {
    note,
    /** Writes what was collected; what cannot be written stays. Never rejects. */
    flush: async () => {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      try {
        await rows.markUsed([...batch].map(([id, at]) => ({ id, at })));
      } catch {
        // The ledger logs its own unavailability.
        for (const [id, at] of batch) note(id, at);
      }
    },
  };
}
