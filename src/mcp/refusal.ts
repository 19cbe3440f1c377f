/** Reads a REST refusal: the error envelope, with what its status and headers say. */

import { parseExact } from "#domain/net/exact-json.ts";
import type { RestAnswer } from "#ports/rest.ts";

/** Further members of the envelope, such as those of `plan_gated`, are passed on. */
export interface Refusal {
  readonly result: "error";
  readonly code: string;
  readonly message: string;
  /** Of HTTP. */
  readonly status: number;
  /** Where waiting helps. */
  readonly retry_after_seconds?: number;
}

/** Of an answer whose status is not 200. */
export function refusalOf({ status, headers, text }: RestAnswer): Refusal {
  const wait = headers.get("retry-after") ?? "";
  const retry = /^\d+$/.test(wait) ? { retry_after_seconds: Number(wait) } : {};
  return { ...envelopeOf(status, text), status, ...retry };
}

type Envelope = Pick<Refusal, "result" | "code" | "message">;

/** The error page of a proxy is no envelope. */
function envelopeOf(status: number, text: string): Envelope {
  try {
    const body = parseExact(text) as Partial<Envelope> | null;
    if (typeof body?.code === "string" && typeof body.message === "string") return body as Envelope;
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  return {
    result: "error",
    code: "service_unavailable",
    message: `the server answered with HTTP status ${status}`,
  };
}
