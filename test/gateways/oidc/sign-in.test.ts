/** Sign-in by code and PKCE against a real provider on loopback: the way that works, and every way that must not. */

import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { SignJWT } from "jose";
import { openBearerTokens } from "#gateways/oidc/jwt.ts";
import { openProvider, openSignIn } from "#gateways/oidc/sign-in.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { BegunSignIn, ExternalSignIn } from "#ports/identity.ts";
import { seededBytes } from "#test/gateways/random.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  newSigningKey,
  type OpenIdProvider,
  startProvider,
} from "./openid-provider.ts";
import { newTestClock, type TestClock } from "./test-clock.ts";

const REDIRECT_URI = "http://127.0.0.1:3000/auth/callback";
const [rsa, ec, stranger] = await Promise.all([
  newSigningKey("rsa-1"),
  newSigningKey("ec-1", "ES256"),
  newSigningKey("rsa-1"),
]);

let clock: TestClock;
let upstream: OpenIdProvider;
let signIn: ExternalSignIn;

beforeEach(async () => {
  clock = newTestClock();
  upstream = startProvider(clock, [rsa, ec]);
  signIn = await signInWith(CLIENT_SECRET, 1);
});
afterEach(() => {
  setSystemTime();
});

/** As another process of the installation, or another browser's server, would have it: `seed` makes its randomness. */
async function signInWith(clientSecret: string | null, seed: number, master = 0): Promise<ExternalSignIn> {
  const random = seededBytes(seed);
  const { issuer } = upstream;
  const provider = openProvider({ issuer, clientId: CLIENT_ID, clientSecret, clock });
  return openSignIn({
    provider,
    idTokens: openBearerTokens({
      issuer,
      audience: CLIENT_ID,
      algorithms: ["RS256", "ES256"],
      keys: provider.keys,
      clock,
    }),
    redirectUri: REDIRECT_URI,
    vault: await openVault(keyringOf(`k:${countingKey(master)}`), random),
    clock,
    random,
  });
}

async function begun(returnTo = "/dashboard"): Promise<BegunSignIn> {
  const outcome = await signIn.begin(returnTo);
  if ("refused" in outcome) throw new Error(outcome.refused);
  return outcome;
}

async function refusalOf(search: string, cookie: string | null, by = signIn): Promise<string> {
  const outcome = await by.finish(search, cookie);
  if (!("refused" in outcome)) return "accepted";
  return outcome.refused === "unacceptable" ? outcome.detail : outcome.refused;
}

/** The whole way, with what the provider then does wrong. */
async function refusalAfterSignIn(): Promise<string> {
  const { url, cookie } = await begun();
  return refusalOf(await upstream.authorize(url), cookie);
}

test("the address requests code, PKCE, state and nonce, and no secret is in it", async () => {
  const { url, cookie, maxAgeSeconds } = await begun();
  const query = new URL(url).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: CLIENT_ID,
    response_type: "code",
    scope: "openid email",
    redirect_uri: REDIRECT_URI,
    code_challenge_method: "S256",
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
  expect(maxAgeSeconds).toBe(600);
  // The cookie is sealed: what is in the address cannot be found in it.
  expect(cookie).toMatch(/^[\w-]{100,3800}$/);
  expect(Buffer.from(cookie, "base64url").toString()).not.toContain(query.get("state") as string);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "",
  "/a b",
  "/a\\b",
  `/${"x".repeat(600)}`,
])("%p is no place to return to", async (returnTo) => {
  const { url, cookie } = await begun(returnTo);
  expect(await signIn.finish(await upstream.authorize(url), cookie)).toMatchObject({ returnTo: "/" });
});

test("a callback with another state, or with none, is refused before the provider is queried", async () => {
  const [mine, other] = [await begun(), await begun()];
  const search = await upstream.authorize(mine.url);
  const before = upstream.requests.length;
  expect(await refusalOf(search, other.cookie)).toBe("state");
  expect(await refusalOf(search.replace(/state=[^&]*/, "state=x"), mine.cookie)).toBe("state");
  expect(await refusalOf("?code=abc", mine.cookie)).toBe("state");
  expect(await refusalOf("", mine.cookie)).toBe("state");
  expect(upstream.requests.length).toBe(before);
});

