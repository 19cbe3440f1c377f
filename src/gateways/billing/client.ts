/** The official SDK, loaded with the first call that needs it, pinned to one API version and bounded in time. */

import type { Stripe } from "stripe";
import { boundedFetch, STRIPE_API } from "./bounded-fetch.ts";

/** The version whose shapes state.ts reads; another release of the SDK makes this line a type error. */
export const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";

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
