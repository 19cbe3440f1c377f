/** Bearer JWTs against a real provider on loopback: the right ones pass, and each forgery is refused for its own reason. */

import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { exportJWK, exportSPKI, type JWTPayload, SignJWT } from "jose";
import { issuerFaults } from "#gateways/oidc/fetch.ts";
import { openBearerTokens } from "#gateways/oidc/jwt.ts";
import { openProvider } from "#gateways/oidc/sign-in.ts";
import type { BearerTokens } from "#ports/identity.ts";
import { CLIENT_ID, newSigningKey, type OpenIdProvider, startProvider, unsigned } from "./openid-provider.ts";
import { newTestClock, type TestClock } from "./test-clock.ts";

const AUDIENCE = "https://rates.example.com";
// Keys are dear to make: each is made once.
const [rsa, ec, successor, stranger] = await Promise.all([
  newSigningKey("rsa-1"),
  newSigningKey("ec-1", "ES256"),
  newSigningKey("rsa-2"),
  newSigningKey("rsa-1"),
]);

let clock: TestClock;
let provider: OpenIdProvider;
let bearer: BearerTokens;

beforeEach(() => {
  clock = newTestClock();
  provider = startProvider(clock, [rsa, ec]);
  bearer = bearerOf(provider.issuer);
});
afterEach(() => {
  setSystemTime();
});

function bearerOf(issuer: string, algorithms: readonly string[] = ["RS256", "ES256"]): BearerTokens {
  const { keys } = openProvider({ issuer, clientId: CLIENT_ID, clientSecret: null, clock });
  return openBearerTokens({ issuer, audience: AUDIENCE, algorithms, keys, clock });
}

function claims(changes: Readonly<Record<string, unknown>> = {}): JWTPayload {
  const now = Math.floor(clock.now() / 1000);
  return { iss: provider.issuer, aud: AUDIENCE, sub: "subject-1", iat: now, exp: now + 300, ...changes };
}

async function refusalOf(jwt: string): Promise<string> {
  const outcome = await bearer.verify(jwt);
  if (!("refused" in outcome)) return "accepted";
  return outcome.refused === "unacceptable" ? outcome.detail : outcome.refused;
}

test("a right token gives issuer, subject and address", async () => {
  const address = { email: "a@example.com", email_verified: true };
  const identity = await bearer.verify(await provider.token(claims(address)));
  expect(identity).toEqual({ iss: provider.issuer, sub: "subject-1", ...address });
});

test("an elliptic key signs as well, and one audience of several is enough", async () => {
  provider.keys = [ec, rsa];
  expect(await refusalOf(await provider.token(claims({ aud: ["other", AUDIENCE] })))).toBe("accepted");
});

const A = "a@example.com";
test.each<[email: unknown, email_verified: unknown, kept: string | null, isVerified: boolean]>([
  ...[undefined, "true", 1, false].map((said): [string, unknown, string, false] => [A, said, A, false]),
  ["用户@例子.广告", true, "用户@例子.广告", true],
  [undefined, true, null, false],
  // What is no bare address is not kept as one.
  ...[
    `${A}\r\nBcc: b@example.com`,
    "a\0@example.com",
    "a\u001b[2J@example.com",
    `${A}, b@example.com`,
    `Ada <${A}>`,
    "\ud800@example.com",
    "somebody",
    "a@b@example.com",
    // Stored it would be another one.
    "\u212Aate@example.com",
    "a\u037E@example.com",
  ].map((email): [string, true, null, false] => [email, true, null, false]),
])(
  "the address %j with email_verified %j is kept as %j, verified: %p",
  async (email, said, kept, isVerified) => {
    const jwt = await provider.token(claims({ email, email_verified: said }));
    expect(await bearer.verify(jwt)).toMatchObject({ email: kept, email_verified: isVerified });
  },
);

