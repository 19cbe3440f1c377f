/** One OpenID provider: caches and renews its discovery document and its public keys. */

import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from "jose";
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  Configuration,
  clockSkew,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from "openid-client";
import type { Clock } from "#ports.ts";
import { boundedFetch, DEADLINE_SECONDS, isSafe, ProviderUnavailable } from "./bounded-fetch.ts";
import { openRenewed, type Renewed } from "./renewed.ts";

interface ProviderOptions {
  /** Exactly as the provider writes it in its tokens: https, or http on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  /** null for a public client, protected by PKCE only. */
  readonly clientSecret: string | null;
  readonly clock: Clock;
}

export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** For one request: it carries the clock of that moment. Rejects with ProviderUnavailable. */
  configuration(): Promise<Configuration>;
  readonly keys: Renewed<LocalJWKSet>;
}

const DISCOVERY_RENEWAL = { freshSeconds: 3600, keptSeconds: 86_400, pauseSeconds: 5 };
/** An unknown key may be a new one: then the set is fetched again, at most every 30 s. */
const KEYS_RENEWAL = { freshSeconds: 600, keptSeconds: 86_400, pauseSeconds: 30 };
const MOST_KEYS = 64;

/** What makes an issuer unusable, as a sentence for the operator; empty when nothing does. */
export function issuerFaults(issuer: string): readonly string[] {
  const url = URL.parse(issuer);
  if (url === null || url.search !== "" || url.hash !== "")
    return ["OIDC_ISSUER: an address without a query is needed"];
  return isSafe(url) ? [] : ["OIDC_ISSUER: https is needed; http is accepted on loopback only"];
}

/** Sends no request until one is needed. Throws TypeError when issuerFaults is not empty. */
export function openProvider(options: ProviderOptions): Provider {
  const { issuer, clientId, clock } = options;
  const [fault] = issuerFaults(issuer);
  if (fault !== undefined) throw new TypeError(fault);
  const server = openRenewed(() => discover(options), clock, DISCOVERY_RENEWAL);
  return {
    issuer,
    clientId,
    configuration: async () => configurationOf(options, await server.get()),
    keys: openRenewed(async () => readKeys(await server.get()), clock, KEYS_RENEWAL),
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<ServerMetadata> {
  try {
    const found = await discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      [customFetch]: (address, init) => boundedFetch(address, init as RequestInit),
      timeout: DEADLINE_SECONDS,
      execute: isPlain(issuer) ? [allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    if (metadata.issuer !== issuer)
      throw new ProviderUnavailable("the discovery document is another issuer's");
    return metadata;
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable("the discovery document is not usable", error);
  }
}

function configurationOf(options: ProviderOptions, metadata: ServerMetadata): Configuration {
  const { issuer, clientId, clientSecret, clock } = options;
  // The library reads the machine's clock; this makes it the process's own.
  const skew = Math.round((clock.now() - Date.now()) / 1000);
  const configuration = new Configuration(
    metadata,
    clientId,
    { [clockSkew]: skew },
    authentication(clientSecret),
  );
  configuration.timeout = DEADLINE_SECONDS;
  configuration[customFetch] = (address, init) => boundedFetch(address, init as RequestInit);
  if (isPlain(issuer)) allowInsecureRequests(configuration);
  return configuration;
}

async function readKeys({ jwks_uri }: ServerMetadata): Promise<LocalJWKSet> {
  if (jwks_uri === undefined) throw new ProviderUnavailable("the discovery document names no key set");
  const answer = await boundedFetch(jwks_uri, { headers: { accept: "application/json" } });
  if (answer.status !== 200) throw new ProviderUnavailable(`the key set was answered with ${answer.status}`);
  try {
    const keys = (await answer.json()) as JSONWebKeySet;
    return createLocalJWKSet({ keys: keys.keys.slice(0, MOST_KEYS) });
  } catch (error) {
    throw new ProviderUnavailable("the key set is not one", error);
  }
}

function authentication(clientSecret: string | null): ClientAuth {
  return clientSecret === null ? None() : ClientSecretPost(clientSecret);
}

/** issuerFaults has made sure that this is loopback, the only place where plain http is allowed. */
function isPlain(issuer: string): boolean {
  return new URL(issuer).protocol === "http:";
}
