/** Changes a password. It requires the current one, and ends every other session and every reset link. */

import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { EndSessions } from "#ports/ledger.ts";
import { attempt } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { deviceValue } from "./devices.ts";
import { requireAcceptable } from "./password-rules.ts";
import type { SessionCaller } from "./session-caller.ts";

/**
 * Resolves with the cookie by which this browser is recognized from now on, null where there is none. Failure `validation_error` (the new one), `rate_limited`, `invalid_credentials` (the present one, also when it was
 * replaced meanwhile), `conflict` (no password here, or another change at the same time), `auth_unavailable`. Rejects
 * with LedgerUnavailable, and then the old password stays.
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
  return session === null ? null : deviceValue(deps, { id: identity.id, passwordHash }, session);
}

function wrongCurrent(): Failure {
  return new Failure("invalid_credentials", { wording: "the current password is wrong" });
}

/** Long enough to write what was prepared; no other caller has the token. */
const TURN_MILLISECONDS = 60_000;

export interface Replacement {
  readonly passwordHash: string;
  readonly endSessions: EndSessions;
}

/**
 * "replaced": the proved password is no more the present one. "overtaken": another caller has begun to set one since. In
 * both cases nothing is set. Links for a new password that are on their way stop working. Rejects with LedgerUnavailable.
 */
export async function replacePassword(
  deps: Pick<IdentityDeps, "ledger" | "tokens" | "clock">,
  proved: Pick<Identity, "id" | "passwordHash"> & { readonly email: string },
  { passwordHash, endSessions }: Replacement,
  by: By,
): Promise<"set" | "replaced" | "overtaken"> {
  const { ledger, clock } = deps;
  const turn = await takeTurn(deps, { identityId: proved.id, email: proved.email }, by);
  // What was set before our turn is seen here; what comes after it is not undone by us.
  if ((await ledger.identities.byId(proved.id))?.passwordHash !== proved.passwordHash) return "replaced";
  const change = { patch: { passwordHash }, endSessions };
  const changed = await ledger.tokens.consume(turn, "reset_password", change, clock.now());
  return changed === null ? "overtaken" : "set";
}

/**
 * A token for a new password that is never sent, to be used once. Links that are still on their way stop working, and
 * so does this one as soon as another is requested.
 */
async function takeTurn(
  { ledger, tokens }: Pick<IdentityDeps, "ledger" | "tokens">,
  whose: { readonly identityId: string; readonly email: string },
  by: By,
): Promise<string> {
  const { id, secretHash } = tokens.issue("fxo_");
  const purpose = "reset_password";
  await ledger.tokens.issue({ id, secretHash, purpose, ...whose, expiresAt: by.at + TURN_MILLISECONDS }, by);
  return id;
}