test.each([
  ["claim iss", { iss: "https://other.example" }],
  ["claim iss", { iss: undefined }],
  ["claim aud", { aud: "another" }],
  ["claim aud", { aud: undefined }],
  ["claim sub", { sub: undefined }],
  ["no usable subject", { sub: "" }],
  // What a database cannot store, or would store as another subject.
  ["no usable subject", { sub: "subject\0-1" }],
  ["no usable subject", { sub: "subject-\ud800" }],
  ["no usable subject", { sub: "subject\n1" }],
  ["claim exp", { exp: undefined }],
  ["a JWT for another use", { events: { "http://schemas.openid.net/event/backchannel-logout": {} } }],
] as const)("%s: a token with %p is refused", async (reason, changes) => {
  expect(await refusalOf(await provider.token(claims(changes)))).toBe(reason);
});

test("a token is good until 30 seconds after its end, and from 30 seconds before its beginning", async () => {
  const now = Math.floor(clock.now() / 1000);
  const ending = await provider.token(claims({ exp: now + 100 }));
  const beginning = await provider.token(claims({ nbf: now + 100, exp: now + 1000 }));
  expect(await refusalOf(beginning)).toBe("claim nbf");
  clock.pass(71);
  expect(await refusalOf(beginning)).toBe("accepted");
  clock.pass(58);
  expect(await refusalOf(ending)).toBe("accepted");
  clock.pass(1);
  expect(await refusalOf(ending)).toBe("ERR_JWT_EXPIRED");
});

test("an unsigned token is refused", async () => {
  expect(await refusalOf(unsigned(claims()))).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
  expect(await refusalOf(unsigned(claims(), { alg: "None" }))).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
  const [header, payload] = (await provider.token(claims())).split(".");
  expect(await refusalOf(`${header}.${payload}.`)).not.toBe("accepted");
});

test("HS256 with the public key as its secret is refused", async () => {
  const secret = new TextEncoder().encode(await exportSPKI(rsa.publicKey));
  const jwt = await new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: rsa.kid }).sign(secret);
  expect(await refusalOf(jwt)).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
});

test("an algorithm that is not pinned is refused, even with a key of the provider", async () => {
  bearer = bearerOf(provider.issuer, ["ES256"]);
  expect(await refusalOf(await provider.token(claims()))).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
});

test("another's signature under a known key's name is refused, and so is any change of a token", async () => {
  const jwt = await provider.token(claims());
  const forged = await new SignJWT(claims())
    .setProtectedHeader({ alg: "RS256", kid: "rsa-1" })
    .sign(stranger.privateKey);
  expect(await refusalOf(forged)).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  const [header, , signature] = jwt.split(".");
  const payload = Buffer.from(JSON.stringify(claims({ sub: "admin" }))).toString("base64url");
  expect(await refusalOf(`${header}.${payload}.${signature}`)).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
});

test("a key named in the token itself is not used", async () => {
  const jwk = await exportJWK(stranger.publicKey);
  const jwt = await new SignJWT(claims())
    .setProtectedHeader({ alg: "RS256", kid: "unheard-of", jwk, jku: "https://evil.example/jwks" })
    .sign(stranger.privateKey);
  expect(await refusalOf(jwt)).toBe("ERR_JWKS_NO_MATCHING_KEY");
});

test.each(["", "x", "a.b.c", "....", "fxs_0000", "ü".repeat(100), "a".repeat(20_000)])(
  "%p is malformed",
  async (text) => {
    expect(await bearer.verify(text)).toMatchObject({ refused: "unacceptable" });
  },
);

test.each([
  ["logout+jwt", "a JWT for another use"],
  ["secevent+jwt", "a JWT for another use"],
  ["JWT", "accepted"],
  ["at+jwt", "accepted"],
])("a JWT of the type %s is %s", async (typ, outcome) => {
  expect(await refusalOf(await provider.token(claims(), { typ }))).toBe(outcome);
});

