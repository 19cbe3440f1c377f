/** What the OpenID library says when a code is not redeemed, as one of our refusals. No token or code gets into them. */

import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import type { IdentityRefusal, IdentityRefusalReason } from "#ports/identity.ts";
import { ProviderUnavailable } from "./bounded-fetch.ts";

const CLAIM_REASONS: Readonly<Record<string, IdentityRefusalReason>> = {
  nonce: "nonce",
  iss: "issuer",
  aud: "audience",
  azp: "audience",
  exp: "expired",
  nbf: "not_yet_valid",
  iat: "not_yet_valid",
};
const WORD = /^[A-Za-z0-9_.-]{1,64}$/;

export function refusalOfGrant(error: unknown): IdentityRefusal {
  if (error instanceof ProviderUnavailable) return { refused: "provider_unavailable", detail: error.message };
  if (error instanceof AuthorizationResponseError) return { refused: "denied", detail: wordOf(error.error) };
  if (error instanceof ResponseBodyError) {
    // Any other refusal, such as invalid_client, is between the operator and the provider.
    const refused = error.error === "invalid_grant" ? "code" : "provider_unavailable";
    return { refused, detail: wordOf(error.error) };
  }
  const code = error instanceof ClientError ? (error.code ?? "") : "";
  const facts = factsOf(error);
  if (typeof facts["claim"] === "string")
    return { refused: CLAIM_REASONS[facts["claim"]] ?? "claims", detail: `claim ${wordOf(facts["claim"])}` };
  // Facts with a header but no claim are about the algorithm that it names.
  if ("header" in facts)
    return { refused: "algorithm", detail: "the ID token's algorithm is not the provider's" };
  if (["OAUTH_INVALID_RESPONSE", "OAUTH_PARSE_ERROR", "OAUTH_UNSUPPORTED_OPERATION"].includes(code))
    return { refused: "malformed", detail: code };
  return { refused: "provider_unavailable", detail: code === "" ? "no usable answer" : code };
}

/** The library puts what it compared two causes down. */
function factsOf(error: unknown): Readonly<Record<string, unknown>> {
  let cause = error;
  for (let depth = 0; depth < 3 && cause instanceof Error; depth++) cause = cause.cause;
  return typeof cause === "object" && cause !== null ? (cause as Record<string, unknown>) : {};
}

function wordOf(text: unknown): string {
  return typeof text === "string" && WORD.test(text) ? text : "unspecified";
}
