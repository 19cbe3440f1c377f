/** Signing in by e-mail and password. Wrong password, unknown address, unconfirmed address: one answer, in one time. */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { mailVerification } from "./mail.ts";
import { replacePassword } from "./password.ts";
import { suspendedFailure } from "./session-caller.ts";
import { type SignedIn, startSession } from "./sessions-start.ts";

export interface EmailAndPassword {
  readonly email: string;
  readonly password: string;
}

/**
 * Failure `rate_limited`, `invalid_credentials`, `forbidden` (suspended; only for a correct password),
 * `auth_unavailable` (too many sign-ins at once). Rejects with LedgerUnavailable.
 */
export async function signIn(
  deps: IdentityDeps,
  { email, password }: EmailAndPassword,
  visit: Visit,
): Promise<SignedIn> {
  const { attempts, ledger, mail, clock } = deps;
  const account = { limit: "sign-in to", key: normalizeEmail(email) } as const;
  await attempt(attempts, clock.now(), [...gatesFrom("sign-in from", visit.address), account]);
  const known = await ledger.identities.byEmail(email);
  const identity = await proven(deps, known, password, visit.address);
  if (identity === null) throw wrongCredentials(mail.configured);
  if (mail.configured && identity.emailVerifiedAt === null) {
    deps.inBackground(async () => {
      // A person who opened the account with another's address must not fill that mailbox by signing in.
      const wait = await attempts.take([{ limit: "mail to", key: account.key }], clock.now());
      if (wait === 0) await mailVerification(deps, identity);
    });
    throw wrongCredentials(mail.configured);
  }
  if (identity.suspendedAt !== null) throw suspendedFailure();
  await attempts.clear(account);
  await renewHash(deps, identity, password, visit.address);
  const started = await startSession(deps, identity, visit);
  if (await isStillRight(deps, identity, password, visit.address)) return started;
  await ledger.sessions.end(started.session.id, identity.id, { at: clock.now(), actor: "system" });
  throw wrongCredentials(mail.configured);
}

/**
 * A new password ends all sessions that there are by then. Checked once the session has begun, so that none
 * which an older password has opened is left: it ends with the others, or here.
 */
async function isStillRight(
  { ledger, passwords }: IdentityDeps,
  proved: Identity,
  password: string,
  from: string,
): Promise<boolean> {
  const hash = (await ledger.identities.byId(proved.id))?.passwordHash ?? null;
  if (hash === proved.passwordHash) return true;
  // Or it is the same password, hashed anew.
  return hash !== null && (await passwords.verify(password, hash, from));
}

/** Where mail is configured an address has to be confirmed, or signing up would reveal whether it was free. */
function wrongCredentials(mailConfigured: boolean): Failure {
  if (!mailConfigured) return new Failure("invalid_credentials");
  return new Failure("invalid_credentials", {
    wording:
      "the e-mail address or the password is wrong, or the address is not confirmed yet; then a link to confirm it is in your mail",
  });
}

/** The identity whose password it is. Costs the same where there is none. */
async function proven(
  { passwords }: IdentityDeps,
  identity: Identity | null,
  password: string,
  from: string,
): Promise<Identity | null> {
  if (identity === null || identity.passwordHash === null) {
    await passwords.verifyDummy(password, from);
    return null;
  }
  return (await passwords.verify(password, identity.passwordHash, from)) ? identity : null;
}

/** A hash of yesterday's cost is made anew while the password is at hand. A password that is set meanwhile stays. */
async function renewHash(deps: IdentityDeps, identity: Identity, password: string, from: string) {
  const { passwords, clock } = deps;
  const { id, email, passwordHash: old } = identity;
  // A password from before the present rules cannot be hashed again, and goes on working.
  if (old === null || email === null || !passwords.needsRehash(old) || passwords.fault(password) !== null)
    return;
  const renewed = { passwordHash: await passwords.hash(password, from), endSessions: "none" } as const;
  const by = { at: clock.now(), actor: "system" } as const;
  await replacePassword(deps, { id, email, passwordHash: old }, renewed, by);
}
