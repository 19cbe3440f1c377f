/** The error envelope, and the schema of each refusal. Codes, statuses and texts come from the table of errors. */

import { type TProperties, Type } from "@sinclair/typebox";
import { ERRORS, type ErrorCode, Failure, type FailureDetails } from "#domain/faults/errors.ts";
import * as form from "./forms.ts";
import type { Body } from "./print.ts";

const ErrorCodeModel = form.vocabulary<ErrorCode>(
  "ErrorCode",
  Object.keys(ERRORS) as ErrorCode[],
  "What went wrong, for programs. One code always has the same status. Codes may be added.",
);

const issues = form.list(
  form.named("ValidationIssue", "What is wrong with one member or parameter.", {
    path: form.text(
      "JSON Pointer to the offending member of the body, or the name of the query parameter (without a slash); of a table the line, and the column.",
      "/pairs/0/1",
    ),
    message: form.text("What is expected there.", "is missing"),
  }),
  "Every member of the body, or parameter, that does not have the documented shape.",
  [{ path: "/from", message: "is missing" }],
);

/** Members of a `plan_gated` refusal beside the envelope's: facts for choosing another plan. */
export const PLAN_GATED_MEMBERS = {
  tier: form.text("The caller's plan; `anonymous` without a key.", "free"),
  interval: form.text("Width of the rows that were requested.", "1d"),
  history_days: form.count("Days of history that the plan includes, today among them.", 30, 1),
  earliest_allowed: form.text("First day that the plan includes.", "2026-03-15", { format: "date" }),
  upgrade_plans: form.list(Type.String(), "Plans that include the date, from the smallest to the largest.", [
    "plus",
    "pro",
  ]),
  upgrade_offers: form.list(
    form.named("UpgradeOffer", "A plan that includes the date, and what it lacks.", {
      plan: form.text("The plan.", "pro"),
      loses: form.list(Type.String(), "What it has less than the caller's plan.", []),
    }),
    "The same plans, each with what it lacks.",
    [{ plan: "pro", loses: [] }],
  ),
  upgrade_url: form.text("The page with the plans and their prices.", "https://rates.example/pricing", {
    format: "uri",
  }),
} as const satisfies TProperties;

const maybeGated = form.optional(PLAN_GATED_MEMBERS);
const envelope = {
  result: form.constant("error", "`error` on every refusal."),
  code: ErrorCodeModel,
  message: form.text(
    "What went wrong and what to do about it, for people. The text may change.",
    "unsupported base: XYZ",
  ),
};

const ErrorModel = form.named("ErrorEnvelope", "Envelope of every refusal.", envelope);

/** Makes the envelope of a refusal without further members. */
export function errorBody({ code, message: text }: Failure) {
  return { result: "error", code, message: text } satisfies Body<typeof ErrorModel>;
}

const ValidationErrorModel = form.named(
  "ValidationErrorEnvelope",
  "Envelope of `validation_error`: the body is JSON, but not of the documented shape, or a parameter of an account endpoint is out of bounds.",
  { ...envelope, errors: issues },
);

/** One object with optional members where a status has several refusals: code generators prefer that to a union. */
const HistoryRefusalModel = form.named(
  "HistoryRefusal",
  "Envelope where a date can lie before the history of the caller's plan: `plan_gated` has all of the members, any other code the first three.",
  { ...envelope, ...maybeGated },
);

const BodyRefusalModel = form.named(
  "BodyRefusal",
  "Envelope where the body can be of another shape: `errors` comes with `validation_error`.",
  { ...envelope, errors: Type.Optional(issues) },
);

const ProblemModel = form.named(
  "Problem",
  "A refusal as RFC 9457 problem details, sent when requested with `Accept`.",
  {
    type: form.text("Address of the code's description.", "urn:crossrate:error:unsupported_base", {
      format: "uri-reference",
    }),
    title: form.text("The code as text.", "unsupported base"),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "HTTP status.", examples: [400] }),
    detail: form.text("The envelope's `message`.", "unsupported base: XYZ"),
    code: ErrorCodeModel,
    errors: Type.Optional(issues),
    ...maybeGated,
  },
);

export const ERROR_SCHEMAS = [
  ErrorCodeModel,
  ErrorModel,
  ValidationErrorModel,
  HistoryRefusalModel,
  BodyRefusalModel,
  ProblemModel,
];

