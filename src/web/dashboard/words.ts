/** The texts of the dashboard: a sentence for every refusal of an account operation and for every success; waiting times. */

import type { ErrorCode, ValidationIssue } from "#domain/faults/errors.ts";
import type { AttemptFault, EndpointState } from "#domain/webhook/endpoint.ts";
import { durationText } from "#web/shared/words.ts";

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly issues: readonly ValidationIssue[];
}

/** Replaces messages of refusals that are for programs. */
export const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: "The form could not be read. Reload the page and try again.",
  invalid_api_key: "This API key is no longer valid. Reload the page.",
  session_required: "Your session has ended. Sign in again.",
  not_found: "This no longer exists. It may have been deleted in another window.",
  method_not_allowed: "This page cannot do that. Go back and reload it.",
  unsupported_media_type: "The form has the wrong format. Reload the page and try again.",
  validation_error: "Some fields are not valid.",
  rate_limited: "Too many attempts. Try again in {wait}.",
  internal_error: "Something went wrong on our side. Try again. If it happens again, contact the operator.",
  service_unavailable: "Accounts are unavailable at the moment. Try again in a few seconds.",
};

/** The forms' names for members of bodies. */
const FIELDS: Readonly<Record<string, string>> = {
  "/email": "E-mail address",
  "/password": "Password",
  "/new": "New password",
  "/current": "Current password",
  "/token": "Link",
  "/url": "Address",
  "/description": "Description",
  "/events": "Events",
  "/interval": "Interval",
  "/plan": "Plan",
  "/policy_version": "Policy",
  "/confirm": "Confirmation",
};

export function sentenceOf({ code, message, retryAfterSeconds }: Refusal): string {
  return asSentence(SENTENCES[code] ?? message).replace("{wait}", () => waitText(retryAfterSeconds ?? 60));
}

/** What is wrong with each field: "Password: too short: …". */
export function issuesText({ issues }: Refusal): readonly string[] {
  return issues.map(({ path, message }) => {
    const field = FIELDS[path];
    return field === undefined ? asSentence(message) : asSentence(`${field}: ${message}`);
  });
}

/** Capital at the beginning, full stop at the end. */
export function asSentence(text: string): string {
  const [first = "", ...rest] = text;
  return `${first.toUpperCase()}${rest.join("")}${/[.!?]$/.test(text) ? "" : "."}`;
}

export function waitText(seconds: number): string {
  return durationText(Math.max(1, seconds) * 1000, Math.ceil);
}

/** Shown on the next page, once. */
export const NOTICES = {
  signed_out: "You are signed out.",
  sign_in_first: "Sign in to continue. You then return to the page that you opened.",
  session_over: "Your session has ended. Sign in again to return to your page.",
  cookie_not_kept:
    "You are not signed in: your browser did not keep the cookie of this site. Allow it, then sign in again.",
  form_not_taken:
    "Your session had ended, so nothing was changed. Sign in again and repeat it on the page that opens.",
  mail_sent: "An e-mail is on its way if this address has an account that needs one.",
  sign_up_mailed:
    "An e-mail is on its way. Open the link in it, and enter your password to confirm the address.",
  sign_up_mail_failed:
    "Your account was created, but the e-mail could not be sent. Request another one below.",
  email_confirmed: "Your e-mail address is confirmed, and you are signed in.",
  password_set: "Your password was changed, and every session has ended. Sign in with the new password.",
  key_rotated: "Your new key is active. The previous key works for 24 more hours.",
  keys_revoked: "All keys are revoked.",
  endpoint_changed: "The endpoint was changed.",
  endpoint_enabled: "The endpoint is enabled. New events are sent to it.",
  endpoint_disabled: "The endpoint is disabled. Nothing is sent to it.",
  endpoint_deleted: "The endpoint was deleted.",
  test_sent: "A test event is on its way. Its result appears below.",
  delivery_replayed: "The event is being sent again. The result appears below.",
  session_ended: "The session has ended.",
  sessions_ended: "All other sessions have ended.",
  password_changed: "Your password was changed. All other sessions have ended.",
  policy_accepted: "Your acceptance was recorded.",
  account_deleted: "Your organization was deleted with its keys and endpoints. All sessions have ended.",
} as const;

export type NoticeCode = keyof typeof NOTICES;

export const EVENT_NAMES = {
  "official.published": "New publications",
  "official.corrected": "Corrections",
  "webhook.test": "Test event",
} as const;

export const ENDPOINT_WORDS: Readonly<
  Record<EndpointState, { readonly short: string; readonly long: string }>
> = {
  active: { short: "active", long: "Events are sent to it." },
  disabled: {
    short: "disabled",
    long: "Nothing is sent to it until you enable it again. Queued events wait.",
  },
  over_plan: {
    short: "over the plan's limit",
    long: "Your plan allows fewer endpoints, and the oldest stay active. Nothing is sent to this one until you choose a larger plan or delete an older endpoint.",
  },
  suspended: {
    short: "suspended",
    long: "Your organization is suspended. Queued events wait. Contact the operator of this server.",
  },
};

export const FAULT_WORDS: Readonly<Record<AttemptFault, string>> = {
  url: "the address is no longer allowed",
  dns: "the host name has no address",
  address: "the host name resolves to an address that is not public",
  connect: "no server accepted the connection",
  tls: "no encrypted connection, usually because of the certificate",
  timeout: "no answer within 10 seconds",
  closed: "the connection closed before an answer",
  response: "the answer is not valid HTTP",
};

/** Whole seconds as "23:59:59". */
export function clockText(seconds: number): string {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}

/** When a key was used: uses are written every minute. */
export const UNUSED = "never, as of a minute ago";
