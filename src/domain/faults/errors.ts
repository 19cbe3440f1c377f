/** All errors of answers: code, status and message in one table; the exception with a code; and how a full disk is recognized. */

import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import { type Day, formatDay } from "#domain/time/day.ts";

interface ErrorEntry {
  readonly status: number;
  /** `{name}` is replaced by the failure's detail of that name. The message tells the client what to do. */
  readonly message: string;
  /** Seconds a client should wait; present on every 429 and 503. */
  readonly retryAfterSeconds?: number;
}

/** One code, one status: docs/errors.md lists this table for users. */
export const ERRORS = {
  invalid_request: { status: 400, message: "{reason}" },
  unsupported_base: { status: 400, message: "unsupported base: {base}" },
  bad_date: { status: 400, message: "not a date: {date}; write a calendar day as YYYY-MM-DD" },
  invalid_pair: { status: 400, message: "unknown or malformed pair: {pair}; see /v1/currencies" },
  missing_parameter: { status: 400, message: "missing required parameter: {name}" },
  base_conflict: {
    status: 400,
    message: "the path says base {path} and the query says {query}; send one of them",
  },
  invalid_api_key: { status: 401, message: "the API key is not valid; check it for typing errors" },
  session_required: { status: 401, message: "this endpoint needs a session; sign in first" },
  invalid_credentials: { status: 401, message: "the e-mail address or the password is wrong" },
  forbidden: { status: 403, message: "{reason}" },
  plan_gated: { status: 403, message: "{reason}" },
  no_data_for_date: { status: 404, message: "{reason}" },
  not_found: { status: 404, message: "no such resource: {path}; see /openapi.json" },
  method_not_allowed: { status: 405, message: "{method} is not allowed here; use {allow}" },
  conflict: { status: 409, message: "{reason}" },
  endpoint_limit_reached: { status: 409, message: "{reason}" },
  precondition_failed: {
    status: 412,
    message: "the file is no longer the one that If-Match names; ask for its newest version",
  },
  payload_too_large: { status: 413, message: "the body is larger than {limit} bytes" },
  uri_too_long: { status: 414, message: "the URL is longer than {limit} characters" },
  unsupported_media_type: { status: 415, message: "send the body as application/json" },
  range_not_satisfiable: {
    status: 416,
    message: "the range begins after the end of the file, which has {size} bytes",
  },
  misdirected_request: { status: 421, message: "this server does not answer for that Host" },
  invalid_amount: {
    status: 422,
    message:
      "not an acceptable amount: {amount}; send a decimal number with a point and no separators, from -1e15 to 1e15, of at most 256 characters",
  },
  validation_error: { status: 422, message: "the body does not have the documented shape" },
  rate_limited: { status: 429, message: "{reason}", retryAfterSeconds: 60 },
  ip_rate_limited: { status: 429, message: "{reason}", retryAfterSeconds: 3600 },
  quota_exceeded: { status: 429, message: "{reason}", retryAfterSeconds: 3600 },
  internal_error: {
    status: 500,
    message: "something went wrong on our side; quote the X-Request-Id when you report it",
  },
  billing_not_configured: { status: 501, message: "billing is not configured on this server" },
  billing_cancellation_failed: {
    status: 502,
    message: "the subscription could not be cancelled; nothing was deleted, try again",
  },
  data_unavailable: {
    status: 503,
    message: "{reason}",
    retryAfterSeconds: 30,
  },
  live_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 60 },
  source_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 300 },
  service_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 5 },
  auth_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 5 },
  quota_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 5 },
  billing_unavailable: { status: 503, message: "{reason}", retryAfterSeconds: 60 },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export interface ValidationIssue {
  readonly path: string;
  readonly message: string;
}

export interface FailureDetails {
  readonly [name: string]: unknown;
  /** Members that join the envelope beside code and message, such as `errors` or the plan_gated facts. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** Replaces the table's message where that would mislead. */
  readonly wording?: string;
  /** Content-Range of a 416: the size of the requested file. */
  readonly contentRange?: string;
  readonly allow?: string;
  /** Codings that a body may have, where a 415 is about its coding. */
  readonly acceptEncoding?: string;
}

/** An error that becomes the answer to a request. */
export abstract class Rejection extends Error {
  /** HTTP status of the answer; it decides how a charged call is settled. */
  abstract readonly status: number;
  /** Set by admission; null where it is unknown, or nothing is counted. */
  quota: QuotaStatus | null = null;
}

/** A refusal with a documented code. `details` fill the message's placeholders; `cause` is for the log only. */
export class Failure extends Rejection {
  readonly code: ErrorCode;
  readonly details: FailureDetails;

  constructor(code: ErrorCode, details: FailureDetails = {}, cause?: unknown) {
    super(
      fill(details.wording ?? ERRORS[code].message, details),
      cause === undefined ? undefined : { cause },
    );
    this.name = "Failure";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** Seconds for Retry-After; undefined where the answer has no such header. */
  get retryAfterSeconds(): number | undefined {
    const entry: ErrorEntry = ERRORS[this.code];
    return this.details.retryAfterSeconds ?? entry.retryAfterSeconds;
  }
}

function fill(message: string, details: FailureDetails): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => printable(details[name]));
}

/** Room for our own sentences; a caller's text is cut before it goes into one. */
const LONGEST_DETAIL = 240;

/** Makes a caller's text fit for a message: bounded, and without control characters. */
export function printable(value: unknown): string {
  const text = String(value ?? "").replace(/[\p{C}]/gu, "?");
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text;
}

/** Failure `invalid_request` for a window that ends before it starts. */
export function refuseReversed({ start, end }: { readonly start: Day; readonly end: Day }): void {
  if (start <= end) return;
  const reason = `start_date ${formatDay(start)} is after end_date ${formatDay(end)}`;
  throw new Failure("invalid_request", { reason });
}

export class DiskFull extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`no space left on the disk of ${path}: make room there and start again`, { cause });
    this.name = "DiskFull";
    this.path = path;
  }
}

/** Codes of a full disk; SQLITE_IOERR_SHMSIZE is a shared-memory file that could not grow. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"]);

/** Members of an error of the system. */
export interface Coded {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  readonly cause?: unknown;
}

/** Whether a fault is, or comes from, a full disk; `path` where the fault names one. Null for any other fault. */
export function diskFullIn(fault: unknown): { readonly path: string | null } | null {
  for (let depth = 0, one = fault; one instanceof Error && depth < 8; depth++) {
    const { code, syscall, path, cause } = one as Coded;
    // A system that cannot watch more files reports ENOSPC, too.
    const isFull = one instanceof DiskFull || (CODES.has(code) && syscall !== "watch");
    if (isFull) return { path: typeof path === "string" ? path : null };
    one = cause;
  }
  return null;
}
