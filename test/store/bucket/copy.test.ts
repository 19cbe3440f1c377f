/** The bounded local copy: what leaves it, what must stay, and that reading brings files back. */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCopy } from "#store/bucket/copy.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

function files(directory: string, count: number): string[] {
  const folder = join(directory, "daily");
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, at) => {
    const path = join(folder, `part-${at}.parquet`);
    writeFileSync(path, "x".repeat(100));
    return path;
  });
}

function copyOf(directory: string, budget: number) {
  let now = 1_000_000;
  const copy = openCopy({ directory, tables: ["daily"], budget, clock: () => now, readMilliseconds: 1000 });
  return { copy, later: (milliseconds: number) => (now += milliseconds) };
}

test("files unused for longest leave first, until the rest is within the budget", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 300);
  const [a, b, c, d] = files(directory, 4) as [string, string, string, string];
  for (const path of [a, b, c]) {
    copy.used(path);
    later(10);
  }
  copy.used(a);
  later(2000);
  expect(copy.bytes()).toBe(300);
  copy.used(d);
  expect([a, b, c, d].map((path) => existsSync(path))).toEqual([true, false, true, true]);
  expect(copy.bytes()).toBe(300);
});

test("what was checked a moment ago stays, also beyond the budget, and goes later", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 100);
  const [a, b, c] = files(directory, 3) as [string, string, string];
  for (const path of [a, b]) copy.used(path);
  expect(copy.bytes()).toBe(200);
  later(1000);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([false, false, true]);
});

test("pinned files stay until others are pinned", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 100);
  const [a, b, c] = files(directory, 3) as [string, string, string];
  copy.pin("daily", new Set([a]));
  copy.used(a);
  later(5000);
  copy.used(b);
  expect(existsSync(a)).toBe(true);
  copy.pin("daily", new Set([b]));
  later(5000);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test("a start finds what is there, the oldest first, and removes downloads that broke off", () => {
  const directory = temporaryDirectory();
  const [a, b, c] = files(directory, 3) as [string, string, string];
  const yesterday = Date.now() / 1000 - 86_400;
  utimesSync(b, yesterday, yesterday);
  const [old, young] = [crypto.randomUUID(), crypto.randomUUID()].map((id) =>
    join(directory, "daily", `.${id}.tmp`),
  ) as [string, string];
  for (const path of [old, young]) writeFileSync(path, "half");
  utimesSync(old, yesterday, yesterday);
  const { copy } = copyOf(directory, 200);
  expect(copy.bytes()).toBe(300);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([true, false, true]);
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
});
