/**
 * Stripe's official SDK, loaded at the first call and pinned to one API version. Requests go to STRIPE_API_BASE only, without
 * redirects, with bounded time and bounded answers. Its errors become BillingFault.
 */

import type { Stripe } from "stripe";
import { BillingFault, type BillingFaultKind } from "#domain/billing/notice.ts";
import { boundedFetch } from "#gateways/transport.ts";

/** The version of the shapes that events.ts reads; another release of the SDK makes this line a type error. */
const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";

export interface ClientSettings {
  readonly secretKey: string;
  /** STRIPE_API_BASE without a slash at its end; null for https://api.stripe.com. */
  readonly apiBase: string | null;
  readonly timeoutMilliseconds: number;
  /** Further attempts after a connection error, a conflict or a 5xx, with the same idempotency key. */
  readonly retries: number;
}

/** Loads the client once: it takes some 30 ms and 8 MB, which an installation without billing saves. */
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
    httpClient: Client.createFetchHttpClient(fetchFrom(apiBase ?? STRIPE_API)),
    maxNetworkRetries: retries,
    timeout: timeoutMilliseconds,
    telemetry: false,
  });
}

const STRIPE_API = "https://api.stripe.com";

/** Twice a full page of a hundred events. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A `fetch` for the SDK. Rejects a too large answer. */
function fetchFrom(base: string): typeof fetch {
  const bounded = async (input: string | URL | Request, init?: RequestInit) => {
    const address = String(input instanceof Request ? input.url : input);
    if (!address.startsWith(`${STRIPE_API}/`)) throw new Error("not an address of Stripe's API");
    const response = await boundedFetch(base + address.slice(STRIPE_API.length), init ?? {}, MOST_BYTES);
    if (response === null) throw new Error(`Stripe's answer is larger than ${MOST_BYTES} bytes`);
    return response;
  };
  return bounded as typeof fetch;
}

/** Keys and signing secrets in a text; Stripe itself prints keys with most of it masked. */
const SECRETS = /\b(sk|rk|pk|ek)_(test|live)_[\w*]+|\bwhsec_\w+/g;
const LONGEST_TEXT = 300;

export function faultOf(what: string, error: unknown): BillingFault {
  if (error instanceof BillingFault) return error;
  const { requestId, message } = error as { requestId?: unknown; message?: unknown };
  const request = typeof requestId === "string" ? ` (request ${requestId})` : "";
  const text = printable(`${what}: ${String(message ?? error)}`) + request;
  return new BillingFault(kindOf(error), text, retryAfter(error));
}

function kindOf(error: unknown): BillingFaultKind {
  if (isOfOtherMode(error)) return "wrong_mode";
  switch ((error as Partial<Stripe.errors.StripeError>).type) {
    case "StripeAuthenticationError":
    case "StripePermissionError":
      return "refused_credentials";
    case "StripeIdempotencyError":
      return "key_reused";
    case "StripeInvalidRequestError":
    case "StripeCardError":
      return "rejected";
    // The error is not the SDK's: the answer lacks the documented shape.
    case undefined:
      return "unreadable";
    // Connection errors, overload, 5xx, and answers that are not JSON.
    default:
      return "unavailable";
  }
}

/** Whether Stripe does not know an id; with `param`, an id sent in that parameter. */
export function isMissing(error: unknown, param?: string): boolean {
  const { code, param: where } = error as Partial<Stripe.errors.StripeError>;
  if (code !== "resource_missing" || isOfOtherMode(error)) return false;
  return param === undefined || where === param;
}

/** Whether Stripe refuses an e-mail address as invalid. */
export function isInvalidEmail(error: unknown): boolean {
  return (error as Partial<Stripe.errors.StripeError>).code === "email_invalid";
}

/** Whether the object exists, but in the other mode (live or test) than the key. */
function isOfOtherMode(error: unknown): boolean {
  const { code, message } = error as Partial<Stripe.errors.StripeError>;
  return code === "resource_missing" && /similar object exists in (live|test) mode/.test(message ?? "");
}

function retryAfter(error: unknown): number | null {
  const seconds = Number((error as Partial<Stripe.errors.StripeError>).headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 3600) : null;
}

function printable(text: string): string {
  const plain = text.replace(SECRETS, "…").replace(/[\p{C}]/gu, " ");
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT)}…` : plain;
}
