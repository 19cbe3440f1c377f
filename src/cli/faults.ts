/** Faults of a request, refused or without an answer, and their messages. */

import { EXIT, UsageFault } from "./command.ts";
import { printable, shownSeconds } from "./show.ts";

/** A server's refusal: members of the envelope, and its headers. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The operator finds the request by it in the server's log; null without a request, or for a proxy's answer. */
  readonly requestId: string | null;
  /** The same request would be refused again for so many seconds; null when the server does not say. */
  readonly retryAfterSeconds: number | null;
  /** The invalid members of `validation_error`, with their faults. */
  readonly issues: readonly string[];
  /** As sent; null without one. */
  readonly body: string | null;
  constructor(
    message: string,
    facts: Pick<Refusal, "status" | "code"> &
      Partial<Pick<Refusal, "requestId" | "retryAfterSeconds" | "issues" | "body">>,
  ) {
    super(message);
    this.name = "Refusal";
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.issues = facts.issues ?? [];
    this.body = facts.body ?? null;
  }
}

/** No answer came, or only part of one. */
export class Unreachable extends Error {
  readonly url: string;
  constructor(url: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "Unreachable";
    this.url = url;
  }
}

/** Explains the runtime's code of a failed connection. */
export function reasonOf(fault: unknown): string {
  const code = (fault as { readonly code?: unknown }).code;
  if (code === "ConnectionRefused" || code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name is not known";
  return fault instanceof Error ? fault.message : String(fault);
}

/** Reads a refusal. A body without our envelope, such as a proxy's, gives only its status. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const requestId = response.headers.get("x-request-id");
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"));
  const facts = { status: response.status, requestId, retryAfterSeconds };
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const elsewhere = response.headers.get("location") ?? "another address";
    return new Refusal(`the server sends on to ${elsewhere}; name that one with --url or CROSSRATE_URL`, {
      ...facts,
      code: "redirected",
    });
  }
  const body = await response.text();
  const { code, message, errors } = envelopeIn(body);
  return new Refusal(message ?? `the server answered ${response.status} without a reason`, {
    ...facts,
    code: code ?? `http_${response.status}`,
    issues: errors ?? [],
    body,
  });
}

interface Envelope {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly string[];
}

function envelopeIn(text: string): Envelope {
  try {
    const { code, message, errors } = JSON.parse(text);
    return {
      ...(typeof code === "string" ? { code } : {}),
      ...(typeof message === "string" ? { message } : {}),
      ...(Array.isArray(errors) ? { errors: errors.map((one) => `${one?.path}: ${one?.message}`) } : {}),
    };
  } catch {
    return {};
  }
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,7}$/.test(header) ? Number(header) : null;
}

export function exitCodeOf(fault: unknown): number {
  if (fault instanceof UsageFault) return EXIT.usage;
  if (fault instanceof Unreachable) return EXIT.unreachable;
  if (!(fault instanceof Refusal)) return EXIT.failed;
  if (fault.status === 429) return EXIT.limited;
  return fault.status >= 500 ? EXIT.unreachable : EXIT.refused;
}

/** Advice for users of the command line, when the server's message alone is not enough. */
const ADVICE: Readonly<Record<string, string>> = {
  unsupported_base: "crossrate currencies lists the currencies",
  invalid_pair: "crossrate currencies lists the currencies",
  invalid_api_key:
    "the key is that of CROSSRATE_API_KEY, else the one that crossrate login stored; sign in again to get the current one",
  session_required: "crossrate login signs in",
  ip_rate_limited: "with a key the limits are larger: crossrate login gets one",
  quota_exceeded: "crossrate usage shows the calls of the month",
  data_unavailable: "crossrate doctor says what the server lacks",
  live_unavailable: "crossrate doctor says what the server lacks",
  internal_error: "report it to the operator of the server with the request id",
};

/** `now` is in milliseconds. Lines after the first are indented. */
export function linesOf(fault: unknown, now: number): readonly string[] {
  if (fault instanceof Unreachable)
    return [
      `${fault.url}: ${printable(fault.message)}`,
      "  crossrate doctor looks into it; crossrate serve or crossrate demo starts a server here",
    ];
  if (!(fault instanceof Refusal)) return [fault instanceof Error ? fault.message : String(fault)];
  const { message, code, status, issues, retryAfterSeconds, requestId } = fault;
  return [
    `${printable(message)} (${printable(code)}, HTTP ${status})`,
    ...issues.map((issue) => `  ${printable(issue)}`),
    ...(retryAfterSeconds === null ? [] : [`  ${againAt(retryAfterSeconds, now)}`]),
    ...(ADVICE[code] === undefined ? [] : [`  ${ADVICE[code]}`]),
    ...(requestId === null ? [] : [`  request ${printable(requestId)}`]),
  ];
}

function againAt(seconds: number, now: number): string {
  const at = new Date(now + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `the server takes it again in ${shownSeconds(seconds)}, at ${at} UTC`;
}
