/** The check's own command line: help, unknown arguments, and one real step from start to sum. */

import { expect, test } from "bun:test";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");

async function check(...args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, "test/check.ts", ...args], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status: await child.exited, out, err };
}

test("--help names every step and does nothing", async () => {
  const { status, out } = await check("--help");
  expect(status).toBe(0);
  for (const step of ["lint", "types", "arrows", "unused", "tests", "apart"])
    expect(out).toContain(`\n  ${step} `);
  expect(out).not.toMatch(/^\d+ passed/m);
});

test("an unknown step, option or path is refused with the help text", async () => {
  for (const args of [["--only", "everything"], ["--fast"], ["--only", "tests", "test/nothing"]]) {
    const { status, out, err } = await check(...args);
    expect(status).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("usage: bun run check");
  }
});

test("one file of tests is run, and no other; the sum is the last line", async () => {
  const { status, out } = await check("--only", "tests", "test/domain/text/cursor.test.ts");
  expect(out).toMatch(/^ok +tests .*: \d+ passed, 0 failed$/m);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed$/);
  expect(status).toBe(0);
}, 60_000);

test("the files that begin first are there", async () => {
  const { files } = (await Bun.file(`${ROOT}/test/timings.json`).json()) as { files: Record<string, number> };
  for (const file of Object.keys(files))
    expect([file, await Bun.file(`${ROOT}/${file}`).exists()]).toEqual([file, true]);
});
