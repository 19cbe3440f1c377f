/** Changing one's password: the present one is asked for; every other session, and every link for a new one, ends with it. */

import { Failure } from "#domain/errors.ts";
import { attempt } from "./attempts.ts";
import type { SessionCaller } from "./caller.ts";
import type { IdentityDeps } from "./identity-deps.ts";
import { issueLink } from "./one-time-link.ts";
import { requireAcceptable } from "./password-rules.ts";

/**
 * Failure `validation_error` (the new one), `rate_limited`, `invalid_credentials` (the present one), `conflict` (no
 * password here), `auth_unavailable`. Rejects with LedgerUnavailable, and then the old password stands.
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
  const by = caller.by(clock.now());
  if (identity.email !== null) {
    // Sent to nobody: links for a new password that are still on their way stop working.
    const unsent = { email: identity.email, purpose: "reset_password", hours: 0 } as const;
    await issueLink(deps, identity, unsent, by);
  }
  const ended = session === null ? "all" : { allBut: session.id };
  await ledger.identities.change(identity.id, { passwordHash }, by, ended);
}
