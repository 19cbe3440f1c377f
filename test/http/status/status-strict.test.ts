/** `strict` of /status is 0 or 1; any other value is refused, and must not look like a healthy 200. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/http/harness.ts";

const app = openTestApp();

test.each(["AAA", "2", "true", "yes", "01", "1,1", "%20x"])("400 for strict=%s", async (value) => {
  const response = await app.refused(`/status?strict=${value}`, "invalid_request");
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string }).message).toContain("strict must be one of 0, 1");
});

test.each(["?strict=0", "?strict=", "?strict=1", "?other=AAA", ""])("%p is understood", async (query) => {
  expect([200, 503]).toContain((await app.ask(`/status${query}`)).status);
});
