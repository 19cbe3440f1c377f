/** Signing out: the session that asks ends at once, everywhere. */

import type { SessionCaller } from "#accounts/limits/caller.ts";
import type { IdentityDeps } from "./deps.ts";

/** False where there is no session here to end: a provider's JWT ends by itself. Rejects with LedgerUnavailable. */
export async function signOut(
  { ledger, clock }: Pick<IdentityDeps, "ledger" | "clock">,
  caller: SessionCaller,
): Promise<boolean> {
  const { session, identity } = caller;
  if (session === null) return false;
  return await ledger.sessions.end(session.id, identity.id, caller.by(clock.now()));
}
