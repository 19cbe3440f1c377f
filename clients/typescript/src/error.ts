/** The one error of this package: a refusal by the server, or an answer that did not come. */

import type { components } from "./schema.ts";

type Refusal = components["schemas"]["HistoryRefusal"] & components["schemas"]["BodyRefusal"];

/** Codes of failures on this side of the connection; `status` is 0 then. */
export type ConnectionCode = "connection_failed" | "timeout";

/**
 * `connection_failed`: no answer, or the connection broke. `timeout`: no whole answer in time. `unexpected_response`: not an
 * answer of Crossrate, such as a proxy's page. A newer server may send codes that are not listed.
 */
export type Code =
  | components["schemas"]["ErrorCode"]
  | ConnectionCode
  | "unexpected_response"
  | (string & Record<never, never>);

/** Members of a refusal beside `result`, `code` and `message`: those of `plan_gated`, and `errors` of `validation_error`. */
export type Details = Partial<Omit<Refusal, "result" | "code" | "message">>;

export interface CrossrateErrorFacts {
  readonly code: Code;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly details?: Details;
  readonly cause?: unknown;
}

export class CrossrateError extends Error {
  override readonly name = "CrossrateError";
  /** What to branch on; the message is for people. */
  readonly code: Code;
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  /** `X-Request-Id` of the answer: name it when you report a fault. */
  readonly requestId: string | null;
  /** Seconds after which the same call may pass; null where the server does not say. */
  readonly retryAfter: number | null;
  readonly details: Details;

  constructor(message: string, facts: CrossrateErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.details = facts.details ?? {};
  }
}

/** Seconds of `Retry-After`, which is a number or, by some proxies, a date; null where there is none. */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get("Retry-After");
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** The error of an answer that is not a success. `body` is its parsed JSON, or whatever else came. */
export function refusalOf(response: Response, body: unknown, now: number): CrossrateError {
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get("X-Request-Id"),
    retryAfter: retryAfterOf(headers, now),
  };
  if (!isEnvelope(body)) {
    const place = headers.get("Location");
    const text =
      place !== null || response.type === "opaqueredirect"
        ? `the server redirects to ${place ?? "another address"}: give the address of that server as url`
        : `the answer, with status ${status}, is not one of Crossrate`;
    return new CrossrateError(text, { ...facts, code: "unexpected_response" });
  }
  const { result: _, code, message, ...details } = body;
  return new CrossrateError(message, { ...facts, code, details });
}

function isEnvelope(body: unknown): body is Refusal {
  if (typeof body !== "object" || body === null) return false;
  const { code, message } = body as Partial<Refusal>;
  return typeof code === "string" && typeof message === "string";
}
