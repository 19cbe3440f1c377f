/** Bars and quotes over HTTP while a date's file is damaged: 503 for what needs it, in every form, and answers for the rest. */

import { describe, expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { formatDay } from "#domain/time/day.ts";
import { selectOf } from "#store/archive/quotes.ts";
import { openTestApp, testExports } from "#test/api/harness.ts";
import { at, DAY, MINUTE, openTemporary, quote } from "#test/store/archive/sample.ts";
import { partOf } from "#test/store/archive/table-log.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const directory = temporaryDirectory();
const START = at("2026-04-08T00:00:00Z");
const DAMAGED = "2026-04-09";
const archive = await openTemporary(directory);
for (let day = 0; day < 3; day++)
  for (let nth = 0; nth < 60; nth++)
    await archive.append([quote("USD/EUR", `0.8${nth + 100}`, START + day * DAY + nth * 20 * MINUTE)]);
await archive.flush();
const part = partOf(directory, DAMAGED);
renameSync(part, `${part}.aside`);
const exports = testExports({ sources: [directory], archiveSelect: (plan) => selectOf(archive, plan) });
atEnd(exports.close);
const app = openTestApp({ archive, exports });

const range = (first: string, last: string, more: string) =>
  `/v1/range?symbols=EUR&start_date=${first}&end_date=${last}&${more}`;
const FORMS = [
  "interval=1m",
  "interval=1d&order=desc",
  "interval=1h&limit=1&order=desc",
  "interval=1h&format=csv",
  "interval=5m&format=parquet",
  ...["csv", "ndjson", "parquet", "arrow"].map((format) => `interval=tick&format=${format}`),
];

describe.each(FORMS)("%s", (form) => {
  test("is refused for a window with the damaged date, and Retry-After states when to retry", async () => {
    for (const [first, last] of [
      [DAMAGED, DAMAGED],
      ["2026-04-08", "2026-04-10"],
      [DAMAGED, "2026-04-10"],
    ] as const) {
      // A page that is full before it comes to the damaged date does not need it.
      if (form.includes("limit=1") && last === "2026-04-10") continue;
      const refused = await app.refused(range(first, last, form), "data_unavailable");
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await refused.text()).not.toContain(directory);
    }
  });

  test("is answered for the dates around it", async () => {
    for (const day of ["2026-04-08", "2026-04-10"]) {
      const response = await app.ask(range(day, day, form));
      expect(response.status).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });
});

test("a finished export of the window is not taken for an answer once the date is damaged, and is again when it is restored", async () => {
  const path = range(formatDay(START / DAY), "2026-04-10", "interval=tick&format=csv");
  renameSync(`${part}.aside`, part);
  const whole = await (await app.ask(path)).text();
  expect(whole.trim().split("\n")).toHaveLength(1 + 3 * 60);
  const bytes = readFileSync(part);
  rmSync(part);
  await app.refused(path, "data_unavailable");
  writeFileSync(part, bytes);
  expect(await (await app.ask(path)).text()).toBe(whole);
});
