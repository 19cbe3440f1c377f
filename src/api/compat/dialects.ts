/** The refusals of this server in the form of Frankfurter (v1, v2) and of Open Exchange Rates. */

import type { Failure } from "#domain/faults/errors.ts";
import { type Dialect, Refusal, restateUnrouted } from "./refusal.ts";

/** `{message}`: 404 where there is nothing, 422 for what cannot be understood. */
export const frankfurterV1: Dialect = (failure) => {
  const [status, message] = frankfurter(failure);
  return new Refusal(status, { message });
};

/** `{status, message}` with the same statuses as v1. */
export const frankfurterV2: Dialect = (failure) => {
  const [status, message] = frankfurter(failure);
  return new Refusal(status, { status, message });
};

function frankfurter(failure: Failure): readonly [status: number, message: string] {
  switch (failure.code) {
    case "unsupported_base":
    case "no_data_for_date":
    case "not_found":
      return [404, "not found"];
    case "bad_date":
      return [422, "invalid date"];
    default:
      return [isAboutCaller(failure) || failure.status >= 500 ? failure.status : 422, failure.message];
  }
}

/** Who calls, and how often, is this server's own affair, and versions and parts are those of HTTP: these statuses stay. */
const KEPT: ReadonlySet<number> = new Set([401, 403, 412, 416, 429]);

function isAboutCaller({ status }: Failure): boolean {
  return KEPT.has(status);
}

/** `{error, status, message, description}`; `message` is a code, `description` says what to do. */
export const openExchangeRates: Dialect = (failure) => {
  const { code, status, message } = failure;
  switch (code) {
    case "unsupported_base":
      return oxrRefusal(400, "invalid_base", `${message}; see currencies.json`);
    case "bad_date":
      return oxrRefusal(400, "not_available", `The date you requested is invalid: ${message}.`);
    case "no_data_for_date":
      return oxrRefusal(
        400,
        "not_available",
        `Rates are not available here: ${message}. Coverage runs from 1999-01-04 to today, UTC.`,
      );
    case "invalid_pair":
      return oxrRefusal(400, "invalid_currency", `${message.split(";")[0]}; see currencies.json`);
    case "not_found":
      return oxrRefusal(404, "not_found", "There is no such resource here; see /openapi.json.");
    case "invalid_api_key":
      return oxrRefusal(401, "invalid_app_id", message);
    case "plan_gated":
      return oxrRefusal(403, "not_allowed", message);
    case "rate_limited":
    case "ip_rate_limited":
    case "quota_exceeded":
      return oxrRefusal(429, "access_restricted", message);
    default:
      return oxrRefusal(isAboutCaller(failure) || status >= 500 ? status : 400, code, message);
  }
};

export function oxrRefusal(status: number, message: string, description: string): Refusal {
  return new Refusal(status, { error: true, status, message, description });
}

/** The answer to a request that no route took, in the words of the service whose prefix its path has. */
export function compatUnrouted(request: Request, plain: Response): Response {
  return restateUnrouted(request, plain, [
    ["/compat/frankfurter/v1/", frankfurterV1],
    ["/compat/frankfurter/", frankfurterV2],
    ["/v2/", frankfurterV2],
    ["/compat/oxr/", openExchangeRates],
  ]);
}
