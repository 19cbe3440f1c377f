/** Setting a password that replaces one which was proved: of all that do so at once only the last to begin can. */

import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { EndSessions } from "#ports/ledger-people.ts";
import type { IdentityDeps } from "./deps.ts";

/** To write what was made ready; nobody else has the token. */
const TURN_MILLISECONDS = 60_000;

export interface Replacement {
  readonly passwordHash: string;
  readonly endSessions: EndSessions;
}

/**
 * "replaced": the proved password is no more the present one. "overtaken": somebody else has begun to set one since. In
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
 * A token for a new password that is sent to nobody, to be used once. Links that are still on their way stop working, and
 * so does this one as soon as another is asked for.
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
