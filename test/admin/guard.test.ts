/** Admits programs of this machine that can read the token, and no page of a browser; and never publishes secrets. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { rawExchange } from "#test/http/request/raw-exchange.ts";
import { bearer, join, type Member, PASSWORD } from "#test/metered/client.ts";
import { onBothAdminServers, openAdminFixture, tokenFile } from "./server.ts";

setDefaultTimeout(30_000);

onBothAdminServers("the door", (server) => {
  let member: Member;
  beforeAll(async () => {
    member = await join(server.replica.url);
  });

  const port = () => new URL(server.url).port;

  async function requested(headers: Record<string, string>, path = "/admin/accounts") {
    const answer = await fetch(`${server.url}${path}`, { headers });
    const { result, code } = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, result, code, headers: answer.headers };
  }

  describe("the token", () => {
    test("is required for every request, also for unknown paths", async () => {
      const { token } = server;
      const other = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
      const wrong = ["", "Bearer", "Bearer ", token, `Basic ${token}`, `Bearer ${other}`, `Bearer ${token}x`];
      const keys = [member.key, member.token].map((text) => `Bearer ${text}`);
      for (const authorization of [...wrong, ...keys, `Bearer ${"x".repeat(5000)}`]) {
        for (const path of ["/admin/accounts", "/nothing"]) {
          const refused = await requested({ authorization }, path);
          expect(refused).toMatchObject({ status: 401, result: "error", code: "invalid_credentials" });
          expect(refused.headers.get("www-authenticate")).toBe("Bearer");
        }
      }
      expect((await requested({})).status).toBe(401);
      expect((await requested({ authorization: `bearer ${token}` })).status).toBe(200);
    });

    test("is nothing at the public port", async () => {
      const answer = await fetch(`${server.replica.url}/v1/account`, { headers: bearer(server.token) });
      expect(answer.status).toBe(401);
      expect(
        (await fetch(`${server.replica.url}/admin/accounts`, { headers: bearer(server.token) })).status,
      ).toBe(404);
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
        expect((await requested({ host: `${name}:${port()}`, ...bearer(server.token) })).status).toBe(200);
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
    ])("%s is not, with the token or without: 421", async (name) => {
      const host = name.replace("PORT", port());
      for (const headers of [{}, bearer(server.token)]) {
        expect(await requested({ host, ...headers })).toMatchObject({
          status: 421,
          code: "misdirected_request",
        });
      }
    });

    test("none at all, or two of them", async () => {
      const authorization = `Authorization: Bearer ${server.token}\r\nConnection: close`;
      for (const hosts of ["", `Host: example.org\r\nHost: localhost:${port()}\r\n`]) {
        const request = `GET /admin/accounts HTTP/1.1\r\n${hosts}${authorization}\r\n\r\n`;
        expect(await rawExchange(Number(port()), request)).toMatch(/^HTTP\/1\.1 4\d\d /);
      }
    });
  });

  describe("what a browser sends of a page is 403 with the token or without, and no page may read the answer", () => {
    test.each([
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "OWN" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-origin" },
    ])("%j", async (sent) => {
      const own = Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [name, value === "OWN" ? server.url : value]),
      );
      for (const headers of [{}, bearer(server.token)]) {
        const refused = await requested({ ...own, ...headers });
        expect(refused).toMatchObject({ status: 403, code: "forbidden" });
        expect(refused.headers.get("access-control-allow-origin")).toBeNull();
      }
    });

    test("a preflight", async () => {
      const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
      const answer = await fetch(`${server.url}/admin/accounts`, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("access-control-allow-headers")]).toEqual([403, null]);
    });

    test("a navigation to a typed address is refused only without the token", async () => {
      expect((await requested({ "sec-fetch-site": "none" })).status).toBe(401);
      expect((await requested({ "sec-fetch-site": "none", ...bearer(server.token) })).status).toBe(200);
    });
  });

  test("no answer and no line of the log holds a key, a password or its hash, a session, an envelope or the token", async () => {
    const { organizationId: id } = member;
    const { accounts } = await server.get("/admin/accounts");
    const { keys } = await server.get(`/admin/organizations/${id}/keys`);
    await server.get(`/admin/accounts/find?who=${encodeURIComponent(member.key)}`);
    await server.get(`/admin/accounts/find?who=${id}`);
    await server.post(`/admin/organizations/${id}/tier`, { tier: "basic" });
    for (const verb of ["suspend", "resume"]) {
      await server.post(`/admin/organizations/${id}/${verb}`);
      await server.post(`/admin/identities/${accounts[0].identity.id}/${verb}`);
    }
    await server.post(`/admin/keys/${keys[0].id}/revoke`);
    await server.post(`/admin/keys/${member.key}/revoke`, undefined, 404);
    await server.get("/admin/audit?limit=1000");
    const ledger = server.replica.crossrate.accounts?.ledger;
    const [kept] = (await ledger?.keys.list(id)) ?? [];
    const envelope = JSON.parse(kept?.envelope ?? "{}");
    const secrets = [
      member.key,
      member.token,
      PASSWORD,
      server.token,
      "argon2",
      envelope.ct,
      envelope.wrapped_dek,
    ];
    expect(server.answers.length).toBeGreaterThan(10);
    for (const secret of secrets) {
      expect(typeof secret).toBe("string");
      expect([...server.answers, ...server.replica.emitted].filter((text) => text.includes(secret))).toEqual(
        [],
      );
    }
    for (const text of server.answers) expect(text).not.toMatch(/hash|envelope|secret|lookup|password"?:/);
  });

  test("every answer forbids caches to store it", async () => {
    for (const headers of [{}, bearer(server.token)]) {
      const { headers: received } = await requested(headers);
      expect([received.get("cache-control"), received.get("content-type")]).toEqual([
        "no-store",
        "application/json",
      ]);
      expect(received.get("x-content-type-options")).toBe("nosniff");
      expect(received.get("x-request-id")).toMatch(/^\w{16}$/);
    }
  });

  test("a link in the token's place is replaced, not followed", async () => {
    const own = await openAdminFixture();
    await own.replica.close();
    expect(existsSync(tokenFile(own.dataDir))).toBe(false);
    const elsewhere = `${own.dataDir}/elsewhere`;
    writeFileSync(elsewhere, "mine", { mode: 0o644 });
    symlinkSync(elsewhere, tokenFile(own.dataDir));
    const { writeToken } = await import("#admin/access.ts");
    await writeToken(tokenFile(own.dataDir), "another", (bytes) => new Uint8Array(bytes));
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
    expect(statSync(tokenFile(own.dataDir)).mode & 0o777).toBe(0o600);
  });
});
