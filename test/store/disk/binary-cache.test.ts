/** A binary cache is never believed in doubt: one of another key, cut anywhere or with any byte changed is as good as none. */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCache, writeCache } from "#store/disk/binary-cache.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const FACTS = { held: ["é", 1] };
const WIDE = Float64Array.from([1.5, Number.NaN, -0]);

function written(): string {
  const path = join(temporaryDirectory(), ".some.cache");
  writeCache(path, "key", FACTS, [
    ["odd", Uint8Array.from([1, 2, 3])],
    ["wide", WIDE.subarray(1)],
    ["empty", new Int32Array(0)],
  ]);
  return path;
}

/** Everything that is in it; null where it is ignored. */
function read(path: string, key = "key") {
  return readCache(path, key, (facts, section) => ({
    facts,
    odd: [...new Uint8Array(section("odd") as ArrayBuffer)],
    wide: [...new Float64Array(section("wide") as ArrayBuffer)],
    empty: section("empty")?.byteLength,
    other: section("other"),
  }));
}

test("it gives what was written, to its key alone", () => {
  const path = written();
  expect(read(path)).toEqual({
    facts: FACTS,
    odd: [1, 2, 3],
    wide: [Number.NaN, -0],
    empty: 0,
    other: undefined,
  });
  expect(read(path, "another key")).toBeNull();
  expect(read(join(path, "..", "not there"))).toBeNull();
});

test("wherever it is cut or changed, it is ignored", () => {
  const path = written();
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    writeFileSync(path, whole.subarray(0, at));
    expect([at, read(path)]).toEqual([at, null]);
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    writeFileSync(path, changed);
    expect([at, read(path)]).toEqual([at, null]);
  }
  for (const other of [Buffer.concat([whole, whole]), Buffer.alloc(whole.length)]) {
    writeFileSync(path, other);
    expect(read(path)).toBeNull();
  }
});

test("where it cannot be written there is none, and nothing fails", () => {
  const path = join(temporaryDirectory(), ".some.cache");
  mkdirSync(path);
  writeCache(path, "key", null, []);
  expect(existsSync(path)).toBe(true);
  expect(read(path)).toBeNull();
});
