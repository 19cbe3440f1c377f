/** What is made once for a run: by one process for all, whole when it is seen, and by the next when the first one fails. */

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RUN_DIRECTORY } from "./once.ts";
import { temporaryDirectory } from "./temporary.ts";

async function processOf(run: string, notes: string, outcome = "") {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "once-child.ts"), notes, outcome], {
    env: { ...process.env, [RUN_DIRECTORY]: run, TMPDIR: run },
    stdout: "pipe",
    stderr: "ignore",
  });
  const place = (await new Response(child.stdout).text()).trim();
  return { status: await child.exited, place };
}

test("one of many processes makes it, all find the same, whole", async () => {
  const [run, notes] = [temporaryDirectory(), join(temporaryDirectory(), "notes")];
  const found = await Promise.all(Array.from({ length: 4 }, () => processOf(run, notes)));
  expect(found).toEqual(found.map(() => ({ status: 0, place: join(run, "something") })));
  expect(existsSync(join(run, "something", "whole"))).toBe(true);
  expect(readFileSync(notes, "utf8")).toBe("made\n");
});

test("after one that failed the next makes it", async () => {
  const [run, notes] = [temporaryDirectory(), join(temporaryDirectory(), "notes")];
  expect((await processOf(run, notes, "fails")).status).not.toBe(0);
  expect(await processOf(run, notes)).toEqual({ status: 0, place: join(run, "something") });
});
