/**
 * Stripe's official SDK, loaded at the first call and pinned to one API version. Requests go to STRIPE_API_BASE only, without redirects,
 * with bounded time and bounded answers.
 */

import type { Stripe } from "stripe";

/** The version whose shapes state.ts reads; another release of the SDK makes this line a type error. */
const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";

export interface ClientSettings {
  /** sk_test_…, sk_live_… or a restricted rk_… */
  readonly secretKey: string;
  /** STRIPE_API_BASE without a slash at its end, in place of https://api.stripe.com. */
  readonly apiBase: string | null;
  /** One attempt, from connecting to the last byte. */
  readonly timeoutMilliseconds: number;
  /** Further attempts after a connection error, a conflict or a 5xx; the SDK repeats with the same idempotency key. */
  readonly retries: number;
}

/** A function that gives the one client. Loading takes some 30 ms and 8 MB, which an installation without billing saves. */
export function clientOf(settings: ClientSettings): () => Promise<Stripe> {
  let loading: Promise<Stripe> | null = null;
  return () => {
    loading ??= load(settings);
    return loading;
  };
}

async function load({ secretKey, apiBase, timeoutMilliseconds, retries }: ClientSettings): Promise<Stripe> {
  const { Stripe: Client } = await import("stripe");
  return new Client(secretKey, {
    apiVersion: API_VERSION,
    httpClient: Client.createFetchHttpClient(boundedFetch(apiBase ?? STRIPE_API)),
    maxNetworkRetries: retries,
    timeout: timeoutMilliseconds,
    telemetry: false,
  });
}

const STRIPE_API = "https://api.stripe.com";

/** A full page of a hundred events is about half of it. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A `fetch` for the SDK. Rejects on an answer that is too large; a redirect comes back as what it is, unfollowed. */
function boundedFetch(base: string): typeof fetch {
  const bounded = async (input: string | URL | Request, init?: RequestInit) => {
    const address = String(input instanceof Request ? input.url : input);
    if (!address.startsWith(`${STRIPE_API}/`)) throw new Error("not an address of Stripe's API");
    // A redirect would take the secret key along.
    const response = await fetch(base + address.slice(STRIPE_API.length), { ...init, redirect: "manual" });
    const { status, headers } = response;
    return new Response(await bodyOf(response), { status, headers });
  };
  return bounded as typeof fetch;
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`Stripe's answer is larger than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
