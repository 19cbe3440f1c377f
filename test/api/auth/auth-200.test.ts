import { describe, expect, test } from "bun:test";
import { readToken } from "#domain/account/token.ts";
import { openBearerTokens } from "#gateways/oidc/jwt.ts";
import { openProvider, openSignIn } from "#gateways/oidc/sign-in.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { random } from "#test/accounts/account/fixture.ts";
import { openFixture, PASSWORD, SITE } from "#test/accounts/identity/fixture.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  newSigningKey,
  startProvider,
} from "#test/gateways/oidc/openid-provider.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import { browser, commandLine } from "./auth-client.ts";

const fixture = await openFixture();
const app = openTestApp({ identity: fixture.deps, clock: fixture.clock, callerOf: () => "192.0.2.7" });

let people = 0;
async function newPerson() {
  people += 1;
  const email = `person-${people}@example.com`;
  await fixture.person(email);
  return { email, password: PASSWORD };
}

async function tokenOf(response: Response): Promise<string> {
  return (await response.clone().json()).token;
}

test("201 signing up without mail opens the account and signs in, by token and by cookie", async () => {
  const page = browser(app);
  const response = await page.ask("/v1/auth/sign-up", { email: "New@Example.com", password: PASSWORD });
  expect(response.status).toBe(201);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const body = await response.json();
  expect(body.identity).toMatchObject({
    email: "new@example.com",
    email_verified: false,
    role: "user",
    created_at: "2026-04-13T16:30:00Z",
  });
  expect(body.expires_at).toBe("2026-05-13T16:30:00Z");
  expect((await page.ask("/v1/auth/me")).status).toBe(200);
  expect((await commandLine(app, body.token)("/v1/auth/me")).status).toBe(200);
});

describe("202", () => {
  test("signing up with mail is one answer, byte for byte, for free and for taken addresses", async () => {
    const mailed = await openFixture("served");
    await mailed.person("taken@example.com");
    const served = openTestApp({ identity: mailed.deps });
    const answers = await Promise.all(
      ["taken@example.com", "freee@example.com"].map(async (email) => {
        const response = await served.ask("/v1/auth/sign-up", post({ email, password: PASSWORD }));
        const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
        return [response.status, headers, (await response.text()).replace(email, "…")] as const;
      }),
    );
    expect(answers[0]).toEqual(answers[1] as (typeof answers)[0]);
    expect(answers[0]?.[0]).toBe(202);
  });
  test.each(["/v1/auth/password-reset", "/v1/auth/verify-email/send"])(
    "%s is one answer for every address, and says so when there is no mail",
    async (path) => {
      const { email } = await newPerson();
      const bodies = await Promise.all(
        [email, "nobody@example.com"].map(async (address) => {
          const response = await app.ask(path, post({ email: address }));
          expect(response.status).toBe(202);
          return await response.text();
        }),
      );
      expect(bodies[0]).toBe(bodies[1] as string);
      expect(bodies[0]).toContain("not_configured");
    },
  );
});

test("mailed links confirm an address and set a password, which the person then changes", async () => {
  const mailed = await openFixture("served");
  const served = openTestApp({ identity: mailed.deps, clock: mailed.clock });
  const [email, other] = ["linked@example.com", "eleven kites over Gouda"];
  await served.ask("/v1/auth/sign-up", post({ email, password: PASSWORD }));
  const link = { token: await mailed.linkTo(email), password: PASSWORD };
  const confirmed = await served.ask("/v1/auth/verify-email", post(link));
  expect(await confirmed.json()).toMatchObject({ identity: { email, email_verified: true } });
  await served.ask("/v1/auth/password-reset", post({ email }));
  const token = await mailed.linkTo(email);
  const reset = await served.ask("/v1/auth/password-reset/confirm", post({ token, new: other }));
  expect(await reset.json()).toEqual({ result: "success", password_set: true });
  const session = await tokenOf(await served.ask("/v1/auth/sign-in", post({ email, password: other })));
  const ask = commandLine(served, session);
  expect((await ask("/v1/auth/password", { current: other, new: PASSWORD })).status).toBe(200);
});