test("a new key of the provider is fetched when it first signs, once", async () => {
  expect(await refusalOf(await provider.token(claims()))).toBe("accepted");
  provider.keys = [successor];
  clock.pass(31);
  const jwt = await provider.token(claims());
  const outcomes = await Promise.all([jwt, jwt, jwt].map(refusalOf));
  expect(outcomes).toEqual(["accepted", "accepted", "accepted"]);
  expect(provider.requests.filter((path) => path === "/jwks")).toHaveLength(2);
});

test("a key that was withdrawn is refused once the set is ten minutes old", async () => {
  const jwt = await provider.token(claims({ exp: Math.floor(clock.now() / 1000) + 3600 }));
  expect(await refusalOf(jwt)).toBe("accepted");
  provider.keys = [successor];
  clock.pass(599);
  expect(await refusalOf(jwt)).toBe("accepted");
  clock.pass(1);
  expect(await refusalOf(jwt)).toBe("ERR_JWKS_NO_MATCHING_KEY");
});

test("tokens with invented key names cause a request to the provider at most every 30 seconds", async () => {
  await refusalOf(await provider.token(claims()));
  const jwt = await provider.token(claims(), { kid: "invented" });
  for (let round = 0; round < 20; round++) expect(await refusalOf(jwt)).toBe("ERR_JWKS_NO_MATCHING_KEY");
  expect(provider.requests.filter((path) => path === "/jwks")).toHaveLength(1);
  clock.pass(30);
  for (let round = 0; round < 20; round++) expect(await refusalOf(jwt)).toBe("ERR_JWKS_NO_MATCHING_KEY");
  expect(provider.requests.filter((path) => path === "/jwks")).toHaveLength(2);
});

test("a provider that was down is found again with the next token", async () => {
  const down = () => new Response(null, { status: 503 });
  const jwt = await provider.token(claims());
  for (const path of ["/.well-known/openid-configuration", "/jwks"]) {
    provider.misconduct = { answers: { [path]: down } };
    expect(await refusalOf(jwt)).toBe("provider_unavailable");
  }
  provider.misconduct = {};
  expect(await refusalOf(jwt)).toBe("accepted");
});

test.each([
  ["no answer", "/jwks", () => new Response(null, { status: 500 })],
  ["no key set", "/jwks", () => new Response("<html>")],
  ["a key set of another shape", "/jwks", () => Response.json({ keys: "none" })],
  ["a redirect", "/jwks", () => Response.redirect("/elsewhere")],
  ["a flood", "/jwks", () => new Response("x".repeat(300_000))],
  ["no discovery", "/.well-known/openid-configuration", () => new Response(null, { status: 404 })],
  [
    "another issuer's discovery",
    "/.well-known/openid-configuration",
    () => Response.json({ issuer: "https://other.example" }),
  ],
])("a provider that gives %s is unavailable, not wrong about the token", async (_, path, answer) => {
  provider.misconduct = { answers: { [path]: answer } };
  expect(await refusalOf(await provider.token(claims()))).toBe("provider_unavailable");
});

test("keys are not fetched over plain http from another machine", async () => {
  provider.misconduct = { metadata: { jwks_uri: "http://keys.example.com/jwks" } };
  expect(await bearer.verify(await provider.token(claims()))).toEqual({
    refused: "provider_unavailable",
    detail: "http://keys.example.com is not requested over plain http",
  });
});

test.each([
  ["https://login.example.com", 0],
  ["https://login.example.com/realms/a", 0],
  ["http://127.0.0.1:8080", 0],
  ["http://localhost:8080", 0],
  ["http://login.example.com", 1],
  ["http://127.0.0.1.example.com", 1],
  ["https://login.example.com?a=b", 1],
  ["login.example.com", 1],
])("the issuer %s has %d faults", (issuer, count) => {
  expect(issuerFaults(issuer)).toHaveLength(count);
});
