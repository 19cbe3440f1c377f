/** Creates links that work once, and reads them when they come back. The operator can have a password reset link printed. */

import type { By } from "#domain/account/audit.ts";
import type { Identity, OneTimeToken, TokenPurpose } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Tokens } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import { refusedValue } from "./password-rules.ts";

const HOUR = 3_600_000;

export interface LinkDeps {
  readonly ledger: Pick<Ledger, "tokens">;
  readonly tokens: Pick<Tokens, "issue">;
  /** Scheme, host and port, without a slash at its end. */
  readonly publicUrl: string;
}

const PAGES: Readonly<Record<TokenPurpose, string>> = {
  verify_email: "verify-email",
  reset_password: "reset-password",
};

/** The link, to be mailed to `email`; earlier ones of the purpose stop working. Rejects with LedgerUnavailable. */
export async function issueLink(
  { ledger, tokens, publicUrl }: LinkDeps,
  { id: identityId }: Identity,
  {
    email,
    purpose,
    hours,
  }: { readonly email: string; readonly purpose: TokenPurpose; readonly hours: number },
  by: By,
): Promise<string> {
  const { id, secretHash, token } = tokens.issue("fxo_");
  const expiresAt = by.at + hours * HOUR;
  await ledger.tokens.issue({ id, secretHash, purpose, identityId, email, expiresAt }, by);
  // After the #: browsers do not send it, so that it is in no log and no Referer.
  return `${publicUrl}/${PAGES[purpose]}#token=${token}`;
}

/** The stored token of a presented text. Failure as `deadLink`. Rejects with LedgerUnavailable. */
export async function readLink(
  {
    ledger,
    tokens,
    clock,
  }: {
    readonly ledger: Pick<Ledger, "tokens">;
    readonly tokens: Pick<Tokens, "read" | "matches">;
    readonly clock: Clock;
  },
  text: string,
  purpose: TokenPurpose,
): Promise<OneTimeToken> {
  const presented = tokens.read("fxo_", text);
  const found = presented && (await ledger.tokens.find(presented.id));
  if (presented === null || found === null || !tokens.matches(presented, found.secretHash)) throw deadLink();
  if (found.usedAt !== null || found.expiresAt <= clock.now() || found.purpose !== purpose) throw deadLink();
  return found;
}

/** One answer for every fault of a link: Failure `validation_error` at `/token`. */
export function deadLink(): Failure {
  return refusedValue(
    "/token",
    "this link was used, was replaced by a newer one, or is too old; ask for another",
  );
}

export const RESET_VALID_HOURS = 1;

/**
 * The link; earlier ones of the identity stop working. Failure `conflict` for an identity without an e-mail address or of
 * a provider elsewhere: it has no password here. Rejects with LedgerUnavailable.
 */
export async function issueResetLink(deps: LinkDeps, identity: Identity, by: By): Promise<string> {
  const { email, external } = identity;
  if (email === null || external !== null) {
    throw new Failure("conflict", {
      reason: "this account signs in through its identity provider and has no password here",
    });
  }
  const wanted = { email, purpose: "reset_password", hours: RESET_VALID_HOURS } as const;
  return await issueLink(deps, identity, wanted, by);
}
