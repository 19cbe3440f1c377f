/** New versions of a file under readers who open it by name more than once: old footers fit new bytes, and every reader can read the result. */

import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { canTrim, deadBytes, graft, trim } from "#store/lake/graft.ts";
import { readStruct, writeStruct } from "#store/lake/thrift.ts";
import { rows } from "#test/store/archive/sample.ts";
import { temporaryDirectory } from "#test/temporary.ts";

const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
const connection = await instance.connect();

/** `count` rows of version `version`, in several row groups, with dictionaries and nulls. */
async function write(path: string, version: number, count: number): Promise<void> {
  await connection.run(`COPY (
    SELECT n, 'text ' || n % 7 AS text, CASE WHEN n % 3 = 0 THEN NULL ELSE n / 7 END AS part, ${version} AS version
    FROM range(${count}) AS numbers(n) ORDER BY hash(n, ${version})
  ) TO '${path}' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE 2048)`);
}

async function summary(of: DuckDBConnection, path: string) {
  const sql = `SELECT count(*)::INTEGER AS count, sum(n)::DOUBLE AS n, min(version) AS least, max(version) AS most,
    count(DISTINCT text)::INTEGER AS texts, count(part)::INTEGER AS parts FROM read_parquet('${path}')`;
  return (await rows(of, sql))[0];
}

function wanted(version: number, count: number) {
  const n = (count * (count - 1)) / 2;
  return { count, n, least: version, most: version, texts: 7, parts: count - Math.ceil(count / 3) };
}

/** The file as a reader sees it who has the footer of one version and the rows' bytes of the next. */
function between(older: string, newer: string, path: string): void {
  const [old, next] = [readFileSync(older), readFileSync(newer)];
  const tail = old.readUInt32LE(old.length - 8) + 8;
  writeFileSync(path, Buffer.concat([next, old.subarray(old.length - tail)]));
}

test("each version reads whole, and with the footer of the version before it as that one, through growing, moving and trimming", async () => {
  const directory = temporaryDirectory();
  const [path, target, mixed] = ["now", "next", "mixed"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const old = join(directory, "old");
  let count = 5000;
  await write(path, 0, count);
  for (let version = 1; version <= 6; version++) {
    const before = count;
    count += version % 2 === 0 ? 700 : 0;
    await write(target, version, count);
    await graft(path, target);
    copyFileSync(path, old);
    renameSync(target, path);
    expect(await summary(connection, path)).toEqual(wanted(version, count));
    between(old, path, mixed);
    expect(await summary(connection, mixed)).toEqual(wanted(version - 1, before));
    expect(deadBytes(path)).toBeGreaterThan(0);
  }
  for (let version = 7; !canTrim(path); version++) {
    await write(target, version, count);
    await graft(path, target);
    renameSync(target, path);
  }
  const least = (await summary(connection, path)) ?? {};
  await trim(path, target);
  between(path, target, mixed);
  renameSync(target, path);
  expect(deadBytes(path)).toBe(0);
  expect(await summary(connection, path)).toEqual(least);
  expect(await summary(connection, mixed)).toEqual(least);
  // An independent reader, which opens the file anew for every range.
  const found = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
  expect(found.reduce((sum, { n }) => sum + Number(n), 0)).toBe(wanted(0, count).n);
});

test("a reader that queries without pause never fails and never mixes versions", async () => {
  const path = join(temporaryDirectory(), "now");
  const reader = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await write(path, 0, 3000);
  let isDone = false;
  const writing = (async () => {
    for (let version = 1; version <= 8; version++) {
      await write(`${path}.tmp`, version, 3000 + version);
      await graft(path, `${path}.tmp`);
      renameSync(`${path}.tmp`, path);
    }
    isDone = true;
  })();
  let looks = 0;
  for (; !isDone; looks++) {
    const found = await summary(reader, path);
    const version = Number(found?.["least"]);
    expect(found).toEqual(wanted(version, 3000 + version));
  }
  await writing;
  expect(looks).toBeGreaterThan(50);
}, 20_000);

test("a footer is the same bytes after being read and written", async () => {
  const path = join(temporaryDirectory(), "now");
  await write(path, 0, 5000);
  const file = readFileSync(path);
  const footer = file.subarray(file.length - 8 - file.readUInt32LE(file.length - 8), file.length - 8);
  expect(Buffer.from(writeStruct(readStruct(footer)))).toEqual(footer);
});

test("what is not a Parquet file is refused", async () => {
  const directory = temporaryDirectory();
  const [path, target] = [join(directory, "now"), join(directory, "next")];
  await write(target, 0, 10);
  for (const content of ["", "PAR1", "PAR1PAR1", "not a Parquet file at all", "PAR1\xff\xff\xff\x7fPAR1"]) {
    writeFileSync(path, content, "latin1");
    expect(graft(path, target)).rejects.toThrow();
  }
});
