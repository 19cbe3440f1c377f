/** Requests to an OpenID provider, bounded in bytes and time. */

import { isLoopback } from "#domain/net/message.ts";
import { boundedFetch } from "#gateways/transport.ts";

const DEADLINE_SECONDS = 5;
/** A discovery document or key set has a few kilobytes. */
const LARGEST_BODY = 262_144;

/** The provider gave no usable answer. The message names no secret. */
export class ProviderUnavailable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = "ProviderUnavailable";
  }
}

/** Whether secrets may go to an address: over TLS, or within this machine. */
function isSafe(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

/** Faults of an issuer, as sentences for the operator; empty for a usable one. */
export function issuerFaults(issuer: string): readonly string[] {
  const url = URL.parse(issuer);
  if (url === null || url.search !== "" || url.hash !== "")
    return ["OIDC_ISSUER: an address without a query is needed"];
  return isSafe(url) ? [] : ["OIDC_ISSUER: https is needed; http is accepted on loopback only"];
}

/** `boundedFetch` with a deadline. Rejects with ProviderUnavailable. */
export async function askProvider(address: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  if (!isSafe(url)) throw new ProviderUnavailable(`${url.origin} is not requested over plain http`);
  const deadline = AbortSignal.timeout(DEADLINE_SECONDS * 1000);
  try {
    const signal = init.signal == null ? deadline : AbortSignal.any([init.signal, deadline]);
    const answer = await boundedFetch(address, { ...init, signal }, LARGEST_BODY);
    if (answer === null) throw new ProviderUnavailable(`${url.origin} sent more than ${LARGEST_BODY} bytes`);
    return answer;
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable(`${url.origin} did not answer: ${nameOf(error)}`, error);
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
