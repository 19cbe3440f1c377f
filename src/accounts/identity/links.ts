/** Password reset and address confirmation: mails a link, and processes the link when it is used. A link starts no session. */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { mailResetLink, mailVerification } from "./mail.ts";
import { deadLink, readLink } from "./one-time-link.ts";
import { requireAcceptable } from "./password-rules.ts";

/**
 * Does not reveal whether the address has an account: the mail is written once the response is sent. Without mail
 * nothing is sent; the operator's command line makes links. Failure `rate_limited`. Rejects with LedgerUnavailable.
 */
export async function askReset(
  deps: IdentityDeps,
  asked: Asked,
  visit: Pick<Visit, "address">,
): Promise<void> {
  await mailLink(deps, asked, visit, (identity) => mailResetLink(deps, identity));
}

/** As silent as `askReset`, with the same failures. */
export async function askVerification(
  deps: IdentityDeps,
  asked: Asked,
  visit: Pick<Visit, "address">,
): Promise<void> {
  await mailLink(deps, asked, visit, async (identity) => {
    if (identity.emailVerifiedAt === null) await mailVerification(deps, identity);
  });
}

interface Asked {
  readonly email: string;
}

async function mailLink(
  { attempts, clock, ledger, mail, inBackground }: IdentityDeps,
  { email }: Asked,
  { address }: Pick<Visit, "address">,
  send: (identity: Identity) => Promise<unknown>,
): Promise<void> {
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  await attempt(attempts, clock.now(), [...gatesFrom("mail from", address), to]);
  const identity = await ledger.identities.byEmail(email);
  if (identity !== null && mail.configured) inBackground(async () => void (await send(identity)));
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
  // With mail configured the link came by mail or from the operator. Without, it proves nothing about the mailbox.
  const patch = { passwordHash, ...(mail.configured ? { emailVerifiedAt: now } : {}) };
  const identity = await ledger.tokens.consume(id, "reset_password", { patch, endSessions: "all" }, now);
  if (identity === null) throw deadLink();
  await attempts.clear({ limit: "sign-in to", key: identity.email ?? "" });
  return identity;
}

/** Failure `validation_error` (see `deadLink`), `rate_limited`. Rejects with LedgerUnavailable. */
export async function confirmVerification(
  { tokens, ledger, attempts, clock }: IdentityDeps,
  { token }: { readonly token: string },
  { address }: Pick<Visit, "address">,
): Promise<Identity> {
  const now = clock.now();
  await attempt(attempts, now, gatesFrom("link from", address));
  const { id } = await readLink({ ledger, tokens, clock }, token, "verify_email");
  const change = { patch: { emailVerifiedAt: now }, endSessions: "none" } as const;
  const identity = await ledger.tokens.consume(id, "verify_email", change, now);
  if (identity === null) throw deadLink();
  return identity;
}
