/**
 * Signs a person up or in: by e-mail and password, or at an OpenID provider. With mail configured, only the mailbox learns
 * whether an address has an account.
 */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { BegunSignIn, ExternalSignIn, IdentityRefusal, IdentityRefusalReason } from "#ports/identity.ts";
import { attempt, gatesFrom, type IdentityDeps, type Visit } from "./deps.ts";
import { mailTakenAddress, mailVerification } from "./links.ts";
import { requireAcceptable } from "./password.ts";
import {
  deviceGate,
  deviceValue,
  externalPerson,
  type SignedIn,
  type SignedInByPassword,
  startSession,
  suspendedFailure,
} from "./sessions.ts";

export interface EmailAndPassword {
  readonly email: string;
  readonly password: string;
}

/**
 * Failure `rate_limited`, `invalid_credentials`, `forbidden` (suspended; only for a correct password), `auth_unavailable` (too
 * many sign-ins at once). Rejects with LedgerUnavailable.
 */
export async function signIn(
  deps: IdentityDeps,
  { email, password }: EmailAndPassword,
  visit: Visit,
): Promise<SignedInByPassword> {
  const { attempts, ledger, passwords, mail, clock } = deps;
  const account = { limit: "sign-in to", key: normalizeEmail(email) } as const;
  const find = () => ledger.identities.byEmail(email);
  const { device = null } = visit;
  // A browser that signed in before has its own count: guesses from elsewhere do not lock it out. Without its cookie the ledger is
  // read only after the limits.
  const early = device === null ? undefined : await find();
  const counted = deviceGate(deps, early ?? null, device) ?? account;
  attempt(attempts, clock.now(), [...gatesFrom("sign-in from", visit.address), counted]);
  const identity = early === undefined ? await find() : early;
  const isRight = await passwords.verify(password, identity?.passwordHash ?? null, visit.address);
  if (identity === null || !isRight) throw wrongCredentials(mail.configured);
  if (mail.configured && identity.emailVerifiedAt === null) {
    deps.inBackground(async () => {
      // A person who opened the account with another's address must not fill that mailbox by signing in.
      const wait = attempts.take([{ limit: "mail to", key: account.key }], clock.now());
      if (wait === 0) await mailVerification(deps, identity);
    });
    throw wrongCredentials(mail.configured);
  }
  if (identity.suspendedAt !== null) throw suspendedFailure();
  attempts.clear(counted);
  await renewHash(deps, identity, password, visit.address);
  const started = await startSession(deps, identity, visit);
  const present = await stillRight(deps, identity, password, visit.address);
  if (present !== null) return { ...started, device: deviceValue(deps, present, started.session) };
  await ledger.sessions.end(started.session.id, identity.id, { at: clock.now(), actor: "system" });
  throw wrongCredentials(mail.configured);
}

/** The identity now, or null if its password has changed. Checked after the session has begun: no session of an older password stays. */
async function stillRight(
  { ledger, passwords }: IdentityDeps,
  proved: Identity,
  password: string,
  from: string,
): Promise<Identity | null> {
  const present = await ledger.identities.byId(proved.id);
  const hash = present?.passwordHash ?? null;
  if (hash === null || hash === proved.passwordHash) return hash === null ? null : present;
  // The hash may be a new one of the same password.
  return (await passwords.verify(password, hash, from)) ? present : null;
}

/** With mail configured an address must be confirmed: else sign-up and sign-in would reveal whether the address was free. */
function wrongCredentials(mailConfigured: boolean): Failure {
  if (!mailConfigured) return new Failure("invalid_credentials");
  return new Failure("invalid_credentials", {
    wording:
      "the e-mail address or the password is wrong, or the address is not confirmed yet; then a link to confirm it is in your mail",
  });
}

async function renewHash(deps: IdentityDeps, identity: Identity, password: string, from: string) {
  const { passwords, clock, ledger } = deps;
  const { id, passwordHash: old } = identity;
  // A password from before the present rules cannot be hashed again; it still works.
  if (old === null || !passwords.needsRehash(old) || passwords.fault(password) !== null) return;
  const renewed = { passwordHash: await passwords.hash(password, from), endSessions: "none" } as const;
  const by = { at: clock.now(), actor: "system" } as const;
  await ledger.identities.replacePassword(id, old, renewed, by);
}

