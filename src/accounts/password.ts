/** Changing one's password: the present one is asked for; every other session, and every link for a new one, ends with it. */

import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/errors.ts";
import { attempt } from "./attempts.ts";
import type { SessionCaller } from "./caller.ts";
import type { IdentityDeps } from "./identity-deps.ts";
import { requireAcceptable } from "./password-rules.ts";

/** To write what was made ready; nobody else has the token. */
const TURN_MILLISECONDS = 60_000;

/**
 * Failure `validation_error` (the new one), `rate_limited`, `invalid_credentials` (the present one, also when it was
 * replaced meanwhile), `conflict` (no password here, or another change at the same time), `auth_unavailable`. Rejects
 * with LedgerUnavailable, and then the old password stands.
 */
export async function changePassword(
  deps: IdentityDeps,
  caller: SessionCaller,
  { current, new: wanted }: { readonly current: string; readonly new: string },
): Promise<void> {
  const { passwords, ledger, attempts, clock } = deps;
  const { identity, session } = caller;
  requireAcceptable(passwords, wanted, "/new");
  // Counted by identity: whoever took over a session gets few guesses, and locks nobody out of signing in.
  const gate = { limit: "sign-in to", key: identity.id } as const;
  await attempt(attempts, clock.now(), [gate]);
  const { email, passwordHash: old } = identity;
  if (old === null || email === null) {
    throw new Failure("conflict", {
      reason: "this account has no password; it signs in through its provider",
    });
  }
  if (!(await passwords.verify(current, old))) throw wrongCurrent();
  await attempts.clear(gate);
  const passwordHash = await passwords.hash(wanted);
  const turn = await takeTurn(deps, { identityId: identity.id, email }, caller.by(clock.now()));
  // All of that took its time. What was set before our turn is seen here; what comes after it is not undone by us.
  if ((await ledger.identities.byId(identity.id))?.passwordHash !== old) throw wrongCurrent();
  const endSessions = session === null ? "all" : { allBut: session.id };
  const change = { patch: { passwordHash }, endSessions } as const;
  if ((await ledger.tokens.consume(turn, "reset_password", change, clock.now())) === null) {
    throw new Failure("conflict", {
      reason: "the password is being changed elsewhere too; this change was not made",
    });
  }
}

/**
 * A token for a new password that is sent to nobody, to be used once. Links that are still on their way stop working, and
 * so does this one as soon as another is asked for.
 */
async function takeTurn(
  { ledger, tokens }: IdentityDeps,
  whose: { readonly identityId: string; readonly email: string },
  by: By,
): Promise<string> {
  const { id, secretHash } = tokens.issue("fxo_");
  const purpose = "reset_password";
  await ledger.tokens.issue({ id, secretHash, purpose, ...whose, expiresAt: by.at + TURN_MILLISECONDS }, by);
  return id;
}

function wrongCurrent(): Failure {
  return new Failure("invalid_credentials", { wording: "the current password is wrong" });
}