/** Returns the name of the body's schema for a status with these codes. */
export function envelopeName(codes: readonly ErrorCode[]): string {
  if (codes.includes("plan_gated")) return "HistoryRefusal";
  if (!codes.includes("validation_error")) return "ErrorEnvelope";
  return codes.length === 1 ? "ValidationErrorEnvelope" : "BodyRefusal";
}

const PLAN_GATED_EXAMPLE = {
  reason:
    "on the plan free the last 30 days are shown, from 2026-03-15 on, and the request begins on 2015-01-15: plus or pro reaches it; see https://rates.example/pricing",
  members: {
    ...form.exampleOf(Type.Object(PLAN_GATED_MEMBERS), "answer"),
    upgrade_offers: [
      { plan: "plus", loses: [] },
      { plan: "pro", loses: [] },
    ],
  },
};

const REASONS: Partial<Record<ErrorCode, string>> = {
  invalid_request: "dp must be a whole number from 0 to 10",
  no_data_for_date: "1998-12-31 is before 1999-01-04, where coverage starts",
  forbidden: "this account is suspended; write to the operator of this server",
  conflict: "there is no organization yet; POST /v1/account/provision makes one and issues its first key",
  endpoint_limit_reached:
    "the plus plan has 5 webhook endpoints, all in use; delete one first, or change to pro",
  ip_rate_limited: "100 calls an hour from one address are allowed; wait 1260 s, or use an API key for more",
  quota_exceeded:
    "the 10000 calls of this month are used; the quota resets on the 1st, 00:00 UTC, and a larger plan allows more",
  quota_unavailable: "the quota cannot be checked at the moment; try again",
  rate_limited: "too many attempts from this address or for this account; wait 840 s",
  auth_unavailable: "the session cannot be checked at the moment; try again",
  billing_unavailable:
    "the billing provider cannot be used at the moment; nothing was bought, try again later",
  data_unavailable: "no rate has been collected yet; see /status",
  live_unavailable:
    "the live rate of JPY is more than 24 hours of open market old, and no daily reference is newer; see /status",
  service_unavailable: "all 2000 places of the stream are taken; connect again later, or poll /v1/latest",
  source_unavailable:
    "usd-mxn-banxico is not collected on this server: set BANXICO_TOKEN; usd-mxn is the ordinary pair",
};

const DETAILS: Partial<Record<ErrorCode, FailureDetails>> = {
  unsupported_base: { base: "XYZ" },
  bad_date: { date: "2026-02-30" },
  invalid_pair: { pair: "USD/XYZ" },
  missing_parameter: { name: "start_date" },
  base_conflict: { path: "EUR", query: "GBP" },
  not_found: { path: "/nowhere" },
  method_not_allowed: { method: "DELETE", allow: "GET, HEAD, OPTIONS" },
  range_not_satisfiable: { size: 48_213 },
  payload_too_large: { limit: 65_536 },
  uri_too_long: { limit: 8192 },
  invalid_amount: { amount: "1e400" },
  plan_gated: PLAN_GATED_EXAMPLE,
  validation_error: { members: { errors: [{ path: "/from", message: "is missing" }] } },
};

export function errorExample(code: ErrorCode) {
  const reason = REASONS[code];
  const { message: text, details } = new Failure(code, reason === undefined ? DETAILS[code] : { reason });
  return { result: "error", code, message: text, ...details.members };
}

export const STATUS_MEANING: Readonly<Record<number, string>> = {
  400: "The request is malformed or contradicts itself.",
  401: "The caller is not signed in, the session is over, or the credentials are wrong.",
  403: "The caller may not do this.",
  404: "There is no such resource, or no rate for the day.",
  405: "The path exists, the method does not; `Allow` lists those that do.",
  409: "The request contradicts the present state.",
  412: "The file is not the version that `If-Match` names.",
  413: "The body is too large.",
  414: "The URL is too long.",
  415: "The body is not declared as JSON.",
  416: "The range lies outside the file; `Content-Range` gives its size.",
  421: "The server does not answer for the Host the request names.",
  422: "The body, a parameter or an amount is well-formed, but not acceptable.",
  429: "Too many requests; `Retry-After` is when to try again.",
  500: "A fault of this server; nothing is wrong with the request.",
  501: "This server does not offer it.",
  502: "Another service did not do its part; nothing was changed here.",
  503: "This cannot be answered at the moment; `Retry-After` is when to try again.",
};
