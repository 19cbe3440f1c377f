/** The letters to somebody whose address has an account already: a new password was asked for, or the address was given again. */

import type { Identity } from "#domain/account/identity.ts";
import { type Letter, resetLetter } from "#domain/text/characters.ts";
import type { IdentityDeps } from "./deps.ts";
import { sendLetter } from "./mail.ts";
import { issueLink } from "./one-time-link.ts";
import { issueResetLink, RESET_VALID_HOURS } from "./reset-link.ts";

type Deps = Pick<IdentityDeps, "ledger" | "tokens" | "mail" | "publicUrl" | "clock" | "tell">;

/** Whether the letter was sent. Rejects with LedgerUnavailable. */
export function mailResetLink(deps: Deps, identity: Identity): Promise<boolean> {
  return mailLink(deps, identity, (site, link) => resetLetter({ site, link, validHours: RESET_VALID_HOURS }));
}

/**
 * For the owner of an address with which somebody signed up again. Where the address was never confirmed, whoever signed
 * up first may have been somebody else: the link that they asked for stops working, and this one sets a new password.
 */
export async function mailTakenAddress(deps: Deps, owner: Identity): Promise<boolean> {
  const { email, emailVerifiedAt } = owner;
  if (emailVerifiedAt === null && email !== null) {
    // Sent to nobody: it only takes the place of those before it.
    const unsent = { email, purpose: "verify_email", hours: 0 } as const;
    await issueLink(deps, owner, unsent, { at: deps.clock.now(), actor: "system" });
  }
  return await mailLink(deps, owner, takenLetter);
}

async function mailLink(
  deps: Deps,
  identity: Identity,
  letterOf: (site: string, link: string) => Letter,
): Promise<boolean> {
  const { email, external } = identity;
  if (email === null) return false;
  if (external !== null) return await sendLetter(deps, email, providerLetter(deps.publicUrl));
  const link = await issueResetLink(deps, identity, { at: deps.clock.now(), actor: "system" });
  return await sendLetter(deps, email, letterOf(deps.publicUrl, link));
}

function takenLetter(site: string, link: string): Letter {
  return {
    subject: "You have an account already",
    text: `Somebody, probably you, wanted to open an account with this address at ${site}. There is one already.

Sign in with its password. If you do not know it, set a new one: open this link within one hour. It works once, and signs
out every other session:

${link}

If it was not you, do nothing: the account stays as it is.
`,
  };
}

function providerLetter(site: string): Letter {
  return {
    subject: "You have an account already",
    text: `Somebody, probably you, gave this address at ${site} to open an account or to set a password.

There is an account with this address. It signs in through your identity provider and has no password here: choose that
way on the page to sign in.

If it was not you, do nothing: the account stays as it is.
`,
  };
}
