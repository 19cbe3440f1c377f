/** Bodies of the endpoints below /v1/auth, printed from domain values. The compiler checks each against its response schema. */

import type { Static } from "@sinclair/typebox";
import type { Identity } from "#domain/account/identity.ts";
import type { Session } from "#domain/account/session.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { EmailVerifiedResponse, LetterResponse } from "./links.ts";
import type { PasswordSetResponse, SessionsEndedResponse, SessionsResponse } from "./sessions.ts";
import type { MeResponse, SignedInResponse, SignedOutResponse, SignUpMailedResponse } from "./sign-in.ts";

export function signedInBody(signedIn: {
  readonly identity: Identity;
  readonly session: Session;
  readonly token: string;
}): Static<typeof SignedInResponse> {
  const { identity, session, token } = signedIn;
  return {
    result: "success",
    token,
    session_id: session.id,
    expires_at: formatInstant(session.expiresAt),
    identity: printIdentity(identity),
  };
}

export function signUpMailedBody(email: string, sent: boolean): Static<typeof SignUpMailedResponse> {
  const message = sent
    ? `open the link in the e-mail to ${email}, then sign in`
    : "the e-mail could not be sent; request another at /v1/auth/verify-email/send in a while";
  return { result: "success", mail: sent ? "sent" : "failed", message };
}

export function signedOutBody(signedOut: boolean): Static<typeof SignedOutResponse> {
  return { result: "success", signed_out: signedOut };
}

export function identityBody(
  identity: Identity,
): Static<typeof MeResponse> & Static<typeof EmailVerifiedResponse> {
  return { result: "success", identity: printIdentity(identity) };
}

/** `current` is the id of the session that the request came with. */
export function sessionsBody(
  sessions: readonly Session[],
  current: string | null,
): Static<typeof SessionsResponse> {
  const printed = sessions.map(({ id, createdAt, expiresAt, lastSeenAt, userAgent, address }) => ({
    id,
    current: id === current,
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
    last_seen_at: formatInstant(lastSeenAt),
    client: userAgent,
    network: address,
  }));
  return { result: "success", sessions: printed };
}

export function sessionsEndedBody(ended: number): Static<typeof SessionsEndedResponse> {
  return { result: "success", ended };
}

export function passwordSetBody(): Static<typeof PasswordSetResponse> {
  return { result: "success", password_set: true };
}

/** The same for every address. */
export function letterBody(mailConfigured: boolean): Static<typeof LetterResponse> {
  return mailConfigured
    ? {
        result: "success",
        mail: "if_known",
        message: "if the address has an account here, an e-mail is on its way to it",
      }
    : {
        result: "success",
        mail: "not_configured",
        message: "this server sends no mail: its operator makes links with crossrate accounts reset-link",
      };
}

/** A person without anything secret. */
function printIdentity({
  id,
  email,
  emailVerifiedAt,
  role,
  createdAt,
}: Identity): Static<typeof MeResponse>["identity"] {
  return {
    id,
    email,
    email_verified: emailVerifiedAt !== null,
    role,
    created_at: formatInstant(createdAt),
  };
}
