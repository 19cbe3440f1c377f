/** DuckDB's files in a single binary: unpacked once, held against their digests at every start, never taken from another user. */

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolders, type NativeFile, unpacked } from "#packaging/binary/native.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const CONTENT: Readonly<Record<string, Uint8Array>> = {
  "duckdb.node": Buffer.from("the addon"),
  "libduckdb.so": Buffer.from("the library"),
};
const FILES: readonly NativeFile[] = Object.entries(CONTENT).map(([name, bytes]) => ({
  name,
  sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
}));

function embedded() {
  const taken: string[] = [];
  const read = (name: string) => {
    taken.push(name);
    return CONTENT[name] ?? new Uint8Array();
  };
  return { taken, read };
}

test("the first start unpacks the files for this user alone, the second one takes them as they are", () => {
  const { taken, read } = embedded();
  const cache = join(temporaryDirectory(), "a", "cache");
  const folder = unpacked(FILES, read, [cache]);
  expect(taken).toEqual(FILES.map(({ name }) => name));
  for (const { name } of FILES)
    expect(readFileSync(join(folder, name))).toEqual(Buffer.from(CONTENT[name] ?? []));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).sort()).toEqual(FILES.map(({ name }) => name).sort());
  expect(unpacked(FILES, read, [cache])).toBe(folder);
  expect(taken).toHaveLength(FILES.length);
});

test("a file that was cut or changed is replaced before it is loaded", () => {
  const { taken, read } = embedded();
  const cache = temporaryDirectory();
  const folder = unpacked(FILES, read, [cache]);
  writeFileSync(join(folder, "libduckdb.so"), "another library");
  writeFileSync(join(folder, "duckdb.node"), "");
  unpacked(FILES, read, [cache]);
  expect(taken).toHaveLength(2 * FILES.length);
  expect(readFileSync(join(folder, "libduckdb.so"), "utf8")).toBe("the library");
});

test("another version has a folder of its own", () => {
  const { read } = embedded();
  const cache = temporaryDirectory();
  const [first] = FILES;
  const older = unpacked(first === undefined ? [] : [first], read, [cache]);
  expect(unpacked(FILES, read, [cache])).not.toBe(older);
  expect(dirname(older)).toBe(cache);
});

test("where one folder takes no files the next one does, and without any the reasons are named", () => {
  const { read } = embedded();
  const blocked = join(temporaryDirectory(), "file");
  writeFileSync(blocked, "");
  const cache = temporaryDirectory();
  expect(dirname(unpacked(FILES, read, [blocked, cache]))).toBe(cache);
  expect(() => unpacked(FILES, read, [blocked])).toThrow(
    /cannot be unpacked: .*file.*; set XDG_CACHE_HOME to a folder/,
  );
});

test("a folder that others may write to is closed to them first", () => {
  const { read } = embedded();
  const cache = join(temporaryDirectory(), "cache");
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  unpacked(FILES, read, [cache]);
  expect(statSync(cache).mode & 0o022).toBe(0);
});

test("content that is not what its digest says is refused", () => {
  expect(() => unpacked(FILES, () => Buffer.from("something else"), [temporaryDirectory()])).toThrow(
    /changed/,
  );
});

test("the cache of the user comes first, by the rules of the system", () => {
  expect(cacheFolders("linux", { HOME: "/home/a" })[0]).toBe("/home/a/.cache/crossrate");
  expect(cacheFolders("linux", { HOME: "/home/a", XDG_CACHE_HOME: "/cache" })[0]).toBe("/cache/crossrate");
  expect(cacheFolders("darwin", { HOME: "/Users/a" })[0]).toBe("/Users/a/Library/Caches/crossrate");
});
