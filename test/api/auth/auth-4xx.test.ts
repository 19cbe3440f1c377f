import { describe, expect, test } from "bun:test";
import { openFixture, PASSWORD, SITE } from "#test/accounts/identity/fixture.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { browser, codeIn, commandLine } from "./auth-client.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };

const fixture = await openFixture();
const app = openTestApp({ identity: fixture.deps, clock: fixture.clock });
await fixture.person(ADA.email);
const { token } = await (await app.ask("/v1/auth/sign-in", post(ADA))).json();

describe("401", () => {
  test("a key beside a valid cookie is refused: only Authorization counts", async () => {
    const page = browser(app);
    page.cookie = `__Host-crossrate_session=${token}`;
    const response = await page.ask("/v1/auth/me", undefined, { headers: { authorization: "Bearer fxk_x" } });
    expect(await codeIn(response)).toBe("session_required");
  });
  test.each([
    ["Basic YWRhOmFkYQ=="],
    ["Bearer"],
    ["Bearer "],
    ["Bearer fxs_"],
    ["Bearer eyJhbGciOiJub25lIn0.e30."],
    ["fxs_without_scheme"],
  ])("for Authorization: %s", async (authorization) => {
    await app.refused("/v1/auth/me", "session_required", { headers: { authorization } });
  });
  test("wrong password and unknown address are one answer", async () => {
    const bodies = await Promise.all(
      [ADA.email, "nobody@example.com"].map(async (email) => {
        const wrong = post({ email, password: "a wrong one" });
        return await (await app.refused("/v1/auth/sign-in", "invalid_credentials", wrong)).text();
      }),
    );
    expect(bodies[0]).toBe(bodies[1] as string);
  });
});

describe("403 by cookie from elsewhere", () => {
  test("a dead cookie gets the same answer as a living one", async () => {
    const page = browser(app, "https://evil.example");
    page.cookie = `__Host-crossrate_session=${token.slice(0, -1)}x`;
    const response = await page.ask("/v1/auth/sign-out", undefined, { method: "POST" });
    expect(await codeIn(response)).toBe("forbidden");
  });
  test("a bearer token needs no Origin, and any will do", async () => {
    const ask = commandLine(app, token);
    for (const origin of ["https://evil.example", SITE]) {
      const response = await ask("/v1/auth/sessions", undefined, { method: "DELETE", headers: { origin } });
      expect(response.status).toBe(200);
    }
  });
  test.each(["/v1/auth/sign-in", "/v1/auth/sign-up"])(
    "another site's page cannot sign its visitors in by %s, but can by token",
    async (path) => {
      const page = browser(app, "https://evil.example");
      const body = path.endsWith("in") ? ADA : { email: "mallory@example.com", password: PASSWORD };
      expect(await codeIn(await page.ask(path, body))).toBe("forbidden");
      const byToken = await page.ask(`${path}?cookie=0`, body);
      expect(byToken.status).toBeLessThan(300);
      expect(byToken.headers.getSetCookie()).toEqual([]);
    },
  );
});

describe("404", () => {
  test("for a session that is another's, ended, or none: one answer", async () => {
    await fixture.person("grace@example.com");
    const other = await (
      await app.ask("/v1/auth/sign-in", post({ ...ADA, email: "grace@example.com" }))
    ).json();
    const ask = commandLine(app, token);
    for (const id of [other.session_id, "ses_00000000000000000000", "x", "%00", "%zz"]) {
      const response = await ask(`/v1/auth/sessions/${id}`, undefined, { method: "DELETE" });
      expect(await codeIn(response)).toBe("not_found");
    }
    expect((await commandLine(app, other.token)("/v1/auth/me")).status).toBe(200);
  });
  test.each(["/v1/auth/oidc/start", "/v1/auth/oidc/callback?code=x&state=y", "/v1/auth", "/v1/auth/nothing"])(
    "%s, where no identity provider is configured",
    async (path) => {
      await app.refused(path, "not_found");
    },
  );
});

test("409 signing up with a taken address where no mail can notify its owner", async () => {
  await app.refused("/v1/auth/sign-up", "conflict", post({ ...ADA, email: "ADA@example.com" }));
});

describe("422 names the member", () => {
  test.each<[string, unknown, string]>([
    ["/v1/auth/sign-up", { email: "no address", password: PASSWORD }, "/email"],
    ["/v1/auth/sign-up", { email: "a@b", password: PASSWORD }, "/email"],
    ["/v1/auth/sign-up", { email: "a@b.example\r\nBcc: c@d.example", password: PASSWORD }, "/email"],
    ["/v1/auth/sign-up", { email: `${"a".repeat(250)}@b.example`, password: PASSWORD }, "/email"],
    ["/v1/auth/sign-up", { email: "a@b.example", password: "short" }, "/password"],
    ["/v1/auth/sign-up", { email: "a@b.example", password: "passwordpassword" }, "/password"],
    ["/v1/auth/sign-in", { email: "ada\u0000@example.com", password: PASSWORD }, "/email"],
    ["/v1/auth/password-reset", { email: "" }, "/email"],
    ["/v1/auth/password-reset/confirm", { token: "x", new: "short" }, "/new"],
    ["/v1/auth/password-reset/confirm", { token: "x", new: PASSWORD }, "/token"],
    ["/v1/auth/verify-email", { token: "fxo_", password: PASSWORD }, "/token"],
  ])("%s with %j", async (path, body, member) => {
    const response = await app.refused(path, "validation_error", post(body));
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect(errors.map((issue) => issue.path)).toContain(member);
  });
  test("and never repeats a password or a token", async () => {
    const secret = "short but secret".slice(0, 9);
    const response = await app.refused(
      "/v1/auth/sign-up",
      "validation_error",
      post({ email: "a@b.example", password: secret }),
    );
    expect(await response.text()).not.toContain(secret);
  });
});
