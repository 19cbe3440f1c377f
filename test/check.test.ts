/** The check's own command line: help, unknown arguments, and one real step from start to sum. */

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { ended } from "#test/clients/process.ts";

const ROOT = resolve(import.meta.dir, "..");

const check = (...args: readonly string[]) =>
  ended([process.execPath, "test/check.ts", ...args], { cwd: ROOT });

test("--help names every step and does nothing", async () => {
  const { code, out } = await check("--help");
  expect(code).toBe(0);
  for (const step of ["lint", "types", "arrows", "unused", "tests", "apart"])
    expect(out).toContain(`\n  ${step} `);
  expect(out).not.toMatch(/^\d+ passed/m);
});

test("an unknown step, option or path is refused with the help text", async () => {
  for (const args of [["--only", "everything"], ["--fast"], ["--only", "tests", "test/nothing"]]) {
    const { code, out, err } = await check(...args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("usage: bun run check");
  }
});

test("one file of tests is run, and no other; the sum is the last line", async () => {
  const { code, out } = await check("--only", "tests", "test/domain/text/csv.test.ts");
  expect(out).toMatch(/^ok +tests .*: \d+ passed, 0 failed$/m);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed$/);
  expect(code).toBe(0);
});

test("the files that begin first are there", async () => {
  const { files } = await Bun.file(`${ROOT}/test/timings.json`).json();
  for (const file of Object.keys(files))
    expect([file, await Bun.file(`${ROOT}/${file}`).exists()]).toEqual([file, true]);
});
