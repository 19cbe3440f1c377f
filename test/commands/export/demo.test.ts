/** `crossrate export --demo`: the demo's data by the same command, marked as made up; never mistaken for real data. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { environmentOf, NOW, simulatedDirectory } from "#test/commands/lakes.ts";
import { runCommand } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const A_WEEK = ["--symbols", "EUR", "--start", "2024-01-01", "--end", "2024-01-05"];

test("the demo's rates are exported with a mark, and only with --demo", async () => {
  const environment = environmentOf(await simulatedDirectory(NOW));
  const marked = await runCommand(["export", "--demo", ...A_WEEK], environment);
  expect(marked.code).toBe(0);
  expect(marked.out.split("\n")).toHaveLength(6);
  expect(marked.out).toMatch(/^date,base,symbol,rate.*\n2024-01-02,USD,EUR,0\.\d+,ecb_daily,/);
  expect(marked.err).toContain("SIMULATED rates");

  const file = join(temporaryDirectory(), "demo.csv");
  const written = await runCommand(["export", "--demo", ...A_WEEK, "--out", file], environment);
  expect(written.out).toMatch(/demo\.csv: csv, 4 rows, \d+ bytes, SIMULATED rates\n$/);
  expect(await Bun.file(file).text()).toBe(marked.out);

  expect(await runCommand(["export", ...A_WEEK], environment)).toMatchObject({ code: 1, out: "" });
}, 30_000);
