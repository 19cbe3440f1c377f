/** Signs a person up by e-mail and password. Where mail is sent, only the mailbox learns whether the address already had an account. */

import { type Identity, normalizeEmail } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { deviceValue } from "./devices.ts";
import { mailTakenAddress, mailVerification } from "./mail.ts";
import { requireAcceptable } from "./password-rules.ts";
import { type SignedInByPassword, startSession } from "./sessions-start.ts";
import type { EmailAndPassword } from "./sign-in.ts";

/** `sent` is false when the mail server did not accept the mail: signing up again, or requesting a new link, sends another. */
export type SignedUp =
  | { readonly kind: "signed_in"; readonly signedIn: SignedInByPassword }
  | { readonly kind: "mailed"; readonly sent: boolean };

/**
 * Where mail is configured the response is the same for a free and for a taken address, in the same time, and no person is
 * signed in before the address is confirmed: otherwise the next sign-in would reveal it. Without mail the owner cannot be
 * notified, so the response says it: such an installation is for people who know each other.
 *
 * Failure `validation_error` (the password), `rate_limited`, `conflict` (taken, and no mail is configured),
 * `auth_unavailable` (too many at once). Rejects with LedgerUnavailable; repeating it is safe.
 */
export async function signUp(
  deps: IdentityDeps,
  { email, password }: EmailAndPassword,
  visit: Visit,
): Promise<SignedUp> {
  const { passwords, ledger, attempts, mail, clock } = deps;
  requireAcceptable(passwords, password, email, "/password");
  const from = gatesFrom("sign-up from", visit.address);
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  await attempt(attempts, clock.now(), mail.configured ? [...from, to] : from);
  // Before looking whether the address is free: both ways take the time of a hash.
  const passwordHash = await passwords.hash(password, visit.address);
  const created = await ledger.identities.create(
    { email, passwordHash, emailVerifiedAt: null, role: "user" },
    { at: clock.now(), actor: "system" },
  );
  if (mail.configured) return { kind: "mailed", sent: await tellMailbox(deps, email, created) };
  if (created === "email_taken") {
    throw new Failure("conflict", {
      reason: "this e-mail address has an account; sign in, or ask the operator for a link to set a password",
    });
  }
  const started = await startSession(deps, created, visit);
  return { kind: "signed_in", signedIn: { ...started, device: deviceValue(deps, created, started.session) } };
}

async function tellMailbox(deps: IdentityDeps, email: string, created: Identity | "email_taken") {
  if (created !== "email_taken") return await mailVerification(deps, created);
  const owner = await deps.ledger.identities.byEmail(email);
  return owner === null ? false : await mailTakenAddress(deps, owner);
}
