/** No route accepts a coded body: each that reads a body refuses with 415, as documented, before it reads the bytes. */

import { beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { assertResponseConforms } from "#test/api/openapi/conformance.ts";
import { DASHBOARD_OPERATIONS, OPERATIONS } from "#test/api/openapi/operations.ts";
import { bearer, from, join, type Member } from "#test/metered/client.ts";
import { BILLING_SETTINGS } from "#test/metered/kill-work.ts";
import { fixedClock, replicaOfAllTests } from "#test/metered/replica.ts";

const replica = replicaOfAllTests({ clock: fixedClock(), settings: BILLING_SETTINGS });
let member: Member;
beforeAll(async () => {
  member = await join(replica.url);
});

const WITH_BODY = [...OPERATIONS, ...DASHBOARD_OPERATIONS]
  .filter(({ body }) => body !== undefined)
  .map(({ method, path, body }) => [method.toUpperCase(), path, body?.example] as const);
let callers = 0;

/** From an address of its own: limits are another test's. */
function ask(method: string, path: string, body: Uint8Array<ArrayBuffer> | string, coding: string) {
  callers += 1;
  // Signing in replaces the session that it comes with.
  const takesKey = path.startsWith("/v1/convert");
  const signsIn = path.startsWith("/v1/auth/") && path !== "/v1/auth/password";
  const headers = {
    "content-type": "application/json",
    "content-encoding": coding,
    ...(takesKey || signsIn ? {} : bearer(member.token)),
    ...from(`198.51.100.${callers}`),
  };
  return fetch(`${replica.url}${path.replace(/\{\w+\}/g, "none")}`, { method, headers, body });
}

test("there are such routes", () => {
  expect(WITH_BODY.length).toBeGreaterThanOrEqual(12);
});

describe.each(WITH_BODY)("%s %s", (method, path, example) => {
  test.each(["gzip", "br", "GZIP", "identity, gzip", "made-up"])("refuses the coding %s", async (coding) => {
    const answer = await ask(method, path, gzipSync(JSON.stringify(example)), coding);
    expect(answer.status).toBe(415);
    expect(answer.headers.get("accept-encoding")).toBe("identity");
    const { code, message } = (await answer.clone().json()) as { code: string; message: string };
    expect(code).toBe("unsupported_media_type");
    expect(message).toContain("Content-Encoding");
    await assertResponseConforms(method, path.replace(/\{\w+\}/g, "none"), answer);
  });

  test("takes a body with Content-Encoding identity", async () => {
    for (const coding of ["identity", "Identity", ""]) {
      const answer = await ask(method, path, JSON.stringify(example), coding);
      await answer.arrayBuffer();
      expect(answer.status).not.toBe(415);
    }
  });
});

test("the coding of a body that is too large is refused before its length", async () => {
  const answer = await ask("POST", "/v1/convert", "x".repeat(100_000), "gzip");
  expect(answer.status).toBe(415);
});
