/** docs/architecture.md contains the enforced arrow table verbatim, and the short way of a ready body. */

import { expect, test } from "bun:test";
import { arrowTable, printedTable, ROOT } from "./arrow-table.ts";

test("docs/architecture.md shows every row of the arrow table, in order", async () => {
  const text = await Bun.file(`${ROOT}/docs/architecture.md`).text();
  const lines = text.split("\n");
  const start = lines.indexOf("| from | may import | packages |") + 2;
  const end = lines.indexOf("", start);
  expect(lines.slice(start, end)).toEqual([...printedTable(await arrowTable())]);
});

test("a ready body passes at most seven files, which docs/architecture.md lists", async () => {
  const text = await Bun.file(`${ROOT}/docs/architecture.md`).text();
  const [, listed = ""] = /with a ready body passes seven files: ([^:]*?)\. Behind/s.exec(text) ?? [];
  const files = Array.from(listed.matchAll(/`(src\/[^`]+)`/g), ([, path = ""]) => path);
  expect(files.length).toBe(7);
  expect(new Set(files).size).toBe(files.length);
  // Beginning with the application, each file of the list is imported by one before it.
  const before: string[] = [];
  for (const path of files.slice(files.indexOf("src/api/server.ts"))) {
    const names = before.map((other) => Bun.file(`${ROOT}/${other}`).text());
    const known = (await Promise.all(names)).some((source) => source.includes(`/${path.split("/").at(-1)}"`));
    expect([path, known || before.length === 0]).toEqual([path, true]);
    before.push(path);
  }
});
