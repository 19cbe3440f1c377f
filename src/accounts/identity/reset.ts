/** A forgotten password: asking for a link, and setting a new one with it. */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { deadLink, readLink } from "./one-time-link.ts";
import { requireAcceptable } from "./password-rules.ts";
import { mailResetLink } from "./reset-mail.ts";

/**
 * Says nothing about whether the address has an account: the letter is written once the answer is out. Without mail
 * nothing is sent; the operator's command line makes links. Failure `rate_limited`. Rejects with LedgerUnavailable.
 */
export async function askReset(
  deps: IdentityDeps,
  { email }: { readonly email: string },
  { address }: Pick<Visit, "address">,
): Promise<void> {
  const { attempts, clock, ledger, mail } = deps;
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  await attempt(attempts, clock.now(), [...gatesFrom("mail from", address), to]);
  const identity = await ledger.identities.byEmail(email);
  if (identity === null || !mail.configured) return;
  deps.afterwards(async () => {
    await mailResetLink(deps, identity);
  });
}

/**
 * Sets the password that a link allows, once, and ends every session. Failure `validation_error` (the password, or a link
 * that is used, replaced, too old or none of ours), `rate_limited`, `auth_unavailable`. Rejects with LedgerUnavailable.
 */
export async function confirmReset(
  { passwords, tokens, ledger, attempts, mail, clock }: IdentityDeps,
  { token, password }: { readonly token: string; readonly password: string },
  { address }: Pick<Visit, "address">,
): Promise<Identity> {
  await attempt(attempts, clock.now(), gatesFrom("link from", address));
  requireAcceptable(passwords, password, null, "/new");
  // Looked at first, so that a hash is not made for nothing.
  const { id, email } = await readLink({ ledger, tokens, clock }, token, "reset_password");
  // Once more, now that it is known whose it is.
  requireAcceptable(passwords, password, email, "/new");
  const passwordHash = await passwords.hash(password, address);
  const now = clock.now();
  // With mail the link came by it, or with the operator's word. Without, it says nothing about the mailbox.
  const patch = { passwordHash, ...(mail.configured ? { emailVerifiedAt: now } : {}) };
  const identity = await ledger.tokens.consume(id, "reset_password", { patch, endSessions: "all" }, now);
  if (identity === null) throw deadLink();
  await attempts.clear({ limit: "sign-in to", key: identity.email ?? "" });
  return identity;
}
