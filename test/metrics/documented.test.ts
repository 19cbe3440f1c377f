/** docs/metrics.md describes every metric that is exported, and no other: names, types, labels; its expressions use what exists. */

import { expect, test } from "bun:test";
import { readDocument, tableAfter } from "#test/docs/document.ts";
import { exportedFamilies, unknownIn } from "./everything.ts";

const DOCUMENT = "docs/metrics.md";
const exported = await exportedFamilies();

test("every metric can have a sample", () => {
  const missing = [...exported.values()].filter(({ samples }) => samples.length === 0);
  // The delay of the event loop needs a beat of the clock.
  expect(missing.map(({ name }) => name)).toEqual(["crossrate_event_loop_delay_seconds"]);
});

test("the table is what is exported: names, types and labels, each with a meaning", async () => {
  const rows = tableAfter(await readDocument(DOCUMENT), "metric");
  const exportedRows = [...exported.values()].map(({ name, type, samples }) => {
    const own = Object.keys(samples[0]?.labels ?? {}).filter((label) => label !== "le");
    const labels = own.map((label) => `\`${label}\``);
    return [name, type, labels.join(", ").replace(/^`([^`]*)`$/, "$1") || "–"];
  });
  expect(rows.map((row) => row.slice(0, 3)).sort()).toEqual(exportedRows.sort());
  for (const [name, , , meaning = ""] of rows) expect(meaning.length, name).toBeGreaterThan(15);
});

test("the expressions that answer questions name what exists", async () => {
  const rows = tableAfter(await readDocument(DOCUMENT), "question");
  expect(rows.length).toBeGreaterThanOrEqual(14);
  for (const [question = "", expression = ""] of rows) {
    expect(question).toEndWith("?");
    expect(expression).toMatch(/\b(?:crossrate|process)_/);
    expect(unknownIn(expression, exported)).toEqual([]);
  }
});
