/** A window in which nothing was published is an answer without rows that says how to fill it; a file of it has its columns. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

/** The ECB was closed from Friday the 3rd to Monday the 6th. */
const app = openTestApp();
const window = (start: string, end: string, more = "") =>
  `/v1/range?base=EUR&symbols=USD,GBP&start_date=${start}&end_date=${end}${more}`;

describe("JSON", () => {
  test.each([
    window("2026-04-11", "2026-04-12"),
    window("2026-04-03", "2026-04-06"),
    window("2026-04-11", "2026-04-12", "&interval=1mo&aggregate=mean"),
    window("2026-04-11", "2026-04-12", "&as_of=2026-04-13T12:00:00Z"),
    window("2026-04-11", "2026-04-12").replace("USD,GBP", "*"),
    // Published on other days only.
    window("2026-04-13", "2026-04-13").replace("USD,GBP", "TWD"),
  ])("%s", async (path) => {
    const body = await app.get(path);
    expect(body).toMatchObject({ data: [], source: null, has_more: false, next_cursor: null });
    expect(body.notice).toContain("fill=previous");
    expect(body.missing_symbols).toEqual(body.symbols);
    // What is advised works.
    expect((await app.get(`${path}&fill=previous`)).data.length).toBeGreaterThan(0);
  });
  test("a page with rows has no such notice", async () => {
    expect((await app.get(window("2026-04-10", "2026-04-12"))).notice).not.toContain("fill=previous");
  });
});

test.each([
  ["", "date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max"],
  ["&layout=wide", "date,base,GBP,USD"],
])("files: CSV%s has its header", async (more, header) => {
  const file = await app.ask(window("2026-04-11", "2026-04-12", `&format=csv${more}`));
  expect(file.status).toBe(200);
  const lines = (await file.text()).trim().split(/\r?\n/);
  expect(lines).toHaveLength(1);
  for (const column of header.split(",")) expect(lines[0]).toContain(column);
});
