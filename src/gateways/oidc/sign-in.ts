/** Signs in at an OpenID provider, by authorization code with PKCE. Its discovery document and its keys are cached and renewed. */

import { createRemoteJWKSet, customFetch as fetchKeys, type JWTVerifyGetKey } from "jose";
import {
  type AuthorizationCodeGrantChecks,
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  None,
  ResponseBodyError,
} from "openid-client";
import type { Random } from "#domain/account/key.ts";
import { isOwnPath } from "#domain/net/message.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { BearerTokens, Envelope, ExternalSignIn, IdentityRefusal, Vault } from "#ports/identity.ts";
import type { Clock } from "#ports.ts";
import { askProvider, ProviderUnavailable } from "./fetch.ts";

interface SignInOptions {
  readonly provider: Provider;
  readonly idTokens: BearerTokens;
  readonly redirectUri: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
}

const VALID_SECONDS = 600;

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
          returnTo: isOwnPath(returnTo) ? returnTo : "/",
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
      const query = new URLSearchParams(search);
      if (begun === null || begun.expiresAt <= clock.now() || query.get("state") !== begun.state)
        return { refused: "state", detail: "not begun in this browser, or too long ago" };
      const idToken = await redeem(options, query, begun);
      if (typeof idToken !== "string") return idToken;
      // The signature is checked although the token came straight from the provider.
      const identity = await idTokens.verify(idToken);
      return "refused" in identity ? identity : { identity, returnTo: begun.returnTo };
    },
  };
}

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
    return answer.id_token ?? { refused: "unacceptable", detail: "no ID token" };
  } catch (error) {
    return refusalOfGrant(error);
  }
}

function unavailable(error: unknown): IdentityRefusal {
  const detail = error instanceof ProviderUnavailable ? error.message : "the provider cannot be used";
  return { refused: "provider_unavailable", detail };
}

/** RFC 6749, section 4.1.2.1: what the provider says instead of a 500 and a 503. */
const PASSING_ERRORS = ["server_error", "temporarily_unavailable"];
const WORD = /^[A-Za-z0-9_.-]{1,64}$/;

function refusalOfGrant(error: unknown): IdentityRefusal {
  if (error instanceof ProviderUnavailable) return { refused: "provider_unavailable", detail: error.message };
  if (error instanceof AuthorizationResponseError) {
    const refused = PASSING_ERRORS.includes(error.error) ? "provider_unavailable" : "denied";
    return { refused, detail: wordOf(error.error) };
  }
  if (error instanceof ResponseBodyError) {
    // Any other refusal, such as invalid_client, is between the operator and the provider.
    const refused = error.error === "invalid_grant" ? "code" : "provider_unavailable";
    return { refused, detail: wordOf(error.error) };
  }
  const code = error instanceof ClientError ? (error.code ?? "") : "";
  const facts = factsOf(error);
  if (typeof facts["claim"] === "string")
    return { refused: "unacceptable", detail: `claim ${wordOf(facts["claim"])}` };
  // If the facts have a header but no claim, the fault is the algorithm in the header.
  const isUnreadable = /^OAUTH_(INVALID_RESPONSE|PARSE_ERROR|UNSUPPORTED_OPERATION)$/.test(code);
  const refused = isUnreadable || "header" in facts ? "unacceptable" : "provider_unavailable";
  return { refused, detail: code === "" ? "no usable answer" : code };
}

/** The values that the library compared: it nests them in the error's causes. */
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

async function openBegun(vault: Vault, cookie: string): Promise<BegunState | null> {
  try {
    const envelope = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Envelope;
    return JSON.parse(await vault.open(envelope, SEALED_FOR)) as BegunState;
  } catch {
    return null;
  }
}

interface ProviderOptions {
  /** Exactly as the provider writes it in its tokens: https, or http on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, protected by PKCE only. */
  readonly clientSecret: string | null;
  readonly clock: Clock;
}

/** A provider moves its endpoints without a notice. */
const RENEWED_AFTER_SECONDS = 600;

export type Provider = ReturnType<typeof openProvider>;

/** For an issuer without `issuerFaults`. Sends no request until one is needed. */
export function openProvider(options: ProviderOptions) {
  let discovered: Promise<Configuration> | null = null;
  let renewedAt: Instant = 0;
  let keySet: JWTVerifyGetKey | null = null;
  /** Rejects with ProviderUnavailable; the next call then asks again. */
  const configuration = () => {
    const now = options.clock.now();
    if (discovered !== null && now < renewedAt) return discovered;
    renewedAt = now + RENEWED_AFTER_SECONDS * 1000;
    keySet = null;
    discovered = discover(options).catch((fault: unknown) => {
      discovered = null;
      throw fault;
    });
    return discovered;
  };
  const keys: JWTVerifyGetKey = async (header, token) => {
    const present = await configuration();
    keySet ??= keySetOf(present);
    return await keySet(header, token);
  };
  return { configuration, keys };
}

/** The times of an ID token are judged by jwt.ts, with this process's clock; the library reads the machine's. */
const ANY_TIME = { [clockTolerance]: (100 * 365 * MILLISECONDS_PER_DAY) / 1000 };

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<Configuration> {
  try {
    const client = clientSecret === null ? None() : bySecret(clientSecret);
    const configuration = await discovery(new URL(issuer), clientId, ANY_TIME, client, {
      [customFetch]: (address, init) => askProvider(address, init as RequestInit),
      // issuerFaults allows plain http on loopback only.
      execute: new URL(issuer).protocol === "http:" ? [allowInsecureRequests] : [],
    });
    if (configuration.serverMetadata().issuer !== issuer)
      throw new ProviderUnavailable("the discovery document is another issuer's");
    return configuration;
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable("the discovery document is not usable", error);
  }
}

/** In the body where the provider says that it reads it there; else in the header, which RFC 6749 requires of all. */
function bySecret(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    (methods.includes("client_secret_post") ? inBody : inHeader)(server, ...request);
  };
}

/** Fetched again after ten minutes; for an unknown key, at most every 30 s. */
function keySetOf(configuration: Configuration): JWTVerifyGetKey {
  const { jwks_uri } = configuration.serverMetadata();
  if (jwks_uri === undefined) throw new ProviderUnavailable("the discovery document names no key set");
  return createRemoteJWKSet(new URL(jwks_uri), {
    [fetchKeys]: async (address, init) => {
      const answer = await askProvider(address, init);
      if (answer.status === 200) return answer;
      throw new ProviderUnavailable(`the key set was answered with ${answer.status}`);
    },
  });
}
