/** docs/architecture.md contains the enforced arrow table verbatim. */

import { expect, test } from "bun:test";
import { arrowTable, printedTable, ROOT } from "./arrow-table.ts";

test("docs/architecture.md shows every row of the arrow table, in order", async () => {
  const text = await Bun.file(`${ROOT}/docs/architecture.md`).text();
  const lines = text.split("\n");
  const start = lines.indexOf("| from | may import | packages |") + 2;
  const end = lines.indexOf("", start);
  expect(lines.slice(start, end)).toEqual([...printedTable(await arrowTable())]);
});
