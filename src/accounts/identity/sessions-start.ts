/** A new session for somebody who has just proved who they are; the one they came with ends. */

import type { Identity } from "#domain/account/identity.ts";
import type { Session } from "#domain/account/session.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { IdentityDeps, Visit } from "./deps.ts";
import { clientSummary, networkSummary } from "./sessions-client.ts";

/** From the sign-in, however busy it is: a stolen token has an end that its thief cannot put off. */
export const SESSION_SECONDS = (30 * MILLISECONDS_PER_DAY) / 1000;

export interface SignedIn {
  readonly identity: Identity;
  readonly session: Session;
  /** For its bearer alone: nothing here keeps it. */
  readonly token: string;
}

/** The old session ends first: were the new one not to start, signing in again is all it takes. Rejects with LedgerUnavailable. */
export async function startSession(
  { ledger, tokens, clock }: Pick<IdentityDeps, "ledger" | "tokens" | "clock">,
  identity: Identity,
  visit: Visit,
): Promise<SignedIn> {
  const by = { at: clock.now(), actor: `identity:${identity.id}` } as const;
  const presented = visit.presented === null ? null : tokens.read("fxs_", visit.presented);
  if (presented !== null) {
    const found = await ledger.sessions.find(presented.id);
    if (found !== null && tokens.matches(presented, found.session.secretHash))
      await ledger.sessions.end(presented.id, found.session.identityId, by);
  }
  const { id, secretHash, token } = tokens.issue("fxs_");
  const session = await ledger.sessions.start(
    {
      id,
      identityId: identity.id,
      secretHash,
      expiresAt: by.at + SESSION_SECONDS * 1000,
      userAgent: clientSummary(visit.userAgent),
      address: networkSummary(visit.address),
    },
    by,
  );
  return { identity, session, token };
}
