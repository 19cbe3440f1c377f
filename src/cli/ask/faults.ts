/** How a question to a server can fail: refused with the documented envelope, or without an answer. */

/** The server refused the request. Members of the envelope, and what its headers say. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** By which the operator finds the request in the server's log; null where no request was sent or a proxy answered. */
  readonly requestId: string | null;
  /** Seconds from then on in which the same request would be refused again; null where the server does not say. */
  readonly retryAfterSeconds: number | null;
  /** Of `validation_error`: what is wrong with which member. */
  readonly issues: readonly string[];
  /** As it was sent; null where there was none. */
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

/** The runtime's code of a failed connection in words. */
export function reasonOf(fault: unknown): string {
  const code = (fault as { readonly code?: unknown }).code;
  if (code === "ConnectionRefused" || code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name is not known";
  return fault instanceof Error ? fault.message : String(fault);
}

/** Of an answer that is no success. A body that is no envelope, as that of a proxy, is named by its status alone. */
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
    const { code, message, errors } = JSON.parse(text) as {
      code?: unknown;
      message?: unknown;
      errors?: readonly { path?: unknown; message?: unknown }[];
    };
    return {
      ...(typeof code === "string" ? { code } : {}),
      ...(typeof message === "string" ? { message } : {}),
      ...(Array.isArray(errors) ? { errors: errors.map((one) => `${one.path}: ${one.message}`) } : {}),
    };
  } catch {
    return {};
  }
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,7}$/.test(header) ? Number(header) : null;
}
