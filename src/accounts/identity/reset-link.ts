/** A link that sets a new password once: mailed to its owner, or printed for the operator to hand over. */

import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import { issueLink, type LinkDeps } from "./one-time-link.ts";

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
