/** CSV and NDJSON that programs read by URL: HEAD for the length, then parts. No parts of two versions come together. */

import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { NOW, openTestApp, type TestApp, testExports, WORLD } from "#test/api/harness.ts";
import { runQuietly } from "#test/clients/process.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { type Listening, listen } from "#test/support/listen.ts";
import { optionalPython } from "#test/support/require-tool.ts";

const python = optionalPython(["polars"], "reading CSV by URL with Polars");
const LATER = datasetOf([...WORLD.slice(0, -3), ecb("2026-04-13", "CHF", "0.93125")]);
// The tag of an export names the version of the data.
const REVISED = { ...LATER, history: { ...LATER.history, version: "later" } };

let app: TestApp;
let server: Listening;
beforeEach(() => {
  app = openTestApp({ exports: testExports() });
  server = listen(app.answer);
});

const NDJSON = { accept: "application/x-ndjson" };
const FILES: readonly (readonly [path: string, headers: Record<string, string>])[] = [
  ["/v1/latest?format=csv", {}],
  ["/v1/latest", { accept: "text/csv" }],
  ["/v1/2026-04-10?format=csv", {}],
  ["/v2/rates.csv?from=2026-04-01&base=USD", {}],
  ["/v2/rates?from=2026-04-01", NDJSON],
];

/** As it is written: nothing is coded unless a test says so. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = { "accept-encoding": "identity", ...headers };
  const response = await fetch(`${server.url}${path}`, { method, headers: sent });
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, header, text: await response.text() };
}

describe.each(FILES)("%s %p", (path, form) => {
  test("has its length and a strong tag under HEAD, and comes in parts that make the whole", async () => {
    const [whole, head] = [await ask(path, form), await ask(path, form, "HEAD")];
    expect(Number(head.header("content-length"))).toBe(whole.text.length);
    expect(head.header("accept-ranges")).toBe("bytes");
    expect(head.header("etag")).toMatch(/^"[^"]+"$/);
    let text = "";
    const step = Math.ceil(whole.text.length / 4);
    for (let at = 0; at < whole.text.length; at += step) {
      const part = await ask(path, { ...form, range: `bytes=${at}-${at + step - 1}` });
      const end = Math.min(at + step, whole.text.length);
      expect(part.status).toBe(206);
      expect(part.header("content-range")).toBe(`bytes ${at}-${end - 1}/${whole.text.length}`);
      expect(part.header("content-length")).toBe(String(end - at));
      expect(part.header("etag")).toBe(head.header("etag"));
      text += part.text;
    }
    expect(text).toBe(whole.text);
    expect((await ask(path, { ...form, range: "bytes=-7" })).text).toBe(whole.text.slice(-7));
  });
  test("a coded body has a weak tag and offers no parts; a part is of the text as it is", async () => {
    const coded = await ask(path, { ...form, "accept-encoding": "gzip" });
    const plain = await ask(path, form);
    expect(coded.text).toBe(plain.text);
    if (coded.header("content-encoding") !== null) {
      expect(coded.header("etag")).toBe(`W/${plain.header("etag")}`);
      expect(coded.header("accept-ranges")).toBeNull();
    }
    const part = await ask(path, { ...form, "accept-encoding": "gzip", range: "bytes=0-9" });
    expect([part.status, part.header("content-encoding"), part.text]).toEqual([
      206,
      null,
      plain.text.slice(0, 10),
    ]);
  });
  test("a caller who was told the length of one version gets no parts of another", async () => {
    const before = await ask(path, form);
    await ask(path, form, "HEAD");
    expect((await ask(path, { ...form, range: "bytes=0-9" })).status).toBe(206);
    app.show(REVISED);
    const after = await ask(path, form);
    for (const range of ["bytes=10-", "bytes=0-9", `bytes=${before.text.length}-`]) {
      const answer = await ask(path, { ...form, range });
      const isSame = after.text === before.text;
      if (!isSame) expect([range, answer.status, answer.text]).toEqual([range, 200, after.text]);
    }
    // From a new length on it is the new version.
    await ask(path, form, "HEAD");
    expect((await ask(path, { ...form, range: "bytes=10-19" })).text).toBe(after.text.slice(10, 20));
    // And so it is for those who name their version, and after a minute.
    app.show(datasetOf(WORLD));
    const named = { ...form, range: "bytes=0-9", "if-range": before.header("etag") as string };
    expect((await ask(path, named)).status).toBe(206);
    app.at(NOW + 61_000);
    expect((await ask(path, { ...form, range: "bytes=0-9" })).status).toBe(206);
  });
});

const EXPORT = "/v1/range?symbols=USD,CHF&base=EUR&start_date=2026-03-31&end_date=2026-04-13&format=csv";

describe.each([...FILES.slice(0, 1), [EXPORT, {}] as const])("parts of %s", (path, form) => {
  const partOf = async (range: string) => (await ask(path, { ...form, range })).status;
  test("are of one version for a reader that takes longer than a minute", async () => {
    await ask(path, form, "HEAD");
    for (const [range, seconds] of [
      ["bytes=0-9", 40],
      ["bytes=10-19", 80],
    ] as const) {
      expect([range, await partOf(range)]).toEqual([range, 206]);
      app.at(NOW + seconds * 1000);
    }
    app.show(REVISED);
    expect(await partOf("bytes=30-39")).toBe(200);
  });
  test("do not go on with a whole body of another version that was cut off", async () => {
    // Of the export also while it is made.
    await ask(path, form);
    app.show(REVISED);
    expect(await partOf("bytes=10-")).toBe(200);
    // A whole body of the new version does not make the other reader's note one of it.
    await ask(path, form);
    expect(await partOf("bytes=10-")).toBe(200);
    app.at(NOW + 61_000);
    expect(await partOf("bytes=10-")).toBe(206);
  });
});

test("the versions do differ, so that mixing them would show", async () => {
  const texts = async () =>
    await Promise.all(FILES.map(async ([path, form]) => (await ask(path, form)).text));
  const before = await texts();
  app.show(REVISED);
  const after = await texts();
  expect(before.filter((text, at) => text !== after[at]).length).toBeGreaterThan(2);
});

test.skipIf(python === null)("as Polars reads it, by read_csv and scan_csv; exports, too", async () => {
  const exported = "/v1/range?symbols=USD,GBP&base=EUR&start_date=2026-03-31&end_date=2026-04-13&format=csv";
  const paths = [
    ...FILES.filter(([, form]) => Object.keys(form).length === 0).map(([path]) => path),
    exported,
  ];
  const urls = paths.map((path) => `${server.url}${path}`);
  const script = join(import.meta.dir, "read_by_url.py");
  const printed = await runQuietly([python as string, script, ...urls]);
  const read = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(read).toHaveLength(paths.length);
  for (const [at, path] of paths.entries()) {
    const [header = "", ...rows] = (await ask(path)).text.trim().split(/\r?\n/);
    const shape = [rows.length, header.split(",").length];
    expect([path, read[at].slice(0, 2)]).toEqual([path, [shape, shape]]);
    expect(read[at][2]).toStartWith(header);
  }
});
