/** The secret that signs cursors, where the operator gives none: one for all processes, and for nobody else to read. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cursorSecret } from "#assembly/cursor-secret.ts";
import { readConfig } from "#config.ts";
import { temporaryDirectory } from "#test/temporary.ts";

test("is made once, whoever starts first, and only its owner may read it", async () => {
  const directory = temporaryDirectory();
  const config = readConfig({ DATA_DIR: directory });
  const all = await Promise.all(Array.from({ length: 8 }, () => cursorSecret(config)));
  const one = all[0] ?? "";
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(all)).toEqual(new Set([one]));
  expect(await cursorSecret(config)).toBe(one);
  expect(readdirSync(directory)).toEqual(["cursor.key"]);
  expect(statSync(join(directory, "cursor.key")).mode & 0o777).toBe(0o600);
});

test("the operator's own is taken instead, and nothing is written", async () => {
  const directory = temporaryDirectory();
  expect(await cursorSecret(readConfig({ DATA_DIR: directory, CURSOR_SECRET: "theirs" }))).toBe("theirs");
  expect(readdirSync(directory)).toEqual([]);
});

test("one that an earlier release made goes on signing; an empty file is said to be one", async () => {
  const directory = temporaryDirectory();
  const path = join(directory, "cursor.key");
  writeFileSync(path, "an older secret");
  const config = readConfig({ DATA_DIR: directory });
  expect(await cursorSecret(config)).toBe("an older secret");
  writeFileSync(path, "");
  await expect(cursorSecret(config)).rejects.toThrow("is empty: delete it");
  expect(readFileSync(path, "utf8")).toBe("");
});
