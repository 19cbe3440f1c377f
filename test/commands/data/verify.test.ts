/** `crossrate verify` on a signed history: what it prints and how it ends, heads that are kept, and new keys. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runInProcess } from "#test/commands/process.ts";
import { commitPath, segmentPaths, signedCopy } from "#test/store/chain/signed-lake.ts";
import { flip } from "#test/store/delta/sample.ts";
import { loggedFiles } from "#test/store/lake/sample.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const verify = (dataDir: string, ...words: string[]) =>
  runInProcess(["verify", ...words], { DATA_DIR: dataDir });

/** Writes what `verify head` prints, and resolves with the path. */
async function keptHead(dataDir: string): Promise<string> {
  const { code, out } = await verify(dataDir, "head");
  expect(code).toBe(0);
  const path = join(temporaryDirectory(), "head.json");
  writeFileSync(path, out);
  return path;
}

test("a lake as it was signed: a line for the history, one a table, exit code 0", async () => {
  const dataDir = await signedCopy();
  const { code, out } = await verify(dataDir, "--against", await keptHead(dataDir));
  expect(code).toBe(0);
  expect(out).toMatch(/^daily +version 5, \d files, [\d,]+ rows, intact$/m);
  expect(out).toMatch(/^history {4}13 entries up to \S+Z, key [0-9a-f]{16}, as it was signed$/m);
  expect(out).toMatch(/^ {4}daily +versions 0 to 5 are signed, those from 0 on can be checked$/m);
});

test("what was changed is one line each, and the exit code is 1", async () => {
  const dataDir = await signedCopy();
  flip(loggedFiles(join(dataDir, "lake"), "daily")[0] as string);
  rmSync(commitPath(dataDir, "held", 1));
  const { code, out, err } = await verify(dataDir);
  expect(code).toBe(1);
  expect(out).toContain("does not have its content");
  expect(out).toMatch(/^ {4}wrong: the commit of version 1 of held is missing: entry \d+ has signed it$/m);
  expect(err).toMatch(/\d faults; crossrate repair says how to go on/);
});

test("what readers of current/ would take for the table's is a fault, a copy of its files is none", async () => {
  const dataDir = await signedCopy();
  const current = join(dataDir, "lake/current/daily/source=ecb_daily");
  const [year = "", another = ""] = readdirSync(current).map((name) => join(current, name, "rates.parquet"));
  const bytes = readFileSync(year);
  const replace = (content: Uint8Array) => {
    rmSync(year);
    writeFileSync(year, content);
  };
  replace(bytes);
  rmSync(another);
  expect((await verify(dataDir)).code).toBe(0);
  replace(bytes.toReversed());
  writeFileSync(join(current, "rates.parquet"), bytes);
  const { code, out } = await verify(dataDir);
  expect(code).toBe(1);
  for (const path of [year, join(current, "rates.parquet")])
    expect(out).toContain(`${relative(join(dataDir, "lake"), path)} is no file of the table`);
});

test("names in a history cannot conceal the lines that follow", async () => {
  const dataDir = await signedCopy();
  for (const path of segmentPaths(dataDir))
    writeFileSync(
      path,
      readFileSync(path, "utf8").replaceAll('"daily"', String.raw`"daily\u001b[8m\u009b8m"`),
    );
  const { code, out } = await verify(dataDir);
  expect(code).toBe(1);
  expect(out).toContain("daily?[8m?8m");
  expect(out).not.toMatch(/[^\P{C}\n]/u);
});

test("a history that was cut short is found by the head that was kept", async () => {
  const dataDir = await signedCopy();
  const path = await keptHead(dataDir);
  rmSync(segmentPaths(dataDir).at(-1) as string);
  expect((await verify(dataDir)).code).toBe(0);
  const { code, out } = await verify(dataDir, "--against", path);
  expect(code).toBe(1);
  expect(out).toContain("wrong: the history was cut short: the head that was kept is entry 12");
});

test("a server that repeats a page of its history is not asked for ever", async () => {
  const { out: head } = await verify(await signedCopy(), "head");
  const page = JSON.stringify({ entries: [], next_from: 0 });
  const { url } = listen(({ url: asked }) => new Response(asked.includes("well-known") ? head : page));
  const { code, err } = await verify(temporaryDirectory(), "--url", url);
  expect([code, err]).toEqual([4, expect.stringContaining("does not go on after entry 0")]);
});

test("a new key is made and named, and the file before is replaced", async () => {
  const dataDir = await signedCopy();
  const path = await keptHead(dataDir);
  const before = readFileSync(join(dataDir, "signing.key"), "utf8");
  const { code, out } = await verify(dataDir, "new-key");
  expect(code).toBe(0);
  expect(out).toMatch(/^the history is signed with the key [0-9a-f]{16} from now on/);
  expect(readFileSync(join(dataDir, "signing.key"), "utf8")).not.toBe(before);
  expect((await verify(dataDir, "--against", path)).code).toBe(0);
});

test("without a history there is no head, and a verification says that nothing is signed", async () => {
  const dataDir = temporaryDirectory();
  expect(await verify(dataDir, "head")).toMatchObject({ code: 1, out: "" });
  const { code, out } = await verify(dataDir);
  expect(code).toBe(0);
  expect(out).toContain("nothing is signed yet");
  expect((await verify(dataDir, "new-key")).err).toContain("nothing is signed yet");
});

test("words that mean nothing are refused by name", async () => {
  const dataDir = await signedCopy();
  const noHead = join(temporaryDirectory(), "no.json");
  writeFileSync(noHead, '{"head":{"sequence":1}}');
  for (const words of [
    ["tail"],
    ["head", "--against", noHead],
    ["--against", noHead],
    ["--against", `${noHead}.gone`],
    ["new-key", "--url", "https://rates.example.org"],
  ])
    expect(await verify(dataDir, ...words)).toMatchObject({ code: 2, out: "" });
});
