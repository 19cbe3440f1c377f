/** Changes the password of a person who is signed in, by the rules for new passwords. */

import { guessableName, type Identity } from "#domain/account/identity.ts";
import type { By } from "#domain/account/ledger.ts";
import { issueToken } from "#domain/account/token.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { PasswordFault, Passwords } from "#ports/identity.ts";
import type { EndSessions } from "#ports/ledger.ts";
import { attempt, type IdentityDeps, type Visit } from "./deps.ts";
import { deviceValue, type SessionCaller } from "./sessions.ts";

/**
 * Resolves with the cookie that recognizes this browser, or null. Failures `validation_error` (new password), `rate_limited`,
 * `invalid_credentials` (current password wrong, or replaced meanwhile), `conflict` (no password here, or another change at the same
 * time), `auth_unavailable`. Rejects with LedgerUnavailable; the old password then stays.
 */
export async function changePassword(
  deps: IdentityDeps,
  caller: SessionCaller,
  { current, new: wanted }: { readonly current: string; readonly new: string },
  { address }: Pick<Visit, "address">,
): Promise<string | null> {
  const { passwords, attempts, clock } = deps;
  const { identity, session } = caller;
  requireAcceptable(passwords, wanted, identity.email, "/new");
  // Counted by identity: a thief of a session gets few guesses, and cannot lock the owner out of signing in.
  const gate = { limit: "sign-in to", key: identity.id } as const;
  attempt(attempts, clock.now(), [gate]);
  const { email, passwordHash: old } = identity;
  if (old === null || email === null) {
    throw new Failure("conflict", {
      reason: "this account has no password; it signs in through its provider",
    });
  }
  if (!(await passwords.verify(current, old, address))) throw wrongCurrent();
  attempts.clear(gate);
  const passwordHash = await passwords.hash(wanted, address);
  // The password may have been replaced while it was hashed.
  const endSessions = session === null ? "all" : ({ allBut: session.id } as const);
  const proved = { id: identity.id, email, passwordHash: old };
  const by = caller.by(clock.now());
  const outcome = await replacePassword(deps, proved, { passwordHash, endSessions }, by);
  if (outcome === "replaced") throw wrongCurrent();
  if (outcome === "overtaken") {
    throw new Failure("conflict", {
      reason: "the password is being changed elsewhere too; this change was not made",
    });
  }
  return session === null ? null : deviceValue(deps, { id: identity.id, passwordHash }, session);
}

function wrongCurrent(): Failure {
  return new Failure("invalid_credentials", { wording: "the current password is wrong" });
}

const TURN_MILLISECONDS = 60_000;

/**
 * "replaced": the proved password is no longer the current one. "overtaken": another caller has begun to set one. In both cases nothing
 * is set. Earlier links for a new password stop working in every case. Rejects with LedgerUnavailable.
 */
export async function replacePassword(
  { ledger, random, clock }: Pick<IdentityDeps, "ledger" | "random" | "clock">,
  proved: Pick<Identity, "id" | "passwordHash"> & { readonly email: string },
  change: { readonly passwordHash: string; readonly endSessions: EndSessions },
  by: By,
): Promise<"set" | "replaced" | "overtaken"> {
  const { id: identityId, email } = proved;
  // This token is never sent: it ends earlier links, and a later request for a link ends it.
  const { id, secretHash } = issueToken("fxo_", random);
  const turn = { id, secretHash, purpose: "reset_password", identityId, email } as const;
  await ledger.tokens.issue({ ...turn, expiresAt: by.at + TURN_MILLISECONDS }, by);
  // A change before our token is seen here; a change after it ends our token.
  if ((await ledger.identities.byId(identityId))?.passwordHash !== proved.passwordHash) return "replaced";
  const { passwordHash, endSessions } = change;
  const consumed = { patch: { passwordHash }, endSessions };
  const changed = await ledger.tokens.consume(id, "reset_password", consumed, clock.now());
  return changed === null ? "overtaken" : "set";
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
