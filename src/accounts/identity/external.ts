/** Signing in at an OpenID provider: away with a sealed cookie, back with a code. */

import { Failure } from "#domain/faults/errors.ts";
import type { BegunSignIn, ExternalSignIn, IdentityRefusal, IdentityRefusalReason } from "#ports/identity.ts";
import { attempt, gatesFrom } from "./attempts.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { externalPerson } from "./external-person.ts";
import { suspendedFailure } from "./session-caller.ts";
import { type SignedIn, startSession } from "./sessions-start.ts";

/** Failure `auth_unavailable` when the provider cannot be reached. `returnTo` is a path of this site. */
export async function beginExternal(
  { emit }: Pick<IdentityDeps, "emit">,
  provider: ExternalSignIn,
  returnTo: string,
): Promise<BegunSignIn> {
  const begun = await provider.begin(returnTo);
  if ("refused" in begun) throw refusal(begun, emit);
  return begun;
}

/**
 * `search` is the query of the callback, `cookie` the sealed one. Failure `forbidden` (refused by the provider, by the
 * person, or not begun in this browser), `rate_limited`, `auth_unavailable`. Rejects with LedgerUnavailable.
 */
export async function finishExternal(
  deps: IdentityDeps,
  provider: ExternalSignIn,
  { search, cookie }: { readonly search: string; readonly cookie: string | null },
  visit: Visit,
): Promise<SignedIn & { readonly returnTo: string }> {
  await attempt(deps.attempts, deps.clock.now(), gatesFrom("sign-in from", visit.address));
  const finished = await provider.finish(search, cookie);
  if ("refused" in finished) throw refusal(finished, deps.emit);
  const identity = await externalPerson(deps, finished.identity);
  if (identity.suspendedAt !== null) throw suspendedFailure();
  return { ...(await startSession(deps, identity, visit)), returnTo: finished.returnTo };
}

const REASONS: Partial<Record<IdentityRefusalReason, string>> = {
  denied: "the sign-in was refused at the identity provider",
  state: "this sign-in was not begun in this browser, or too long ago; begin it again",
  code: "this sign-in was finished before, or took too long; begin it again",
};

function refusal({ refused, detail }: IdentityRefusal, emit: IdentityDeps["emit"]): Failure {
  const kind = refused in REASONS ? "sign_in_refused" : "identity_provider_failed";
  emit({ kind, reason: refused, detail });
  if (refused === "provider_unavailable") {
    const reason = "the identity provider cannot be reached at the moment; try again";
    return new Failure("auth_unavailable", { reason }, new Error(detail));
  }
  const reason =
    REASONS[refused] ?? "the identity provider's answer is not acceptable; begin the sign-in again";
  return new Failure("forbidden", { reason });
}
