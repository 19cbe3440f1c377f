/** Turns the SDK's exceptions into a BillingFault: named, readable for an operator, without secrets. */

import type { Stripe } from "stripe";
import { BillingFault, type BillingFaultKind } from "#domain/billing/fault.ts";

/** Keys and signing secrets in a text; Stripe itself prints keys with most of it masked. */
const SECRETS = /\b(sk|rk|pk|ek)_(test|live)_[\w*]+|\bwhsec_\w+/g;
const LONGEST_TEXT = 300;

/** Makes one call of the SDK; every failure becomes a BillingFault. */
export async function withFaults<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw faultOf(what, error);
  }
}

function faultOf(what: string, error: unknown): BillingFault {
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
    // Not from the SDK: our reading stumbled over an answer that is not of the documented shape.
    case undefined:
      return "unreadable";
    // Connection errors, overload, 5xx, and answers that are not JSON.
    default:
      return "unavailable";
  }
}

/** True when Stripe knows nothing of that id. `param`: only when it was sent there. */
export function isMissing(error: unknown, param?: string): boolean {
  const { code, param: where } = error as Partial<Stripe.errors.StripeError>;
  if (code !== "resource_missing" || isOfOtherMode(error)) return false;
  return param === undefined || where === param;
}

/** True when Stripe does not take an e-mail address for one. */
export function isInvalidEmail(error: unknown): boolean {
  return (error as Partial<Stripe.errors.StripeError>).code === "email_invalid";
}

/** It exists, and the key is of the other mode: not gone, but not accessible. */
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
