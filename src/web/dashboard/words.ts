/** The texts of the dashboard: a sentence for every refusal of an account operation, and for every success. */

import type { ErrorCode, ValidationIssue } from "#domain/faults/errors.ts";
import type { AttemptFault, EndpointState } from "#domain/webhook/endpoint.ts";
import { grouped } from "#web/shared/words.ts";

/** A refusal as a page shows it. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The message of the API. */
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly issues: readonly ValidationIssue[];
}

/** "own": the message of the refusal is the sentence, because it names the reason. */
export const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: "The form could not be read. Load the page again and repeat it.",
  invalid_api_key: "This API key is not valid any more. Load the page again.",
  session_required: "Your session has ended. Sign in again.",
  invalid_credentials: "own",
  forbidden: "own",
  not_found: "This does not exist any more. It may have been deleted in another window.",
  method_not_allowed: "This page cannot do that. Go back and load it again.",
  conflict: "own",
  endpoint_limit_reached: "own",
  payload_too_large: "The form is too large. Shorten what you wrote.",
  uri_too_long: "The address of this page is too long. Open the page from the menu.",
  unsupported_media_type: "The form was not sent as a form. Load the page again and repeat it.",
  misdirected_request:
    "This server does not answer under this address. Use the address that its operator gave you.",
  validation_error: "Something in the form cannot be accepted.",
  rate_limited: "There were too many attempts. Try again in {wait}.",
  internal_error: "Something went wrong on our side. Try again; if it stays so, write to the operator.",
  billing_not_configured: "This server sells no plans. Ask its operator for a larger one.",
  billing_cancellation_failed:
    "The subscription could not be cancelled, so nothing was deleted. Try again in a few minutes.",
  service_unavailable: "Accounts cannot be reached at the moment. Try again in a few seconds.",
  auth_unavailable: "Accounts cannot be reached at the moment, or are very busy. Try again in a few seconds.",
  billing_unavailable:
    "The payment provider cannot be reached at the moment. Nothing was bought; try again in a minute.",
};

/** Members of bodies, as the fields of the forms call them. */
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

/** The sentence for a refusal; what is wrong with single fields is in `issuesText`. */
export function sentenceOf({ code, message, retryAfterSeconds }: Refusal): string {
  const sentence = SENTENCES[code] ?? "own";
  if (sentence === "own") return asSentence(message);
  return sentence.replace("{wait}", () => waitText(retryAfterSeconds ?? 60));
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

/** "40 seconds", "12 minutes", "3 hours". */
export function waitText(seconds: number): string {
  if (seconds < 120) return counted(Math.max(1, Math.ceil(seconds)), "second");
  if (seconds < 7200) return counted(Math.ceil(seconds / 60), "minute");
  return counted(Math.ceil(seconds / 3600), "hour");
}

/** "1 call", "12,000 calls". */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Shown on the next page, once. */
export const NOTICES = {
  signed_out: "You are signed out.",
  sign_in_first: "Sign in to go on: you come back to the page that you asked for.",
  session_over: "Your session has ended. Sign in again: you come back to where you were.",
  form_not_taken:
    "Your session has ended, so that nothing was changed. Sign in again, and repeat it on the page that you come back to.",
  mail_sent: "An e-mail is on its way to the address, if it has an account here that needs one.",
  sign_up_mailed: "An e-mail is on its way. Open the link in it to confirm the address, then sign in.",
  sign_up_mail_failed: "The account is open, but the e-mail could not be sent. Request another one below.",
  key_rotated: "A new key is in force. The one before it works for 24 hours more.",
  keys_revoked: "Every key has ended.",
  endpoint_changed: "The endpoint was changed.",
  endpoint_enabled: "The endpoint is enabled: events to come are sent to it.",
  endpoint_disabled: "The endpoint is disabled: nothing is sent to it.",
  endpoint_deleted: "The endpoint was deleted.",
  test_sent: "A test event is on its way. Its result appears below.",
  delivery_replayed: "The event is sent once more. The result appears below.",
  session_ended: "The session has ended.",
  sessions_ended: "All other sessions have ended.",
  password_changed: "The new password is in force. All other sessions have ended.",
  policy_accepted: "Your acceptance was recorded.",
  account_deleted: "The organization with its keys and endpoints was deleted. All sessions have ended.",
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
    long: "Nothing is sent to it until you enable it again; what is queued waits.",
  },
  over_plan: {
    short: "beyond the plan",
    long: "Your plan has room for fewer endpoints, and the oldest stay active. Nothing is sent to this one until there is room: with a larger plan, or when an older endpoint is deleted.",
  },
  suspended: {
    short: "suspended",
    long: "Your organization is suspended. What is queued waits; write to the operator of this server.",
  },
};

export const FAULT_WORDS: Readonly<Record<AttemptFault, string>> = {
  url: "the address is not allowed any more",
  dns: "the host name has no address",
  address: "the host name has an address that is not public",
  connect: "no server accepted the connection",
  tls: "no encrypted connection, most often because of the certificate",
  timeout: "no answer within 10 seconds",
  closed: "the connection ended before an answer",
  response: "the answer is not HTTP",
};
