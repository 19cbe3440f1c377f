/** Confirming an e-mail address: asking for the link again, and using it. Nobody is signed in by a link. */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { deadLink, readLink } from "./one-time-link.ts";
import { mailVerification } from "./verify-mail.ts";

/** As silent as `askReset`, with the same failures. */
export async function askVerification(
  deps: IdentityDeps,
  { email }: { readonly email: string },
  { address }: Pick<Visit, "address">,
): Promise<void> {
  const { attempts, clock, ledger, mail } = deps;
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  await attempt(attempts, clock.now(), [...gatesFrom("mail from", address), to]);
  const identity = await ledger.identities.byEmail(email);
  if (identity === null || identity.emailVerifiedAt !== null || !mail.configured) return;
  deps.afterwards(async () => {
    await mailVerification(deps, identity);
  });
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
