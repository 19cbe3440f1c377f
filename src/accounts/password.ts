/** Changing one's password: the present one is asked for, and every other session ends with the change. */

import { Failure } from "#domain/errors.ts";
import { attempt } from "./attempts.ts";
import type { SessionCaller } from "./caller.ts";
import type { IdentityDeps } from "./identity-deps.ts";
import { requireAcceptable } from "./password-rules.ts";

/**
 * Failure `validation_error` (the new one), `rate_limited`, `invalid_credentials` (the present one), `conflict` (no
 * password here), `auth_unavailable`. Rejects with LedgerUnavailable, and then the old password stands.
 */
export async function changePassword(
  { passwords, ledger, attempts, clock }: IdentityDeps,
  caller: SessionCaller,
  { current, new: wanted }: { readonly current: string; readonly new: string },
): Promise<void> {
  const { identity, session } = caller;
  requireAcceptable(passwords, wanted, "/new");
  // Counted by identity: whoever took over a session gets few guesses, and locks nobody out of signing in.
  const gate = { limit: "sign-in to", key: identity.id } as const;
  await attempt(attempts, clock.now(), [gate]);
  if (identity.passwordHash === null) {
    throw new Failure("conflict", {
      reason: "this account has no password; it signs in through its provider",
    });
  }
  if (!(await passwords.verify(current, identity.passwordHash))) {
    throw new Failure("invalid_credentials", { wording: "the current password is wrong" });
  }
  await attempts.clear(gate);
  const passwordHash = await passwords.hash(wanted);
  const ended = session === null ? "all" : { allBut: session.id };
  await ledger.identities.change(identity.id, { passwordHash }, caller.by(clock.now()), ended);
}
