/** Headers of every answer, and the request id. */

import type { Simulated } from "#domain/dataset/dataset.ts";

/** Keyless browser use is welcome; credentials are never part of a cross-origin answer, so every header may be read. */
const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "*",
};

/** Takes back what `headersOf` allows to pages of other sites. */
export function closeToPages(headers: Headers): void {
  for (const name in COMMON_HEADERS) headers.delete(name);
}

/** Browsers must not guess types. */
const NO_SNIFFING = ["X-Content-Type-Options", "nosniff"] as const;

export interface HeaderFields {
  readonly cacheControl: string;
  readonly etag?: string;
  readonly vary?: string;
  /** Null forbids cross-origin use. */
  readonly exposed?: null;
  /** Further headers; they win. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the headers of one answer, without those of its body. `id` is the request's, from `requestId`. */
export function headersOf(
  id: string,
  simulated: boolean,
  { cacheControl, etag, vary, exposed, headers: more }: HeaderFields,
): Headers {
  const headers = exposed === null ? new Headers() : new Headers(COMMON_HEADERS);
  headers.set(...NO_SNIFFING);
  headers.set("Cache-Control", cacheControl);
  if (etag !== undefined) headers.set("ETag", etag);
  if (vary !== undefined) headers.set("Vary", vary);
  headers.set("X-Request-Id", id);
  if (simulated) headers.set("X-Data-Mode", "simulated");
  for (const name in more) headers.set(name, more[name] as string);
  return headers;
}

/** Returns the demo's header for an answer with only real rates; else no header. */
export function modeOf({ isDemo, codes }: Simulated): Readonly<Record<string, string>> {
  return isDemo && codes.length === 0 ? REAL_MODE : {};
}

export const REAL_MODE: Readonly<Record<string, string>> = { "X-Data-Mode": "real" };

/** Returns whether a body of the demo has only real rates: the notice of any other begins with SIMULATED. */
export function isRealBody(simulated: boolean, body: object): boolean {
  if (!simulated || !("notice" in body)) return false;
  return !String(body.notice).startsWith("SIMULATED");
}

/** Returns the Cache-Control of an answer that caches may reuse for this time, and must then revalidate. */
export function cacheFor(maxAgeSeconds: number): string {
  return `public, max-age=${maxAgeSeconds}, must-revalidate`;
}

const PROCESS_TAG = crypto.getRandomValues(Buffer.alloc(6)).toString("hex");
const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;
let counter = 0;

/** Returns the caller's well-formed X-Request-Id, or a new one, unique across processes. */
export function requestId(headers: Headers): string {
  const sent = headers.get("x-request-id");
  if (sent !== null && OWN_ID.test(sent)) return sent;
  counter += 1;
  return `${PROCESS_TAG}-${counter}`;
}
