/** HEAD of operators' pages has the status and headers of GET, and the length of its body or no length. */

import { test } from "bun:test";
import { assertSameHead } from "#test/api/head.ts";
import { openAdminFixture } from "./server.ts";

const server = await openAdminFixture();

const PATHS = [
  ...["/", "/operator", "/operator/", "/operator/sign-in", "/operator/audit", "/operator/figures"],
  ...["/operator/nowhere", "/operator/people/idn_none", "/site/site.css", "/favicon.ico", "/nowhere"],
];

test.each(PATHS)("of %s, signed in or not", async (path) => {
  await assertSameHead(`${server.url}${path}`, {});
  await assertSameHead(`${server.url}${path}`, { cookie: await server.signIn() });
});
