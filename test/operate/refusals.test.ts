/** What the operators' listener refuses, each as a page with a sentence: unknown ids, forms of another shape, other methods and paths. */

import { expect, test } from "bun:test";
import { bearer, join } from "#test/metered/client.ts";
import { type Fields, openAdminFixture } from "./server.ts";

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
