/** Shared by the endpoints below /v1/auth: their dependencies, and the person in requests and answers. */

import type { Static } from "@sinclair/typebox";
import type { IdentityDeps, Visit } from "#accounts/identity/deps.ts";
import {
  DEVICE_SECONDS,
  foreignOrigin,
  presentedToken,
  SESSION_SECONDS,
  type SignedInByPassword,
  sessionCaller,
} from "#accounts/identity/sessions.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { credentialsOf, type OfAccounts, routesOf, session } from "#api/plugins/session.ts";
import { print } from "#api/print.ts";
import type { CallerDeps } from "#api/request/metering.ts";
import type { RespondDeps } from "#api/response/respond.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { ExternalSignIn } from "#ports/identity.ts";

export type AuthRoutesDeps = RespondDeps & CallerDeps & OfAccounts<"identity", AuthDeps>;

/** The macros `accounts` and `session` of the endpoints below /v1/auth. */
export const people = ({ house, identity }: AuthRoutesDeps) => session(house, identity, sessionCaller);

export const routes = routesOf("Sign-in");

/** In the documented form, but never issued: their check digits are wrong. */
export const EXAMPLE_TOKEN = `fxs_${"Example0".repeat(7)}00`;
export const EXAMPLE_RESET_TOKEN = `fxo_${"Example0".repeat(7)}00`;
export const EXAMPLE_VERIFY_TOKEN = `fxo_${"Example1".repeat(7)}11`;
export const EXAMPLE_SESSION = "ses_5Vn0Ck2pQx8RtYb3LwEh";

/** An address that may or may not have an account: any text without control characters, because a refusal must reveal nothing. */
export const knownEmail = form.text(
  "The e-mail address of the account. Compared without regard to case.",
  "ada@example.com",
  { pattern: "^[^\\u0000-\\u001f\\u007f]+$", maxLength: 320 },
);

export function password(description: string, example = "seven kites above Delft") {
  return form.text(description, example, { maxLength: 1000 });
}

const IdentityModel = form.named("Identity", "A person who can sign in.", {
  id: form.text("Id of the person.", "idn_8TqW2mZr5KcY0hVx3NsB"),
  email: form.textOrNull("E-mail address; null when an identity provider gave none.", "ada@example.com"),
  email_verified: form.flag("Whether a mailed link or the identity provider confirmed the address.", true),
  role: form.oneOf(["user", "admin"], "`admin` is given by the command line only."),
  created_at: form.instant("When the account was opened, UTC.", "2026-04-02T09:00:00Z"),
});

export const identity = form.meaning(IdentityModel, "Who is signed in.");

/** Adds `emailVerified`, which is printed but not stored. */
export const printed = (person: Identity) => ({
  ...person,
  emailVerified: person.emailVerifiedAt !== null,
});

export const MeResponse = field.answer("MeResponse", "Who is signed in.", { identity });

export const identityBody = (person: Identity) => print(MeResponse, { identity: printed(person) });

export const SET_COOKIE = {
  "Set-Cookie": [
    "The session for browsers: `__Host-`, `HttpOnly`, `Secure`, `SameSite=Lax`, 30 days. After a password a second one, `__Host-crossrate_device`, by which the next sign-in has a count of its own.",
    "__Host-crossrate_session=fxs_…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure",
  ],
} as const;

const PasswordSetResponse = field.answer("PasswordSetResponse", "The password is set.", {
  password_set: form.flag("The new password counts from now on.", true),
});

export const PASSWORD_SET: Static<typeof PasswordSetResponse> = { result: "success", password_set: true };
export const PASSWORD_SET_OK = { description: "The new password counts.", schema: PasswordSetResponse };

export interface AuthDeps extends IdentityDeps {
  /** Null without an identity provider. */
  readonly provider: ExternalSignIn | null;
}

/**
 * Returns the origin of a sign-in. `wantsCookie` is false where the caller stores the token itself. Fails with
 * `forbidden` for a page of another site that wants a cookie: it could sign its visitors in as another person.
 */
export function visitOf(
  { callerOf }: CallerDeps,
  auth: AuthDeps,
  request: Request,
  wantsCookie = true,
): Visit {
  const { authorization, cookie, origin } = credentialsOf(request);
  const isOwn = auth.cookies.isOwnOrigin(origin);
  if (origin !== null && !isOwn && wantsCookie) throw foreignOrigin();
  return {
    address: callerOf(request),
    userAgent: request.headers.get("user-agent"),
    device: wantsCookie ? (auth.devices?.cookie.read(cookie) ?? null) : null,
    presented: presentedToken(auth, {
      authorization,
      cookie: isOwn && wantsCookie ? cookie : null,
    }),
  };
}

export function signedInCookies(
  auth: Pick<AuthDeps, "cookies" | "devices">,
  { token, device }: Pick<SignedInByPassword, "token" | "device">,
): string[] {
  return [auth.cookies.session.set(token, SESSION_SECONDS), ...deviceCookies(auth, device)];
}

export function deviceCookies({ devices }: Pick<AuthDeps, "devices">, device: string | null): string[] {
  return device === null || devices === undefined ? [] : [devices.cookie.set(device, DEVICE_SECONDS)];
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}
