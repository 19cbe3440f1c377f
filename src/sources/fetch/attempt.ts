/** One attempt to fetch a document: redirects, status, body, each with its named fault. Part of fetch.ts. */

import { UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { presentable, redirectTarget, sendingAddress } from "./address.ts";
import { BodyFault, readBody, readExcerpt } from "./body.ts";
import type { ClockWatch } from "./clock-watch.ts";
import { imfDate, originTime } from "./date.ts";

export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type Answer =
  | { readonly unchanged: true }
  | { readonly document: UpstreamDocument; readonly validators: Validators | null }
  | { readonly fault: UpstreamFault; readonly worthRetrying: boolean };

interface AttemptContext {
  readonly clock: Clock;
  readonly base: string | null;
  readonly userAgent: string;
  readonly watch?: ClockWatch;
}

const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Redirects under which a POST stays a POST (RFC 9110 §15.4). */
const KEEPING_METHOD = new Set([307, 308]);

/** Sends one request, within `timeoutSeconds` from connecting to the last byte. Upstream trouble is an answer, not an exception. */
export async function askOnce(
  { clock, base, userAgent, watch }: AttemptContext,
  request: UpstreamRequest,
  known: Validators | null,
): Promise<Answer> {
  const signal = AbortSignal.timeout(request.timeoutSeconds * 1000);
  const open = requestHeaders(request, userAgent, known);
  let headers = { ...open, ...request.secretHeaders };
  let address = sendingAddress(request, base);
  try {
    for (let redirects = 0; ; redirects++) {
      // decompress: false, because the runtime's own decompression knows no limit.
      const response = await fetch(address, {
        method: request.post === undefined ? "GET" : "POST",
        body: request.post?.body ?? null,
        headers,
        signal,
        redirect: "manual",
        decompress: false,
      });
      if (redirects === 0) watch?.note(request.url, response.headers);
      if (!REDIRECTS.has(response.status)) return await answerOf(clock, request, response, known !== null);
      await response.body?.cancel();
      // Any other redirect would turn the POST into a GET, and the answer would be a page that was never requested.
      if (request.post !== undefined && !KEEPING_METHOD.has(response.status)) {
        return refusal(request, "status", `answers a POST with a redirect (${response.status})`);
      }
      const target = redirectTarget(response.headers.get("location") ?? "", address, base);
      if (target === null) return refusal(request, "status", "redirects, but not to an https address");
      if (redirects === MOST_REDIRECTS) {
        return refusal(request, "status", `redirects more than ${MOST_REDIRECTS} times`);
      }
      address = target;
      headers = open;
    }
  } catch (error) {
    return broken(request, error);
  }
}

function requestHeaders(
  request: UpstreamRequest,
  userAgent: string,
  known: Validators | null,
): Record<string, string> {
  return {
    "User-Agent": userAgent,
    Accept: request.accept,
    "Accept-Encoding": "gzip",
    ...request.post?.headers,
    ...(request.post !== undefined && { "Content-Type": request.post.contentType }),
    ...(known?.etag != null && { "If-None-Match": known.etag }),
    ...(known?.lastModified != null && { "If-Modified-Since": known.lastModified }),
  };
}

async function answerOf(
  clock: Clock,
  request: UpstreamRequest,
  response: Response,
  conditional: boolean,
): Promise<Answer> {
  if (response.status === 304 && conditional) return { unchanged: true };
  const whole = response.status === 200;
  if (!whole && request.alsoReads?.includes(response.status) !== true) {
    return await faultOfStatus(clock, request, response);
  }
  const bytes = await readBody(response, request.maxBytes);
  const validators: Validators = {
    etag: response.headers.get("etag"),
    lastModified: response.headers.get("last-modified"),
  };
  const retrievedAt = clock.now();
  const servedAt = originTime(response.headers, retrievedAt);
  const modifiedAt = imfDate(validators.lastModified);
  return {
    document: {
      url: request.url,
      bytes,
      sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
      retrievedAt,
      ...(servedAt !== null && { servedAt }),
      ...(modifiedAt !== null && modifiedAt <= retrievedAt && { modifiedAt }),
      contentType: (response.headers.get("content-type") ?? "").slice(0, 100),
    },
    validators: whole && (validators.etag !== null || validators.lastModified !== null) ? validators : null,
  };
}

async function faultOfStatus(clock: Clock, request: UpstreamRequest, response: Response): Promise<Answer> {
  const { status } = response;
  const excerpt = await readExcerpt(response);
  const reported = presentable(excerpt, request);
  const detail = `answers ${status}${reported === "" ? "" : `: ${reported}`}`;
  const retry = status === 429 || status >= 500;
  return refusal(
    request,
    kindOfStatus(status, excerpt, request),
    detail,
    retry,
    retry ? retryAfterSeconds(response, clock) : null,
  );
}

function kindOfStatus(status: number, excerpt: string, request: UpstreamRequest): UpstreamFaultKind {
  if (status === 404 || status === 410) return "not_found";
  if (status === 401 || status === 403) return "refused_credentials";
  if (status === 429) return "rate_limited";
  // FRED answers 400 to a bad key and names the parameter; a 400 about anything else does not.
  const named = Object.keys(request.secretQuery ?? {}).some((name) => excerpt.includes(name));
  return status === 400 && named ? "refused_credentials" : "status";
}

/** Retry-After in seconds, from either of its forms (RFC 9110 §10.2.3); null where absent or unreadable. */
function retryAfterSeconds(response: Response, clock: Clock): number | null {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - clock.now()) / 1000));
}

/** fetch's own errors carry the address with the credentials, so nothing but their code is passed on. */
function broken(request: UpstreamRequest, error: unknown): Answer {
  if (error instanceof BodyFault) {
    return refusal(request, error.kind, error.message, error.kind === "connection");
  }
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === "TimeoutError" || name === "AbortError") {
    return refusal(request, "timeout", `is not complete after ${request.timeoutSeconds} s`, true);
  }
  const reason = typeof code === "string" ? ` (${presentable(code, request)})` : "";
  return refusal(request, "connection", `cannot be reached, or breaks off${reason}`, true);
}

function refusal(
  request: UpstreamRequest,
  kind: UpstreamFaultKind,
  detail: string,
  worthRetrying = false,
  wait: number | null = null,
): Answer {
  return { fault: new UpstreamFault(kind, `${request.url} ${detail}`, wait), worthRetrying };
}
