/** Requests to an OpenID provider: with a deadline, a size limit, and no plain HTTP beyond this machine. */

import { isLoopback } from "#gateways/loopback.ts";

export const DEADLINE_SECONDS = 5;
/** A discovery document or key set has a few kilobytes. */
const LARGEST_BODY = 262_144;

/** The provider gave no usable answer: it may pass. The message names no secret. */
export class ProviderUnavailable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = "ProviderUnavailable";
  }
}

/** Whether secrets may go to an address: over TLS, or within this machine. */
export function isSafe(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

/** As fetch, with the whole body read before it resolves. Rejects with ProviderUnavailable; never follows a redirect. */
export async function boundedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  if (!isSafe(url)) throw new ProviderUnavailable(`${url.origin} is not requested over plain http`);
  const deadline = AbortSignal.timeout(DEADLINE_SECONDS * 1000);
  try {
    const answer = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: init.signal == null ? deadline : AbortSignal.any([init.signal, deadline]),
    });
    const body = await boundedBody(answer, url);
    return new Response(body.length === 0 ? null : body, {
      status: answer.status,
      headers: plainHeaders(answer),
    });
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable(`${url.origin} did not answer: ${nameOf(error)}`, error);
  }
}

async function boundedBody(answer: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (answer.body !== null) {
    // Leaving the loop cancels the rest of the answer.
    for await (const chunk of answer.body) {
      size += chunk.length;
      if (size > LARGEST_BODY)
        throw new ProviderUnavailable(`${url.origin} sent more than ${LARGEST_BODY} bytes`);
      chunks.push(chunk);
    }
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The body is decoded already: its former length and coding no longer hold. */
function plainHeaders(answer: Response): Headers {
  const headers = new Headers(answer.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return headers;
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
