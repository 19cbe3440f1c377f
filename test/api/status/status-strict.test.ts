/** `strict` of /status is 0 or 1; any other value is refused, and must not look like a healthy 200. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

const app = openTestApp();

test.each(["", "AAA", "2", "true", "yes", "01", "1,1", "%20x"])("400 for strict=%s", async (value) => {
  const response = await app.refused(`/status?strict=${value}`, "invalid_request");
  expect(response.status).toBe(400);
  expect((await response.json()).message).toContain("strict must be one of 0, 1");
});

test.each(["?strict=0", "?strict=1", "?other=AAA", ""])("%p is understood", async (query) => {
  expect([200, 503]).toContain((await app.ask(`/status${query}`)).status);
});

test("the result is success with 200, and of a lake that cannot be read 503 with an envelope of a refusal", async () => {
  const up = await app.ask("/status");
  expect((await up.json()) as object).toMatchObject({ result: up.status === 200 ? "success" : "error" });
  const broken = openTestApp({ probeLake: () => Promise.reject(new Error("the disk is gone")) });
  const down = await broken.ask("/status");
  expect(down.status).toBe(503);
  expect(await down.json()).toMatchObject({
    result: "error",
    code: "service_unavailable",
    message: "this server is unready: see checks",
    status: "unready",
    checks: { lake: { status: "failed", detail: "the disk is gone" } },
  });
});
