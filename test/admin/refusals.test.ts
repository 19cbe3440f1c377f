/** What the operators' listener refuses, in the API's envelope: unknown ids, bodies and parameters of another shape, other methods. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { bearer, type Json, join, type Member } from "#test/metered/client.ts";
import { onBothAdminServers } from "./server.ts";

setDefaultTimeout(30_000);

onBothAdminServers("what is refused", (server) => {
  let member: Member;
  beforeAll(async () => {
    member = await join(server.replica.url);
  });

  describe("refusals have the API's envelope", () => {
    const error = (code: string) => ({ result: "error", code, message: expect.any(String) });

    test.each([
      ["/admin/organizations/org_nothing/tier", { tier: "pro" }],
      ["/admin/organizations/org_nothing/suspend", undefined],
      ["/admin/organizations/org_nothing/resume", undefined],
      ["/admin/identities/idn_nothing/suspend", undefined],
      ["/admin/identities/idn_nothing/resume", undefined],
      ["/admin/identities/idn_nothing/reset-link", undefined],
      ["/admin/identities/org_nothing/suspend", undefined],
      ["/admin/keys/key_nothing/revoke", undefined],
      ["/admin/keys/%00/revoke", undefined],
      ["/admin/keys//revoke", undefined],
      ["/admin/nothing", undefined],
    ])("%s: an unknown id is 404", async (path, body) => {
      expect(await server.post(path, body, 404)).toEqual(error("not_found"));
    });

    test("keys of an organization that is not there", async () => {
      expect(await server.get("/admin/organizations/org_nothing/keys", 404)).toEqual(error("not_found"));
      expect(await server.get("/v1/latest", 404)).toEqual(error("not_found"));
    });

    test.each([{ tier: "gold" }, { tier: 1 }, {}, [["pro"]], null, "pro"])(
      "a tier that is none: 422 at /tier, and nothing changes (%j)",
      async (body) => {
        const path = `/admin/organizations/${member.organizationId}/tier`;
        expect(await server.post(path, body, 422)).toEqual({
          ...error("validation_error"),
          errors: [{ path: "/tier", message: "one of free, basic, plus, pro is needed" }],
        });
      },
    );

    test("a body that is no JSON, not declared as such, or too large", async () => {
      const send = async (body: string, type = "application/json") => {
        const url = `${server.url}/admin/organizations/${member.organizationId}/tier`;
        const headers = { ...bearer(server.token), "content-type": type };
        const answer = await fetch(url, { method: "POST", headers, body });
        return [answer.status, ((await answer.json()) as Json).code];
      };
      expect(await send("{tier")).toEqual([400, "invalid_request"]);
      expect(await send("tier=pro", "application/x-www-form-urlencoded")).toEqual([
        415,
        "unsupported_media_type",
      ]);
      expect(await send('{"tier":"pro"}', "text/plain")).toEqual([415, "unsupported_media_type"]);
      expect(await send(`"${"x".repeat(5000)}"`)).toEqual([413, "payload_too_large"]);
    });

    test.each([
      "/admin/accounts?limit=0",
      "/admin/accounts?limit=201",
      "/admin/accounts?limit=ten",
      "/admin/accounts?after=%00",
      "/admin/accounts/find?who=%00",
      "/admin/accounts/find",
      "/admin/audit?limit=10001",
      "/admin/audit?subject=everything",
      "/admin/audit?subject=organization:%00",
    ])("%s: 400", async (path) => {
      const { code } = await server.get(path, 400);
      expect(["invalid_request", "missing_parameter"]).toContain(code);
    });

    test("another method: 405 with the one that is allowed", async () => {
      const headers = bearer(server.token);
      const posted = await fetch(`${server.url}/admin/accounts`, { method: "POST", headers });
      expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
      const got = await fetch(`${server.url}/admin/keys/key_1/revoke`, { headers });
      expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
      const head = await fetch(`${server.url}/admin/accounts`, { method: "HEAD", headers });
      expect([head.status, await head.text()]).toEqual([200, ""]);
    });
  });
});
