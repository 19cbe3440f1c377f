/** The letter with a link that confirms an e-mail address. */

import type { Identity } from "#domain/account/identity.ts";
import { verificationLetter } from "#domain/text/characters.ts";
import type { IdentityDeps } from "./deps.ts";
import { sendLetter } from "./mail.ts";
import { issueLink } from "./one-time-link.ts";

const VALID_HOURS = 24;

/**
 * Earlier links stop working. False when there is nothing to confirm or the letter could not be sent. Rejects with
 * LedgerUnavailable.
 */
export async function mailVerification(
  deps: Pick<IdentityDeps, "ledger" | "tokens" | "mail" | "publicUrl" | "clock" | "tell">,
  identity: Identity,
): Promise<boolean> {
  const { email, emailVerifiedAt } = identity;
  if (email === null || emailVerifiedAt !== null) return false;
  const wanted = { email, purpose: "verify_email", hours: VALID_HOURS } as const;
  const link = await issueLink(deps, identity, wanted, { at: deps.clock.now(), actor: "system" });
  const letter = verificationLetter({ site: deps.publicUrl, link, validHours: VALID_HOURS });
  return await sendLetter(deps, email, letter);
}