describe("the cookie", () => {
  test("is __Host-, HttpOnly, Secure, SameSite=Lax, for 30 days, and sign-out takes it back", async () => {
    const person = await newPerson();
    const page = browser(app);
    const response = await page.ask("/v1/auth/sign-in", person);
    const [line = ""] = response.headers.getSetCookie();
    expect(line.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
    expect(line).toStartWith("__Host-crossrate_session=fxs_");
    expect(line).not.toContain("Domain");
    const out = await page.ask("/v1/auth/sign-out", undefined, { method: "POST" });
    expect(out.headers.getSetCookie()[0]).toStartWith("__Host-crossrate_session=; Max-Age=0; ");
    expect(page.cookie).toBeNull();
  });
  test("is neither set nor read with cookie=0", async () => {
    const person = await newPerson();
    const page = browser(app);
    await page.ask("/v1/auth/sign-in", person);
    const before = page.cookie;
    const response = await page.ask("/v1/auth/sign-in?cookie=0", person);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(page.cookie).toBe(before);
    expect((await page.ask("/v1/auth/me")).status).toBe(200);
  });
});

describe("session fixation", () => {
  test("each sign-in is a new session, and ends the one that the request came with, of any account", async () => {
    const [victim, stranger] = [await newPerson(), await newPerson()];
    const planted = await tokenOf(await app.ask("/v1/auth/sign-in", post(stranger)));
    const page = browser(app);
    page.cookie = `__Host-crossrate_session=${planted}`;
    const response = await page.ask("/v1/auth/sign-in", victim);
    expect(await tokenOf(response)).not.toBe(planted);
    expect(page.cookie).toBe(`__Host-crossrate_session=${await tokenOf(response)}`);
    expect((await commandLine(app, planted)("/v1/auth/me")).status).toBe(401);
    const me = await (await page.ask("/v1/auth/me")).json();
    expect(me.identity.email).toBe(victim.email);
  });
  test("a failed sign-in does not change the session that it came with", async () => {
    const person = await newPerson();
    const page = browser(app);
    await page.ask("/v1/auth/sign-in", person);
    expect((await page.ask("/v1/auth/sign-in", { ...person, password: "a wrong one" })).status).toBe(401);
    expect((await page.ask("/v1/auth/me")).status).toBe(200);
  });
});

test("sessions end one by one, and all others at once", async () => {
  const person = await newPerson();
  const tokens = [];
  for (let nth = 0; nth < 4; nth++)
    tokens.push(await tokenOf(await app.ask("/v1/auth/sign-in", post(person))));
  const [own = "", other = ""] = tokens;
  const ask = commandLine(app, own);
  const listed = async () =>
    ((await (await ask("/v1/auth/sessions")).json()) as { sessions: { id: string; current: boolean }[] })
      .sessions;
  const otherId = readToken("fxs_", other)?.id;
  const ended = await ask(`/v1/auth/sessions/${otherId}`, undefined, { method: "DELETE" });
  expect(await ended.json()).toEqual({ result: "success", ended: 1 });
  expect((await commandLine(app, other)("/v1/auth/me")).status).toBe(401);
  expect(await listed()).toHaveLength(3);
  const all = await ask("/v1/auth/sessions", undefined, { method: "DELETE" });
  expect(await all.json()).toEqual({ result: "success", ended: 2 });
  expect((await listed()).map(({ current }) => current)).toEqual([true]);
});

describe("an identity provider", async () => {
  const clock = { now: () => fixture.clock.now() } as Parameters<typeof startProvider>[0];
  const provider = startProvider(clock, [await newSigningKey("k-1", "ES256")]);
  const { issuer } = provider;
  const upstream = openProvider({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, clock });
  const bearers = (audience: string) =>
    openBearerTokens({ issuer, audience, algorithms: ["ES256"], keys: upstream.keys, clock });
  const vault = await openVault(keyringOf(`k:${countingKey(1)}`), random);
  const redirectUri = `${SITE}/v1/auth/oidc/callback`;
  const signIn = openSignIn({
    provider: upstream,
    idTokens: bearers(CLIENT_ID),
    redirectUri,
    vault,
    clock,
    random,
  });
  const outside = openTestApp({
    identity: { ...fixture.deps, provider: signIn, bearers: bearers("crossrate-api") },
    clock,
  });

  async function begin(returnTo: string) {
    const start = await outside.ask(`/v1/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`);
    expect(start.status).toBe(302);
    const [cookie = ""] = start.headers.getSetCookie();
    return { cookie: cookie.split(";")[0] as string, line: cookie, url: start.headers.get("location") ?? "" };
  }

  /** Signs a person of the provider in, in a browser that has just begun, and asks who they are. */
  async function signInAs(subject: string) {
    const { cookie, url } = await begin("/");
    const callback = `/v1/auth/oidc/callback${await provider.authorize(url, subject)}`;
    const back = await outside.ask(callback, { headers: { cookie } });
    expect(back.status).toBe(302);
    const headers = { cookie: back.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
    return (await (await outside.ask("/v1/auth/me", { headers })).json()).identity;
  }

  test("signs in the browser that began, once, and sends it back to a path of this site", async () => {
    const { cookie, line, url } = await begin("/account?tab=keys");
    expect(line).toStartWith("__Host-crossrate_signin=");
    for (const flag of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(line).toContain(flag);
    const search = await provider.authorize(url, "subject-1");
    const callback = `/v1/auth/oidc/callback${search}`;
    await outside.refused(callback, "forbidden");
    const back = await outside.ask(callback, { headers: { cookie } });
    expect(back.status).toBe(302);
    expect(back.headers.get("location")).toBe("/account?tab=keys");
    expect(back.headers.get("cache-control")).toBe("no-store");
    const [session = "", cleared = ""] = back.headers.getSetCookie();
    expect(session).toStartWith("__Host-crossrate_session=fxs_");
    expect(cleared).toStartWith("__Host-crossrate_signin=; Max-Age=0");
    const me = await outside.ask("/v1/auth/me", { headers: { cookie: session.split(";")[0] as string } });
    expect(me.status).toBe(200);
    await outside.refused(callback, "forbidden", { headers: { cookie } });
  });
  test("its JWT opens account endpoints; the same person whichever way they came, and neither way when suspended", async () => {
    const seconds = Math.floor(fixture.clock.now() / 1000);
    const claims = {
      iss: provider.issuer,
      aud: "crossrate-api",
      sub: "subject-1",
      iat: seconds,
      exp: seconds + 60,
    };
    const ask = commandLine(outside, await provider.token(claims));
    const me = await (await ask("/v1/auth/me")).json();
    expect(me.identity.id).toMatch(/^idn_/);
    expect((await signInAs("subject-1")).id).toBe(me.identity.id);
    const out = await ask("/v1/auth/sign-out", undefined, { method: "POST" });
    expect(await out.json()).toEqual({ result: "success", signed_out: false });
    const refusal = await ask("/v1/auth/password", { current: "anything", new: PASSWORD });
    expect(refusal.status).toBe(409);

    const suspension = { suspendedAt: fixture.clock.now() };
    await fixture.ledger.identities.change(me.identity.id, suspension, { at: 1, actor: "operator" });
    expect((await ask("/v1/auth/me")).status).toBe(403);
    const again = await begin("/");
    const callback = `/v1/auth/oidc/callback${await provider.authorize(again.url, "subject-1")}`;
    const headers = { cookie: again.cookie };
    expect(await outside.reason(callback, "forbidden", { headers })).toContain("suspended");
  });
  test("the address is the one that the provider vouched for last; another person's stays theirs", async () => {
    const [first = "", second = "", taken = ""] = Array.from(
      { length: 3 },
      () => `${crypto.randomUUID()}@example.com`,
    );
    await app.ask("/v1/auth/sign-up", post({ email: taken, password: PASSWORD }));
    const shown: (string | null)[] = [];
    for (const [email, email_verified] of [
      [first, false],
      [first, true],
      [second, true],
      [taken, true],
    ] as const) {
      provider.misconduct = { claims: { email, email_verified } };
      shown.push((await signInAs("mover")).email);
    }
    provider.misconduct = {};
    expect(shown).toEqual([null, first, second, second]);
    expect((await fixture.ledger.identities.byEmail(first))?.id).toBeUndefined();
  });
  test.each(["start", "callback"])("HEAD of %s begins and ends nothing", async (step) => {
    const head = await outside.ask(`/v1/auth/oidc/${step}`, { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
    expect(head.headers.getSetCookie()).toEqual([]);
  });
});