/** Failure `auth_unavailable` when the provider cannot be reached. `returnTo` is a path of this site. */
export async function beginExternal(
  { emit }: Pick<IdentityDeps, "emit">,
  provider: ExternalSignIn,
  returnTo: string,
): Promise<BegunSignIn> {
  const begun = await provider.begin(returnTo);
  if ("refused" in begun) throw refusal(begun, emit);
  return begun;
}

/**
 * `search` is the query of the callback, `cookie` the sealed one. Failure `forbidden` (refused by provider or person, or not
 * begun in this browser), `rate_limited`, `auth_unavailable`. Rejects with LedgerUnavailable.
 */
export async function finishExternal(
  deps: IdentityDeps,
  provider: ExternalSignIn,
  { search, cookie }: { readonly search: string; readonly cookie: string | null },
  visit: Visit,
): Promise<SignedIn & { readonly returnTo: string }> {
  attempt(deps.attempts, deps.clock.now(), gatesFrom("sign-in from", visit.address));
  const finished = await provider.finish(search, cookie);
  if ("refused" in finished) throw refusal(finished, deps.emit);
  const identity = await externalPerson(deps, finished.identity);
  if (identity.suspendedAt !== null) throw suspendedFailure();
  return { ...(await startSession(deps, identity, visit)), returnTo: finished.returnTo };
}

const REASONS: Partial<Record<IdentityRefusalReason, string>> = {
  denied: "the sign-in was refused at the identity provider",
  state: "this sign-in was not begun in this browser, or too long ago; begin it again",
  code: "this sign-in was finished before, or took too long; begin it again",
};

function refusal({ refused, detail }: IdentityRefusal, emit: IdentityDeps["emit"]): Failure {
  const kind = refused in REASONS ? "sign_in_refused" : "identity_provider_failed";
  emit({ kind, reason: refused, detail });
  if (refused === "provider_unavailable") {
    const reason = "the identity provider cannot be reached at the moment; try again";
    return new Failure("auth_unavailable", { reason }, new Error(detail));
  }
  const reason =
    REASONS[refused] ?? "the identity provider's answer is not acceptable; begin the sign-in again";
  return new Failure("forbidden", { reason });
}

/** `sent` is false when the mail server did not accept the mail; signing up again sends another. */
export type SignedUp =
  | { readonly kind: "signed_in"; readonly signedIn: SignedInByPassword }
  | { readonly kind: "mailed"; readonly sent: boolean };

/**
 * With mail configured the response is the same for a free and a taken address, and takes the same time; no person is signed in
 * before the address is confirmed, because the next sign-in would reveal it. Without mail the response says whether the address
 * is taken. Failure `validation_error` (the password), `rate_limited`, `conflict` (taken, without mail), `auth_unavailable`.
 * Rejects with LedgerUnavailable; safe to repeat.
 */
export async function signUp(
  deps: IdentityDeps,
  { email, password }: EmailAndPassword,
  visit: Visit,
): Promise<SignedUp> {
  const { passwords, ledger, attempts, mail, clock } = deps;
  requireAcceptable(passwords, password, email, "/password");
  const from = gatesFrom("sign-up from", visit.address);
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  attempt(attempts, clock.now(), mail.configured ? [...from, to] : from);
  // Hashed before the look-up: free and taken addresses take the same time.
  const passwordHash = await passwords.hash(password, visit.address);
  const created = await ledger.identities.create(
    { email, passwordHash, emailVerifiedAt: null, role: "user" },
    { at: clock.now(), actor: "system" },
  );
  if (mail.configured) return { kind: "mailed", sent: await mailTo(deps, email, created) };
  if (created === "email_taken") {
    throw new Failure("conflict", {
      reason: "this e-mail address has an account; sign in, or ask the operator for a link to set a password",
    });
  }
  const started = await startSession(deps, created, visit);
  return { kind: "signed_in", signedIn: { ...started, device: deviceValue(deps, created, started.session) } };
}

async function mailTo(deps: IdentityDeps, email: string, created: Identity | "email_taken") {
  if (created !== "email_taken") return await mailVerification(deps, created);
  const owner = await deps.ledger.identities.byEmail(email);
  return owner === null ? false : await mailTakenAddress(deps, owner);
}
