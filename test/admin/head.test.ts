/** HEAD of what operators can GET, pages included, has the status and headers of GET, and the length of its body or none. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ROUTES } from "#admin/server.ts";
import { assertSameHead } from "#test/http/head.ts";
import { bearer } from "#test/metered/client.ts";
import { type AdminFixture, openAdminFixture } from "./server.ts";

setDefaultTimeout(30_000);
let server: AdminFixture;
beforeAll(async () => {
  server = await openAdminFixture();
});
afterAll(() => server.replica.close());

const PATHS = ROUTES.filter(([method]) => method === "GET").map(([, path]) => path.replace("{id}", "none"));
const PAGES = ["/operator", "/operator/", "/operator/sign-in", "/operator/accounts", "/operator/nowhere"];

test("of each of them", async () => {
  expect(PATHS.length).toBeGreaterThan(2);
  for (const path of [...PATHS, ...PAGES, "/admin/nowhere", "/"]) {
    await assertSameHead(`${server.url}${path}`, {}, ONE_ID);
    await assertSameHead(`${server.url}${path}`, bearer(server.token), ONE_ID);
  }
});

/** This listener names each request itself. */
const ONE_ID = { unlike: ["x-request-id"] };
