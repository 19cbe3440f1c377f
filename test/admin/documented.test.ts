/** docs/accounts.md lists every request of the operators' listener, and no other. */

import { expect, test } from "bun:test";
import { ROUTES } from "#admin/server.ts";
import { readDocument, tableAfter } from "#test/docs/document.ts";

test("the table is what is answered, in order, each with a meaning", async () => {
  const rows = tableAfter(await readDocument("docs/accounts.md"), "request");
  expect(rows.map(([request]) => request)).toEqual(ROUTES.map(([method, path]) => `${method} ${path}`));
  expect(rows.filter(([, meaning = ""]) => meaning.length < 10)).toEqual([]);
});
