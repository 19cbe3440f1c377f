/** One's own sessions: listed without anything that could open one, ended one by one or all others at once. */

import type { SessionCaller } from "#accounts/limits/caller.ts";
import { isId } from "#domain/account/key-format.ts";
import { Failure } from "#domain/faults/errors.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { IdentityDeps } from "./deps.ts";

type Deps = Pick<IdentityDeps, "ledger" | "clock">;

/** Those that are alive, newest first. Rejects with LedgerUnavailable, like all of these. */
export async function listSessions({ ledger, clock }: Deps, { identity, session: own }: SessionCaller) {
  const sessions = await ledger.sessions.list(identity.id, clock.now());
  return sessions.map(({ id, createdAt, expiresAt, lastSeenAt, userAgent, address }) => ({
    id,
    current: id === own?.id,
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
    last_seen_at: formatInstant(lastSeenAt),
    client: userAgent,
    network: address,
  }));
}

/** Failure `not_found` for an id that is not one of the caller's living sessions. */
export async function endSession({ ledger, clock }: Deps, caller: SessionCaller, id: string): Promise<void> {
  const isOne =
    isId("ses_", id) && (await ledger.sessions.end(id, caller.identity.id, caller.by(clock.now())));
  if (!isOne) throw new Failure("not_found", { path: `/v1/auth/sessions/${id}` });
}

/** All but the one that asks; how many ended. */
export async function endOtherSessions({ ledger, clock }: Deps, caller: SessionCaller): Promise<number> {
  const which = caller.session === null ? "all" : { allBut: caller.session.id };
  return await ledger.sessions.endAll(caller.identity.id, which, caller.by(clock.now()));
}
