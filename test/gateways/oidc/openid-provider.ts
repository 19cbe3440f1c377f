/** A small real OpenID provider on loopback: discovery, key set, authorization and token endpoint, with ways to misbehave. */

import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { listen } from "#test/support/listen.ts";
import type { TestClock } from "./test-clock.ts";

/** What the provider does wrong with its next answers. */
export interface Misconduct {
  /** Claims in place of the right ones in the ID token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Makes the ID token itself, of the right claims. */
  readonly sign?: (claims: JWTPayload) => Promise<string> | string;
  /** Members in place of those of the discovery document. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Answers in place of an endpoint, by path. */
  readonly answers?: Readonly<Record<string, () => Response | Promise<Response>>>;
}

export const CLIENT_ID = "crossrate-dashboard";
export const CLIENT_SECRET = "client secret with + and %";

export type SigningKey = Awaited<ReturnType<typeof newSigningKey>>;

export async function newSigningKey(kid: string, alg = "RS256") {
  return { kid, alg, ...(await generateKeyPair(alg, { extractable: true })) };
}

interface Code {
  readonly challenge: string;
  readonly nonce: string | null;
  readonly redirectUri: string;
  readonly sub: string;
}

export type OpenIdProvider = ReturnType<typeof startProvider>;

export function startProvider(clock: TestClock, keys: readonly SigningKey[]) {
  const codes = new Map<string, Code>();
  const { url: issuer, stop } = listen(answer);
  const seconds = () => Math.floor(clock.now() / 1000);

  const provider = {
    issuer,
    keys,
    /** Where its endpoints are. */
    prefix: "",
    misconduct: {} as Misconduct,
    requests: [] as string[],
    /** What a browser does with the authorization address: signs in as `sub` and gives the callback's query. */
    async authorize(address: string, sub = "subject-1") {
      const url = new URL(address);
      url.searchParams.set("sub", sub);
      const redirect = await fetch(url, { redirect: "manual" });
      return new URL(redirect.headers.get("location") ?? "http://none/").search;
    },
    async token(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}) {
      const [key] = provider.keys;
      if (key === undefined) throw new Error("the provider has no key");
      return new SignJWT(claims)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    stop,
  };

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    provider.requests.push(url.pathname);
    const instead = provider.misconduct.answers?.[url.pathname];
    if (instead !== undefined) return instead();
    if (url.pathname === "/.well-known/openid-configuration") return Response.json(metadata());
    const path = url.pathname.startsWith(provider.prefix) ? url.pathname.slice(provider.prefix.length) : "";
    if (path === "/jwks") return Response.json({ keys: await publicKeys() });
    if (path === "/authorize") return authorizationAnswer(url.searchParams);
    if (path === "/token") return tokenAnswer(new URLSearchParams(await request.text()), request.headers);
    return new Response(null, { status: 404 });
  }

  function metadata(): Record<string, unknown> {
    const base = issuer + provider.prefix;
    return {
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "ES256"],
      code_challenge_methods_supported: ["S256"],
      ...provider.misconduct.metadata,
    };
  }

  function publicKeys() {
    return Promise.all(
      provider.keys.map(async ({ kid, alg, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg,
        use: "sig",
      })),
    );
  }

  function authorizationAnswer(query: URLSearchParams): Response {
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (query.get("sub") === "denied") back.searchParams.set("error", "access_denied");
    else {
      const code = `code-${codes.size + 1}-${query.get("state")}`;
      codes.set(code, {
        challenge: query.get("code_challenge") ?? "",
        nonce: query.get("nonce"),
        redirectUri,
        sub: query.get("sub") ?? "",
      });
      back.searchParams.set("code", code);
    }
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  /** Where a provider that says nothing reads the secret: OpenID Connect Discovery 1.0, section 3. */
  function isClient(body: URLSearchParams, headers: Headers): boolean {
    const methods = metadata()["token_endpoint_auth_methods_supported"] as readonly string[] | undefined;
    if (methods?.includes("client_secret_post") === true)
      return body.get("client_id") === CLIENT_ID && body.get("client_secret") === CLIENT_SECRET;
    const sent = Buffer.from(headers.get("authorization")?.replace("Basic ", "") ?? "", "base64").toString();
    const [id, secret] = sent.split(":").map((part) => new URLSearchParams(`v=${part}`).get("v"));
    return id === CLIENT_ID && secret === CLIENT_SECRET;
  }

  async function tokenAnswer(body: URLSearchParams, headers: Headers): Promise<Response> {
    if (!isClient(body, headers)) return Response.json({ error: "invalid_client" }, { status: 401 });
    const code = codes.get(body.get("code") ?? "");
    // A code is good for one exchange, right or wrong.
    codes.delete(body.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== body.get("redirect_uri"))
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const claims: JWTPayload = {
      iss: issuer,
      aud: CLIENT_ID,
      sub: code.sub,
      email: "someone@example.com",
      email_verified: true,
      nonce: code.nonce ?? undefined,
      iat: seconds(),
      exp: seconds() + 300,
      ...provider.misconduct.claims,
    };
    const idToken = await (provider.misconduct.sign?.(claims) ?? provider.token(claims));
    return Response.json({
      access_token: "opaque",
      token_type: "Bearer",
      expires_in: 300,
      id_token: idToken,
    });
  }

  return provider;
}

/** `alg: none`, as a forger writes it. */
export function unsigned(claims: JWTPayload, header: Record<string, unknown> = { alg: "none" }): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.`;
}