test("a callback without its cookie, or with a forged or foreign one, is refused", async () => {
  const { url, cookie } = await begun();
  const search = await upstream.authorize(url);
  expect(await refusalOf(search, null)).toBe("state");
  for (const forged of [
    "",
    "x",
    cookie.slice(1),
    `${cookie.slice(0, -4)}AAAA`,
    Buffer.from("{}").toString("base64url"),
  ]) {
    expect(await refusalOf(search, forged)).toBe("state");
  }
  expect(await refusalOf(search, cookie, await signInWith(CLIENT_SECRET, 1, 90))).toBe("state");
});

test("another process of the same installation can finish what this one began", async () => {
  const { url, cookie } = await begun();
  expect(await refusalOf(await upstream.authorize(url), cookie, await signInWith(CLIENT_SECRET, 2))).toBe(
    "accepted",
  );
});

test("a sign-in takes ten minutes at most", async () => {
  const { url, cookie } = await begun();
  const search = await upstream.authorize(url);
  clock.pass(600);
  expect(await refusalOf(search, cookie)).toBe("state");
});

test("a code that was stolen from another sign-in fails for want of its verifier", async () => {
  const [mine, theirs] = [await begun(), await begun()];
  const stolen = new URLSearchParams(await upstream.authorize(theirs.url)).get("code");
  const search = (await upstream.authorize(mine.url)).replace(/code=[^&]*/, `code=${stolen}`);
  expect(await refusalOf(search, mine.cookie)).toBe("code");
});

test.each([
  ["access_denied", "denied"],
  ["server_error", "provider_unavailable"],
  ["temporarily_unavailable", "provider_unavailable"],
])("the provider's %s is %s: a fault that passes is no refusal", async (error, outcome) => {
  const { url, cookie } = await begun();
  const search = (await upstream.authorize(url, "denied")).replace("access_denied", error);
  expect(await refusalOf(search, cookie)).toBe(outcome);
});

test.each([[["client_secret_basic"]], [undefined], [["client_secret_basic", "client_secret_post"]]])(
  "the client secret goes where a provider that reads it by %p reads it",
  async (token_endpoint_auth_methods_supported) => {
    upstream.misconduct = { metadata: { token_endpoint_auth_methods_supported } };
    expect(await refusalAfterSignIn()).toBe("accepted");
  },
);

test("a provider that moves its endpoints is followed within ten minutes", async () => {
  const { url } = await begun();
  await upstream.authorize(url);
  const { issuer } = upstream;
  upstream.prefix = "/moved";
  clock.pass(600);
  expect((await begun()).url).toStartWith(`${issuer}/moved/authorize?`);
  expect(await refusalAfterSignIn()).toBe("accepted");
});

test.each([
  ["claim nonce", { nonce: "another" }],
  ["OAUTH_INVALID_RESPONSE", { nonce: undefined }],
  ["claim iss", { iss: "https://other.example" }],
  ["claim aud", { aud: "another-client" }],
  ["claim azp", { aud: [CLIENT_ID, "other"], azp: "other" }],
  ["OAUTH_INVALID_RESPONSE", { sub: undefined }],
  ["OAUTH_INVALID_RESPONSE", { exp: undefined }],
] as const)("%s: an ID token with %p is refused", async (reason, claims) => {
  upstream.misconduct = { claims };
  expect(await refusalAfterSignIn()).toBe(reason);
});

test("an ID token that another party signed is refused", async () => {
  upstream.misconduct = {
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa-1" }).sign(stranger.privateKey),
  };
  expect(await refusalAfterSignIn()).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
});

test.each([
  ["is down", () => new Response(null, { status: 503 })],
  ["answers with a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["sends too much", () => Response.json({ id_token: "x".repeat(300_000) })],
])("a token endpoint that %s makes the provider unavailable", async (_, answer) => {
  upstream.misconduct = { answers: { "/token": answer } };
  expect(await refusalAfterSignIn()).toBe("provider_unavailable");
});

test("a wrong client secret is the operator's concern, and is not in the detail", async () => {
  signIn = await signInWith("wrong", 5);
  const { url, cookie } = await begun();
  const outcome = await signIn.finish(await upstream.authorize(url), cookie);
  expect(outcome).toEqual({ refused: "provider_unavailable", detail: "invalid_client" });
});

test("a provider that cannot be reached refuses the beginning already, and is found again later", async () => {
  const down = () => new Response(null, { status: 503 });
  upstream.misconduct = { answers: { "/.well-known/openid-configuration": down } };
  expect(await signIn.begin("/")).toMatchObject({ refused: "provider_unavailable" });
  upstream.misconduct = {};
  clock.pass(5);
  expect(await signIn.begin("/")).toMatchObject({ maxAgeSeconds: 600 });
});
