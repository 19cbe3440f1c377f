/** Finished exports are kept within their budget at every moment, and what goes is what was used longest ago. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createExportCache, HANDED_OUT_MILLISECONDS } from "#store/export/cache.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

function fixture(budgetBytes: number) {
  const directory = temporaryDirectory();
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const cache = createExportCache(budgetBytes, (milliseconds, run) =>
    timers.push({ at: now + milliseconds, run }),
  );
  return {
    cache,
    put(name: string, bytes: number) {
      const path = join(directory, `${name}-${crypto.randomUUID()}`);
      writeFileSync(path, new Uint8Array(bytes));
      const finished = { path, bytes, sha256: "00".repeat(32) };
      cache.put(name, finished);
      return finished;
    },
    passes(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
    onDisk: () => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
    kept: (names: string) => [...names].filter((name) => cache.find(name) !== null).join(""),
  };
}

test("the one used longest ago goes first, and finding is using", () => {
  const { cache, put, kept } = fixture(100);
  for (const name of ["a", "b", "c"]) put(name, 30);
  cache.find("a");
  put("d", 30);
  expect(kept("abcd")).toBe("acd");
});

test("a file that was just handed out stays until its reader has opened it", () => {
  const { cache, put, passes, onDisk } = fixture(100);
  const a = put("a", 60);
  passes(HANDED_OUT_MILLISECONDS * 10);
  cache.find("a");
  put("b", 60);
  expect(existsSync(a.path)).toBe(true);
  passes(HANDED_OUT_MILLISECONDS - 1);
  expect(existsSync(a.path)).toBe(true);
  passes(1);
  expect(existsSync(a.path)).toBe(false);
  expect(onDisk()).toBe(60);
});

test("one that is larger than the whole budget pushes nothing out and is not kept itself", () => {
  const { cache, put, passes, onDisk, kept } = fixture(100);
  put("a", 40);
  const large = put("large", 1_000);
  expect(cache.find("large")).toBeNull();
  expect(kept("a")).toBe("a");
  // Its reader is about to open it.
  expect(existsSync(large.path)).toBe(true);
  passes(HANDED_OUT_MILLISECONDS);
  expect(onDisk()).toBe(40);
});

test("whatever is put and found in whichever order, the disk holds the budget once readers have opened their files", () => {
  const { cache, put, passes, onDisk } = fixture(1_000);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 400; round++) {
    if (random(3) > 0) put(`n${random(20)}`, random(1_400));
    else cache.find(`n${random(20)}`);
    if (random(4) > 0) continue;
    passes(HANDED_OUT_MILLISECONDS);
    expect(onDisk()).toBeLessThanOrEqual(1_000);
  }
});
