/**
 * Sign-in at an OpenID provider: authorization code with PKCE, state and nonce, all three in a sealed cookie. Failures become
 * refusals without tokens or codes.
 */

import {
  type AuthorizationCodeGrantChecks,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  calculatePKCECodeChallenge,
  ResponseBodyError,
} from "openid-client";
import type { Random } from "#domain/account/key.ts";
import type { Instant } from "#domain/time/day.ts";
import type {
  BearerTokens,
  ExternalSignIn,
  IdentityRefusal,
  IdentityRefusalReason,
} from "#ports/identity.ts";
import type { Envelope, Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";
import { ProviderUnavailable } from "./bounded-fetch.ts";
import type { Provider } from "./provider.ts";

interface SignInOptions {
  readonly provider: Provider;
  /** Verifies ID tokens: the provider's issuer and keys, the client id as audience. */
  readonly idTokens: BearerTokens;
  /** The callback address, as registered with the provider. */
  readonly redirectUri: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
}

const VALID_SECONDS = 600;
const LONGEST_QUERY = 8192;
/** One slash, and no second one or backslash that would make a browser read a host. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]{0,500}$/;

export function openSignIn(options: SignInOptions): ExternalSignIn {
  const { provider, idTokens, redirectUri, vault, clock, random } = options;
  const unguessable = () => Buffer.from(random(32)).toString("base64url");

  return {
    async begin(returnTo) {
      try {
        const configuration = await provider.configuration();
        const begun: BegunState = {
          state: unguessable(),
          nonce: unguessable(),
          verifier: unguessable(),
          returnTo: OWN_PATH.test(returnTo) && !returnTo.includes("\\") ? returnTo : "/",
          expiresAt: clock.now() + VALID_SECONDS * 1000,
        };
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "openid email",
          state: begun.state,
          nonce: begun.nonce,
          code_challenge: await calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: "S256",
        });
        return { url: url.href, cookie: await sealBegun(vault, begun), maxAgeSeconds: VALID_SECONDS };
      } catch (error) {
        return unavailable(error);
      }
    },

    async finish(search, cookie) {
      const begun = cookie === null ? null : await openBegun(vault, cookie);
      const query = new URLSearchParams(search.slice(0, LONGEST_QUERY));
      if (begun === null || begun.expiresAt <= clock.now() || query.get("state") !== begun.state)
        return { refused: "state", detail: "not begun in this browser, or too long ago" };
      const idToken = await redeem(options, query, begun);
      if (typeof idToken !== "string") return idToken;
      // The token came straight from the provider; its signature is checked all the same.
      const identity = await idTokens.verify(idToken);
      return "refused" in identity ? identity : { identity, returnTo: begun.returnTo };
    },
  };
}

/** Trades the code for an ID token, whose nonce is checked here. */
async function redeem(
  { provider, redirectUri }: SignInOptions,
  query: URLSearchParams,
  { state, nonce, verifier }: BegunState,
): Promise<string | IdentityRefusal> {
  const checks: AuthorizationCodeGrantChecks = {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  };
  try {
    const callback = new URL(redirectUri);
    callback.search = query.toString();
    const answer = await authorizationCodeGrant(await provider.configuration(), callback, checks);
    return answer.id_token ?? { refused: "malformed", detail: "no ID token" };
  } catch (error) {
    return refusalOfGrant(error);
  }
}

function unavailable(error: unknown): IdentityRefusal {
  const detail = error instanceof ProviderUnavailable ? error.message : "the provider cannot be used";
  return { refused: "provider_unavailable", detail };
}

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

function refusalOfGrant(error: unknown): IdentityRefusal {
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

interface BegunState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly expiresAt: Instant;
}

const SEALED_FOR = { org: "-", id: "sign-in", purpose: "oidc" };

async function sealBegun(vault: Vault, begun: BegunState): Promise<string> {
  const envelope = await vault.seal(JSON.stringify(begun), SEALED_FOR);
  return Buffer.from(JSON.stringify(envelope)).toString("base64url");
}

/** null for anything that this product has not sealed. */
async function openBegun(vault: Vault, cookie: string): Promise<BegunState | null> {
  try {
    const envelope = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Envelope;
    return JSON.parse(await vault.open(envelope, SEALED_FOR)) as BegunState;
  } catch {
    return null;
  }
}
