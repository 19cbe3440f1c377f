/** Changing one's password: the present one is asked for; every other session, and every link for a new one, ends with it. */

import type { SessionCaller } from "#accounts/limits/caller.ts";
import { Failure } from "#domain/faults/errors.ts";
import { attempt } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { requireAcceptable } from "./password-rules.ts";
import { replacePassword } from "./password-turn.ts";

/**
 * Failure `validation_error` (the new one), `rate_limited`, `invalid_credentials` (the present one, also when it was
 * replaced meanwhile), `conflict` (no password here, or another change at the same time), `auth_unavailable`. Rejects
 * with LedgerUnavailable, and then the old password stands.
 */
export async function changePassword(
  deps: IdentityDeps,
  caller: SessionCaller,
  { current, new: wanted }: { readonly current: string; readonly new: string },
  { address }: Pick<Visit, "address">,
): Promise<void> {
  const { passwords, attempts, clock } = deps;
  const { identity, session } = caller;
  requireAcceptable(passwords, wanted, identity.email, "/new");
  // Counted by identity: whoever took over a session gets few guesses, and locks nobody out of signing in.
  const gate = { limit: "sign-in to", key: identity.id } as const;
  await attempt(attempts, clock.now(), [gate]);
  const { email, passwordHash: old } = identity;
  if (old === null || email === null) {
    throw new Failure("conflict", {
      reason: "this account has no password; it signs in through its provider",
    });
  }
  if (!(await passwords.verify(current, old, address))) throw wrongCurrent();
  await attempts.clear(gate);
  const passwordHash = await passwords.hash(wanted, address);
  // All of that took its time, in which the password may have been replaced.
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
}

function wrongCurrent(): Failure {
  return new Failure("invalid_credentials", { wording: "the current password is wrong" });
}
