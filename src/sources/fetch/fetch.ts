/** Upstream documents, step one: the HTTP client. It is bounded and polite, retries, and remembers the validators of stored documents. */

import { gunzipSync } from "node:zlib";
import { UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Upstream, UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { presentable, redirectTarget, sendingAddress } from "./address.ts";
import { type ClockWatch, imfDate, originTime } from "./clock-watch.ts";

export interface UpstreamOptions {
  /** Sets `retrievedAt` and reads the dates of Retry-After; deadlines run on real time. */
  readonly clock: Clock;
  /** UPSTREAM_BASE without a slash at its end: https://host/path is then fetched from `${base}/host/path`. */
  readonly base: string | null;
  readonly userAgent: string;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** A number in [0, 1): spreads the retries of many installations. */
  readonly random?: () => number;
  /** Notes the hosts' time. While it finds this machine's clock wrong, every request fails. */
  readonly watch?: ClockWatch;
  /** How often a document is requested before the fault is final; 3 by default. */
  readonly attempts?: number;
}

const FIRST_BACKOFF_MILLISECONDS = 500;
/** No retry where the upstream wants a longer pause: the next scheduled collection comes soon enough. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** Addresses with a date in their query are never requested again, so the oldest validators are dropped. */
const REMEMBERED_ADDRESSES = 256;

/**
 * The client behind the port `Upstream`. `timeoutSeconds` bounds one attempt from connecting to the last byte,
 * redirects included; the time between attempts comes on top. Connection errors, timeouts, 5xx and 429 are tried
 * again, everything else is final. Rejects with UpstreamFault; its text never holds `secretQuery`.
 */
export function openUpstream(options: UpstreamOptions): Upstream {
  const { attempts = 3, sleep = Bun.sleep, random = Math.random } = options;
  const validatorsOfDocument = new WeakMap<UpstreamDocument, Validators>();
  const remembered = new Map<string, Validators>();

  return {
    async get(request) {
      for (let attempt = 1; ; attempt++) {
        // The address of a POST does not name its document: two requests to it are two documents.
        const isNamed = request.post === undefined;
        const validators = isNamed ? (remembered.get(request.url) ?? null) : null;
        const answer = await askOnce(options, request, validators);
        const clock = options.watch?.verdict();
        if (clock?.status === "wrong") throw new UpstreamFault("clock", clock.detail ?? "");
        if ("unchanged" in answer) return "unchanged";
        if ("document" in answer) {
          if (answer.validators !== null && isNamed) {
            validatorsOfDocument.set(answer.document, answer.validators);
          }
          return answer.document;
        }
        const { fault } = answer;
        const pause = pauseBefore(attempt + 1, fault, random());
        if (!answer.worthRetrying || pause === null || attempt >= attempts) throw final(fault, attempt);
        await sleep(pause);
      }
    },

    remember(document) {
      const validators = validatorsOfDocument.get(document);
      // Without validators the next request must be unconditional: older ones would describe other content.
      remembered.delete(document.url);
      if (validators === undefined) return;
      remembered.set(document.url, validators);
      const oldest = remembered.keys().next().value;
      if (remembered.size > REMEMBERED_ADDRESSES && oldest !== undefined) remembered.delete(oldest);
    },
  };
}

/** Milliseconds to wait before the given attempt: exponential with jitter, or what the upstream wants; null: too long to wait. */
function pauseBefore(attempt: number, fault: UpstreamFault, random: number): number | null {
  const backoff = FIRST_BACKOFF_MILLISECONDS * 2 ** (attempt - 2) * (0.5 + random / 2);
  if (fault.retryAfterSeconds === null) return backoff;
  if (fault.retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(backoff, fault.retryAfterSeconds * 1000);
}

function final(fault: UpstreamFault, attempts: number): UpstreamFault {
  if (attempts === 1) return fault;
  return new UpstreamFault(fault.kind, `${fault.message} (attempt ${attempts})`, fault.retryAfterSeconds);
}

// ── One attempt ──────────────────────────────────────────────────────────────────────────────────

interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

type Answer =
  | { readonly unchanged: true }
  | { readonly document: UpstreamDocument; readonly validators: Validators | null }
  | { readonly fault: UpstreamFault; readonly worthRetrying: boolean };

const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Redirects under which a POST stays a POST (RFC 9110 §15.4). */
const KEEPING_METHOD = new Set([307, 308]);

/** Sends one request and follows its redirects. Upstream trouble is an answer, not an exception. */
async function askOnce(
  { clock, base, userAgent, watch }: UpstreamOptions,
  request: UpstreamRequest,
  validators: Validators | null,
): Promise<Answer> {
  const signal = AbortSignal.timeout(request.timeoutSeconds * 1000);
  const open = requestHeaders(request, userAgent, validators);
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
      if (!REDIRECTS.has(response.status))
        return await answerOf(clock, request, response, validators !== null);
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
  validators: Validators | null,
): Record<string, string> {
  return {
    "User-Agent": userAgent,
    Accept: request.accept,
    "Accept-Encoding": "gzip",
    ...request.post?.headers,
    ...(request.post !== undefined && { "Content-Type": request.post.contentType }),
    ...(validators?.etag != null && { "If-None-Match": validators.etag }),
    ...(validators?.lastModified != null && { "If-Modified-Since": validators.lastModified }),
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
  const wait = retry ? retryAfterSeconds(response, clock) : null;
  return refusal(request, kindOfStatus(status, excerpt, request), detail, retry, wait);
}

function kindOfStatus(status: number, excerpt: string, request: UpstreamRequest): UpstreamFaultKind {
  if (status === 404 || status === 410) return "not_found";
  if (status === 401 || status === 403) return "refused_credentials";
  if (status === 429) return "rate_limited";
  // FRED answers 400 to a bad key and names the parameter; a 400 about anything else does not.
  const named = Object.keys(request.secretQuery ?? {}).some((name) => excerpt.includes(name));
  return status === 400 && named ? "refused_credentials" : "status";
}

/** Retry-After in seconds, from either of its forms (RFC 9110 §10.2.3): negative for a date that is over; null where absent or unreadable. */
function retryAfterSeconds(response: Response, clock: Clock): number | null {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.ceil((at - clock.now()) / 1000);
}

/** fetch's own errors carry the address with the credentials, so nothing but their code is passed on. */
function broken(request: UpstreamRequest, error: unknown): Answer {
  if (error instanceof UpstreamFault) {
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

/**
 * Reads a body that was fetched with `decompress: false`. Never holds more than `maxBytes` of wire data and
 * `maxBytes` of decoded data, whatever the headers claim: a gzip bomb stops at the limit. Throws UpstreamFault, without the address;
 * a broken connection or the deadline rejects as fetch does.
 */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw new UpstreamFault("too_large", `announces ${announced} bytes, more than the ${maxBytes} allowed`);
  }
  const wire = await readWire(response, maxBytes);
  const encoding = (response.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return wire;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new UpstreamFault("connection", "answers in a content encoding that was not requested");
  }
  return gunzip(wire, maxBytes);
}

async function readWire(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new UpstreamFault("too_large", `sends more than the ${maxBytes} bytes allowed`);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

function gunzip(wire: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(wire, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") {
      throw new UpstreamFault("too_large", `unpacks to more than the ${maxBytes} bytes allowed`);
    }
    throw new UpstreamFault("connection", "sends a damaged or truncated gzip body");
  }
}

/** The beginning of an error body, for its reason; empty when it is HTML, binary or cannot be read. */
async function readExcerpt(response: Response): Promise<string> {
  if (!/^(application\/json|text\/plain)/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return "";
  }
  try {
    return new TextDecoder().decode(await readBody(response, 4096));
  } catch {
    // The status is the fault to report; a broken error body adds nothing to it.
    return "";
  }
}
