/** Sign-in at an OpenID provider: authorization code with PKCE, state and nonce, all three kept in a sealed cookie. */

import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
} from "openid-client";
import type { Random } from "#domain/account/key-format.ts";
import type { BearerTokens, ExternalSignIn, IdentityRefusal } from "#ports/identity.ts";
import type { Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";
import { type BegunState, openBegun, sealBegun } from "./begun.ts";
import { ProviderUnavailable } from "./bounded-fetch.ts";
import type { Provider } from "./provider.ts";
import { refusalOfGrant } from "./refusal.ts";

export interface SignInOptions {
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
