/** Changes the password of a person who is signed in, by the rules for new passwords. */

import { guessableName } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { PasswordFault, Passwords } from "#ports/identity.ts";
import { attempt, type IdentityDeps, type Visit } from "./deps.ts";
import { deviceValue, type SessionCaller } from "./sessions.ts";

/**
 * Resolves with the cookie that recognizes this browser, or null. Failures `validation_error` (new password), `rate_limited`,
 * `invalid_credentials` (current password wrong, or replaced meanwhile), `conflict` (no password here), `auth_unavailable`. Rejects
 * with LedgerUnavailable; the old password then stays.
 */
export async function changePassword(
  deps: IdentityDeps,
  caller: SessionCaller,
  { current, new: next }: { readonly current: string; readonly new: string },
  { address }: Pick<Visit, "address">,
): Promise<string | null> {
  const { passwords, attempts, clock, ledger } = deps;
  const { identity, session } = caller;
  requireAcceptable(passwords, next, identity.email, "/new");
  // Counted by identity: a thief of a session gets few guesses, and cannot lock the owner out of signing in.
  const gate = { limit: "sign-in to", key: identity.id } as const;
  attempt(attempts, clock.now(), [gate]);
  const { passwordHash: old } = identity;
  if (old === null) {
    throw new Failure("conflict", {
      reason: "this account has no password; it signs in through its provider",
    });
  }
  if (!(await passwords.verify(current, old, address))) throw wrongCurrent();
  attempts.clear(gate);
  const passwordHash = await passwords.hash(next, address);
  const change = { passwordHash, endSessions: session === null ? "all" : { allBut: session.id } } as const;
  const by = caller.by(clock.now());
  if (!(await ledger.identities.replacePassword(identity.id, old, change, by))) throw wrongCurrent();
  return session === null ? null : deviceValue(deps, { id: identity.id, passwordHash }, session);
}

function wrongCurrent(): Failure {
  return new Failure("invalid_credentials", { wording: "the current password is wrong" });
}

const ADVICE: Readonly<Record<PasswordFault, string>> = {
  too_short: "too short: at least 10 characters are needed, of any kind",
  too_long: "too long: at most 200 characters are taken",
  not_text: "no text: NUL and broken characters are not taken",
  too_common: "too common: it is among the first passwords that an attacker tries",
};

const NAMES = { address: "the e-mail address or the name in it", product: "the name of this service" };

/** Failure `validation_error` at the member of the body that holds the password. */
export function requireAcceptable(
  passwords: Pick<Passwords, "fault">,
  password: string,
  email: string | null,
  path: string,
): void {
  const fault = passwords.fault(password);
  if (fault !== null) throw refusedValue(path, ADVICE[fault]);
  const name = guessableName(password, email);
  if (name === null) return;
  const advice = "choose words that have nothing to do with it";
  throw refusedValue(path, `easily guessed: it is ${NAMES[name]}; ${advice}`);
}

/** A value of the right shape that cannot be taken. */
export function refusedValue(path: string, message: string): Failure {
  return new Failure("validation_error", {
    wording: "a value in the body is not accepted; `errors` says which and why",
    members: { errors: [{ path, message }] },
  });
}
