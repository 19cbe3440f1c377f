/** Reads a REST refusal: the error envelope, with its status and headers. */

import { parseExact } from "#domain/net/message.ts";
import type { RestAnswer } from "#ports.ts";

/** Further members of the envelope, such as those of `plan_gated`, are passed on. */
export interface Refusal {
  readonly result: "error";
  readonly code: string;
  readonly message: string;
  /** The HTTP status. */
  readonly status: number;
  /** Present when waiting helps. */
  readonly retry_after_seconds?: number;
}

/** Reads an answer with a status other than 200. */
export function refusalOf({ status, headers, text }: RestAnswer): Refusal {
  const wait = headers.get("retry-after") ?? "";
  const retry = /^\d+$/.test(wait) ? { retry_after_seconds: Number(wait) } : {};
  return { ...envelopeOf(status, text), status, ...retry };
}

type Envelope = Pick<Refusal, "result" | "code" | "message">;

/** A proxy's error page is no envelope. */
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
