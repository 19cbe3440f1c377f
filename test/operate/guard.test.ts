/**
 * What the operators' listener refuses, each as a page with a sentence: unknown ids, forms of another shape, other methods and
 * paths. It admits people who can read the token on this machine, and no page of another origin; and never publishes secrets.
 */

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { operatorApp, writeToken } from "#operate/server.ts";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { bearer, join, PASSWORD } from "#test/metered/client.ts";
import { type Fields, openAdminFixture, tokenFile } from "./server.ts";

const server = await openAdminFixture();
const member = await join(server.replica.url);

const owner = (await server.ledger().organizations.byId(member.organizationId))?.ownerId;
const person = `/operator/people/${owner}`;

async function refused(answer: Response): Promise<number> {
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.text()).toMatch(/role="alert">[^<]{10,}/);
  return answer.status;
}

test.each<[string, Fields]>([
  ["/operator/people/idn_none/organization/tier", { tier: "pro" }],
  ["/operator/people/idn_none/organization/suspend", {}],
  ["/operator/people/idn_none/organization/resume", {}],
  ["/operator/people/idn_none/suspend", {}],
  ["/operator/people/idn_none/resume", {}],
  ["/operator/people/idn_none/reset-link", {}],
  ["/operator/people/idn_none/revoke", { key: "key_none" }],
  ["/operator/people/org_none/suspend", {}],
  ["/operator/people/%00/suspend", {}],
  ["/operator/people//suspend", {}],
  ["/operator/people/idn_none/constructor", {}],
  ["/operator/nothing", {}],
])("POST %s: an unknown id or form is 404", async (path, fields) => {
  expect(await refused(await server.submit(path, fields))).toBe(404);
});

test.each(["/admin/accounts", "/admin/audit", "/admin/organizations/org_1/tier", "/v1/latest", "/nothing"])(
  "%s, which is no page, is 404 for everybody",
  async (path) => {
    for (const headers of [{}, { cookie: "" }, bearer(server.token)]) {
      expect(await refused(await server.open(path, headers))).toBe(404);
      expect(await refused(await server.submit(path, {}, headers))).toBe(404);
    }
  },
);

test("the token in a header opens no page and no form", async () => {
  const headers = { cookie: "", ...bearer(server.token) };
  const page = await server.open("/operator", headers);
  expect([page.status, page.headers.get("location")]).toEqual([303, "/operator/sign-in"]);
  expect((await server.submit(`${person}/suspend`, {}, headers)).status).toBe(401);
});

test.each<Fields>([{ tier: "gold" }, { tier: "" }, { tier: "toString" }, {}])(
  "a plan that does not exist: 422 on the person's page, and nothing changes (%j)",
  async (fields) => {
    const answer = await server.submit(`${person}/organization/tier`, fields);
    expect(await answer.clone().text()).toContain("the plan must be one of free, basic, plus, pro");
    expect(await refused(answer)).toBe(422);
    expect((await server.ledger().organizations.byId(member.organizationId))?.tier).toBe("free");
  },
);

test("a form that is no form, is compressed, or is too large", async () => {
  const cookie = await server.signIn();
  const send = async (body: string, headers: Record<string, string>) =>
    await refused(
      await fetch(`${server.url}${person}/organization/tier`, {
        method: "POST",
        headers: { cookie, origin: server.url, ...headers },
        body,
      }),
    );
  const form = "application/x-www-form-urlencoded";
  expect(await send('{"tier":"pro"}', { "content-type": "application/json" })).toBe(415);
  expect(await send("tier=pro", { "content-type": "text/plain" })).toBe(415);
  expect(await send("tier=pro", { "content-type": form, "content-encoding": "gzip" })).toBe(415);
  expect(await send(`tier=${"x".repeat(5000)}`, { "content-type": form })).toBe(413);
  expect((await server.ledger().organizations.byId(member.organizationId))?.tier).toBe("free");
});

test.each([
  "/operator?after=%00",
  "/operator?who=%00",
  "/operator/audit?subject=everything",
  "/operator/audit?subject=organization:%00",
  "/operator/audit?at=1",
  "/operator/audit?at=one&id=aud_1",
])("%s: 400", async (path) => {
  expect(await refused(await server.open(path))).toBe(400);
});

