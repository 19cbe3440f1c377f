/** A person's own sessions: lists them without secrets, and ends one of them, all others, or the current one. */

import type { Session } from "#domain/account/identity.ts";
import { isId } from "#domain/account/key.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { IdentityDeps } from "./deps.ts";
import type { SessionCaller } from "./session-caller.ts";

type Deps = Pick<IdentityDeps, "ledger" | "clock">;

/** Those that are alive, newest first. Rejects with LedgerUnavailable, like all of these. */
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

/** Ends all but the caller's session; returns how many ended. */
export async function endOtherSessions({ ledger, clock }: Deps, caller: SessionCaller): Promise<number> {
  const which = caller.session === null ? "all" : { allBut: caller.session.id };
  return await ledger.sessions.endAll(caller.identity.id, which, caller.by(clock.now()));
}

/** False where there is no session here to end: a provider's JWT ends by itself. Rejects with LedgerUnavailable. */
export async function signOut(
  { ledger, clock }: Pick<IdentityDeps, "ledger" | "clock">,
  caller: SessionCaller,
): Promise<boolean> {
  const { session, identity } = caller;
  if (session === null) return false;
  return await ledger.sessions.end(session.id, identity.id, caller.by(clock.now()));
}
