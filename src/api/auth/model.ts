/** What the endpoints below /v1/auth share: their dependencies, refusals, the person in requests and answers. */

import { type Static, Type } from "@sinclair/typebox";
import { sessionCaller } from "#accounts/identity/session-caller.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Parameter } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { session } from "#api/plugins/session.ts";
import type { JsonDeps } from "#api/response/json.ts";
import { BY_SESSION } from "#api/words.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { AuthDeps, CallerDeps } from "./visit.ts";

export interface AuthRoutesDeps extends JsonDeps, CallerDeps {
  readonly house: House;
  /** Null where the installation is open: without accounts. */
  readonly identity: AuthDeps | null;
}

/** `accounts` and `session` of the endpoints below /v1/auth. */
export const people = ({ house, identity }: Pick<AuthRoutesDeps, "house" | "identity">) =>
  session(house, identity, sessionCaller);

/** What every endpoint below /v1/auth can refuse with: an open installation has no accounts; the ledger may be away. */
export const AUTH_ERRORS = ["forbidden", "auth_unavailable"] as const satisfies readonly ErrorCode[];

/** Of endpoints that need a session. */
export const SESSION_ERRORS = [...AUTH_ERRORS, "session_required"] as const satisfies readonly ErrorCode[];

/** Operations without a session, and for a person who is signed in. */
export const PUBLIC = { tag: "Sign-in", security: [] } as const;
export const PERSONAL = { tag: "Sign-in", security: BY_SESSION } as const;

/** What a JSON body adds to AUTH_ERRORS, and the limits of attempts. */
export const AUTH_BODY_ERRORS = [
  ...AUTH_ERRORS,
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
  "validation_error",
  "rate_limited",
] as const satisfies readonly ErrorCode[];

/** Of the documented form, but never issued: their check digits are wrong. */
export const EXAMPLE_TOKEN = `fxs_${"Example0".repeat(7)}00`;
export const EXAMPLE_RESET_TOKEN = `fxo_${"Example0".repeat(7)}00`;
export const EXAMPLE_VERIFY_TOKEN = `fxo_${"Example1".repeat(7)}11`;
export const EXAMPLE_SESSION = "ses_5Vn0Ck2pQx8RtYb3LwEh";
export const EXAMPLE_IDENTITY = {
  id: "idn_8TqW2mZr5KcY0hVx3NsB",
  email: "ada@example.com",
  email_verified: true,
  role: "user",
  created_at: "2026-04-02T09:00:00Z",
} as const;

/** Labels of at most 63 characters, as the mail server takes them; one bare address, no display name. */
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** Of a new account: an address that mail can be sent to. */
export const newEmail = form.text(
  "One bare e-mail address. Compared without regard to case.",
  "ada@example.com",
  { pattern: `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${LABEL}\\.)+${LABEL}$`, maxLength: 254 },
);

/** Of an account that there may be: any text without control characters, so that a request reveals nothing. */
export const knownEmail = form.text(
  "The e-mail address of the account. Compared without regard to case.",
  "ada@example.com",
  { pattern: "^[^\\u0000-\\u001f\\u007f]+$", maxLength: 320 },
);

export function password(description: string) {
  return form.text(description, "seven kites above Delft", { maxLength: 1000 });
}

export const linkToken = form.text(
  "The token of a mailed link: what follows `#token=`. It works once.",
  EXAMPLE_RESET_TOKEN,
  { maxLength: 200 },
);

const IdentityModel = form.named("Identity", "A person who can sign in.", {
  id: form.text("Id of the person.", EXAMPLE_IDENTITY.id),
  email: form.textOrNull(
    "The e-mail address; null when an identity provider vouched for none.",
    EXAMPLE_IDENTITY.email,
  ),
  email_verified: form.flag(
    "Whether the address was confirmed, by a mailed link or by the identity provider.",
    true,
  ),
  role: form.oneOf(["user", "admin"], "`admin` is given by the command line only."),
  created_at: form.instant("When the account was opened, UTC.", EXAMPLE_IDENTITY.created_at),
});

export const identity = form.meaning(IdentityModel, "Who is signed in.", EXAMPLE_IDENTITY);

/** A person without anything secret. */
export function printIdentity(person: Identity): Static<typeof IdentityModel> {
  const { id, email, emailVerifiedAt, role, createdAt } = person;
  return {
    id,
    email,
    email_verified: emailVerifiedAt !== null,
    role,
    created_at: formatInstant(createdAt),
  };
}

/** The answer of what shows a person. */
export function identityBody(person: Identity) {
  return { result: "success" as const, identity: printIdentity(person) };
}

/** Whether the session is kept in a cookie. */
export const cookie: Parameter<boolean> = {
  schema: Type.Unsafe<string>({ type: "string", enum: ["0", "1"], default: "1" }),
  description:
    "`0` leaves the cookies out, neither read nor set: for command lines, and for pages of other sites that keep the token themselves.",
  example: "0",
  inSampleCall: false,
  parse: (text) => text !== "0",
};

export const SET_COOKIE = {
  name: "Set-Cookie",
  description:
    "The session for browsers: `__Host-`, `HttpOnly`, `Secure`, `SameSite=Lax`, 30 days. After a password a second one, `__Host-crossrate_device`, by which the next sign-in has a count of its own.",
  example: "__Host-crossrate_session=fxs_…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure",
};

export const PasswordSetResponse = form.named("PasswordSetResponse", "The password is set.", {
  result: field.result,
  password_set: form.flag("The new password counts from now on.", true),
});

/** The answer to what sets a password. */
export const PASSWORD_SET: Static<typeof PasswordSetResponse> = { result: "success", password_set: true };