test("another method: 405 with those that are allowed", async () => {
  const headers = { cookie: await server.signIn(), origin: server.url };
  for (const path of [person, "/operator", "/", "/site/site.css"]) {
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const answer = await fetch(`${server.url}${path}`, { method, headers });
      expect([path, await refused(answer), answer.headers.get("allow")]).toEqual([path, 405, "GET, POST"]);
    }
  }
});

test.each(["constructor", "toString", "__proto__", "nothing"])(
  "?done=%s, which no form leads to, shows no message",
  async (done) => {
    for (const page of [person, "/operator/figures"]) {
      const answer = await server.open(`${page}?done=${done}`);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.not.stringContaining('role="status"'),
      ]);
    }
  },
);

test("a whole key in a refused form is shown by its beginning alone", async () => {
  const answer = await server.submit(`${person}/revoke`, { key: member.key, confirm: "yes" });
  expect(answer.status).toBe(404);
  const html = await answer.text();
  expect(html).toContain(`${member.key.slice(0, 12)}[redacted]`);
  expect(html).not.toContain(member.key);
});

describe("the door", () => {
  const port = () => new URL(server.url).port;
  const signIn = async (token: string) => await server.submit("/operator/sign-in", { token }, { cookie: "" });

  describe("the token", () => {
    test("is needed to sign in: no other text, key or session of a caller is", async () => {
      const { token } = server;
      const other = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
      const wrong = ["", `Bearer ${token}`, other, `${token}x`, member.key, member.token, "x".repeat(3000)];
      for (const text of wrong) {
        const answer = await signIn(text);
        expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
      }
      expect((await signIn(token)).status).toBe(303);
    });

    test("is nothing at the public port", async () => {
      const { url } = server.replica;
      const headers = bearer(server.token);
      expect((await fetch(`${url}/v1/account`, { headers })).status).toBe(401);
      for (const path of ["/operator", "/operator/sign-in", "/operator/audit"])
        expect((await fetch(url + path, { headers })).status, path).toBe(404);
    });

    test("is in a file that only its owner can read, and no other file is left beside it", () => {
      const path = tokenFile(server.dataDir);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
      expect(readFileSync(path, "utf8")).toMatch(/^[0-9A-Za-z]{43}\n$/);
      expect(readdirSync(dirname(path)).sort()).toEqual(["admin.token", "master.key"]);
    });
  });

  describe("Host", () => {
    test.each(["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])(
      "%s with the port is this listener",
      async (name) => {
        expect((await server.open("/operator", { host: `${name}:${port()}` })).status).toBe(200);
      },
    );

    test.each([
      "localhost",
      "127.0.0.1",
      "127.0.0.1:1",
      "rebound.example.org",
      "rebound.example.org:PORT",
      "localhost.example.org:PORT",
      "localhost.:PORT",
      "127.0.0.2:PORT",
      "0.0.0.0:PORT",
      "localhost:PORT@example.org",
    ])("%s is not, signed in or not, for pages, files and other paths: 421", async (name) => {
      const host = name.replace("PORT", port());
      for (const path of ["/operator", "/operator/sign-in", "/site/site.css", "/nothing"])
        for (const headers of [{}, { cookie: "" }])
          expect((await server.open(path, { host, ...headers })).status, path).toBe(421);
    });

    test("two Host headers, or no Host header", async () => {
      for (const hosts of ["", `Host: example.org\r\nHost: localhost:${port()}\r\n`]) {
        const request = `GET /operator HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
        expect(await rawExchange(Number(port()), request)).toMatch(/^HTTP\/1\.1 4\d\d /);
      }
    });
  });

  describe("what a page of another origin sends is 403, signed in or not, and it may not read the answer", () => {
    test.each([
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:1" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ])("%j", async (sent) => {
      for (const headers of [sent, { cookie: "", ...sent }] as Record<string, string>[]) {
        for (const answer of [
          await server.open("/operator", headers),
          await server.submit("/operator", {}, headers),
        ]) {
          expect(answer.status).toBe(403);
          expect(answer.headers.get("access-control-allow-origin")).toBeNull();
        }
      }
    });

    test("a preflight", async () => {
      const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
      const answer = await fetch(`${server.url}/operator`, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("access-control-allow-headers")]).toEqual([403, null]);
    });

    test("a form without an Origin", async () => {
      const headers = { cookie: await server.signIn() };
      const body = new URLSearchParams();
      const answer = await fetch(`${server.url}/operator/sign-out`, { method: "POST", headers, body });
      expect(answer.status).toBe(403);
    });

    test("a navigation to a typed address leads to the sign-in", async () => {
      const typed = { "sec-fetch-site": "none" };
      expect((await server.open("/operator", { cookie: "", ...typed })).status).toBe(303);
      expect((await server.open("/operator", typed)).status).toBe(200);
    });
  });

  test("no answer and no line of the log holds a key, a password or its hash, a session, an envelope or the token", async () => {
    const { organizationId: id } = member;
    const [key] = await server.ledger().keys.list(id);
    const paths = [
      ...["/operator", person, "/operator/audit", "/operator/figures", `/operator?who=${id}`],
      `/operator?after=${member.key}`,
    ];
    const before = server.answers.length;
    for (const path of paths) await server.open(path);
    await server.submit(`${person}/organization/tier`, { tier: "basic" });
    for (const verb of ["suspend", "resume"]) {
      await server.submit(`${person}/organization/${verb}`);
      await server.submit(`${person}/${verb}`);
    }
    await server.submit(`${person}/revoke`, { key: key?.id ?? "" });
    await server.submit(`${person}/revoke`, { key: member.key });
    await server.open(`/operator/${member.key}`);
    const answers = server.answers.slice(before);
    const envelope = JSON.parse(key?.envelope ?? "{}");
    const secrets = [
      ...[member.key, member.token, PASSWORD, server.token, "argon2"],
      ...[envelope.ct, envelope.wrapped_dek],
    ];
    expect(answers.length).toBeGreaterThan(10);
    for (const secret of secrets) {
      expect(typeof secret).toBe("string");
      expect(
        [...answers, JSON.stringify(server.replica.emitted)].filter((text) => text.includes(secret)),
      ).toEqual([]);
    }
  });

  test("a link in the token's place is replaced, not followed", async () => {
    const own = await openAdminFixture();
    await own.replica.close();
    expect(existsSync(tokenFile(own.dataDir))).toBe(false);
    const elsewhere = `${own.dataDir}/elsewhere`;
    writeFileSync(elsewhere, "mine", { mode: 0o644 });
    symlinkSync(elsewhere, tokenFile(own.dataDir));
    await writeToken(tokenFile(own.dataDir), "another", (bytes) => new Uint8Array(bytes));
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
    expect(statSync(tokenFile(own.dataDir)).mode & 0o777).toBe(0o600);
  });
});

/** Of the routes as they are registered, present and future. */
const HOST = "127.0.0.1:9470";
const OPEN = ["/", "/favicon.ico", "/site/:file", "/operator/sign-in"];
const AsyncFunction = (async () => {}).constructor;

const tools = { clock: { now: () => 1 } };
const app = operatorApp({ host: "127.0.0.1", port: 9470, token: "", tools, figures: {} } as never);

test("every handler is an async function: of others Elysia guesses from the source whether they give a promise", () => {
  expect(app.routes.length).toBeGreaterThan(20);
  const plain = app.routes.filter(({ handler }) => !(handler instanceof AsyncFunction));
  expect(plain.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("no route but the sign-in and its files does anything without a session", async () => {
  for (const { method, path } of app.routes) {
    if (OPEN.includes(path)) continue;
    for (const spelling of [path, `${path}/`, `${path}?x=/operator/sign-in`]) {
      const url = `http://${HOST}${spelling.replace(":id", "idn_1")}`;
      const headers = { host: HOST, origin: `http://${HOST}` };
      const { status } = await app.fetch(new Request(url, { method, headers }));
      expect([method, spelling, status]).toEqual([method, spelling, method === "GET" ? 303 : 401]);
    }
  }
});
