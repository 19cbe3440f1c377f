/** Names of versions: one file each, whatever takes its place, and gone when nobody can be asking for it any more. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServedVersions } from "#store/lake/served.ts";
import { temporaryDirectory } from "#test/temporary.ts";

const MINUTE = 60_000;

function versions(now?: () => number) {
  const directory = temporaryDirectory();
  const path = join(directory, "quotes.parquet");
  const folder = join(directory, ".served");
  const put = (content: string) => {
    writeFileSync(join(directory, ".next"), content);
    renameSync(join(directory, ".next"), path);
  };
  put("first");
  return { path, folder, put, served: openServedVersions(folder, now) };
}

test("a name leads to its version when another one is in place, and the next asked for is the new one", () => {
  const { path, put, served } = versions();
  const first = served.nameOf(path) as string;
  expect(served.nameOf(path)).toBe(first);
  put("second");
  const second = served.nameOf(path) as string;
  expect([first, second].map((name) => readFileSync(name, "utf8"))).toEqual(["first", "second"]);
  expect(first).not.toEndWith(".parquet");
});

test("a replaced version keeps its name for a minute; one in place keeps it for good", () => {
  let now = Date.now();
  const { path, folder, put, served } = versions(() => now);
  const first = served.nameOf(path) as string;
  put("second");
  const second = served.nameOf(path) as string;
  put("third");
  served.nameOf(path);
  expect(readdirSync(folder)).toHaveLength(3);
  now += 2 * MINUTE;
  // Whoever opens the lake next clears up after a process that died.
  openServedVersions(folder, () => now);
  const kept = readdirSync(folder).map((name) => join(folder, name));
  expect(kept).toHaveLength(1);
  expect(kept).not.toContain(first);
  expect(kept).not.toContain(second);
  expect(readFileSync(kept[0] as string, "utf8")).toBe("third");
});

test("what a process left half done is cleared away", () => {
  let now = Date.now();
  const { path, folder, put, served } = versions(() => now);
  served.nameOf(path);
  writeFileSync(join(folder, ".left-behind"), "");
  now += 2 * MINUTE;
  put("second");
  served.nameOf(path);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("without a file there is no name, and without hard links none either", () => {
  const { path, served } = versions();
  expect(() => served.nameOf(`${path}.none`)).toThrow("ENOENT");
  // A folder under a file cannot be made: as good as a file system that refuses links.
  expect(openServedVersions(join(path, "under")).nameOf(path)).toBeNull();
});
