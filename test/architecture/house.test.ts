/** The project's conventions: names, headers, and a core without clock, randomness, environment or console. */

import { expect, test } from "bun:test";
import { ROOT } from "./arrow-table.ts";

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const BANNED_WORDS = /(^|[-/])(utils?|helpers?|common|misc|manager|service)([-./]|$)/;
const BANNED_TYPES = /\b(?:class|interface|type)\s+(I[A-Z][a-z]\w*|\w*(?:Manager|Service|Helper|Utils?))\b/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

async function filesUnder(pattern: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of new Bun.Glob(pattern).scan(ROOT)) {
    if (path.includes("/vendor/") || path.includes("node_modules")) continue;
    files.push({ path, text: await Bun.file(`${ROOT}/${path}`).text() });
  }
  return files.sort((a, b) => a.path.localeCompare(b.path));
}

const src = await filesUnder("src/**/*.{ts,tsx,sql}");
const typescript = await filesUnder("{src,test,bench}/**/*.{ts,tsx}");

function offenders(files: readonly SourceFile[], offends: (file: SourceFile) => boolean): string[] {
  return files.filter(offends).map(({ path }) => path);
}

test("the tree has files to check", () => {
  expect(src.length).toBeGreaterThan(20);
});

test("file and folder names are kebab-case", () => {
  const parts = (path: string) => path.split("/").map((part) => part.split(".")[0] as string);
  expect(offenders(typescript, ({ path }) => !parts(path).every((part) => KEBAB.test(part)))).toEqual([]);
});

test("no file or folder has a meaningless name", () => {
  expect(offenders(typescript, ({ path }) => BANNED_WORDS.test(path))).toEqual([]);
});

test("no type is a Manager, a Service or an I-something", () => {
  expect(offenders(src, ({ text }) => BANNED_TYPES.test(text))).toEqual([]);
});

test("every file with markup names the library that makes it: the settings of the compiler hold only where the program is started", () => {
  const pages = src.filter(({ path }) => path.endsWith(".tsx"));
  expect(offenders(pages, ({ text }) => !text.includes("\n/* @jsxImportSource preact */\n"))).toEqual([]);
});

test("every file starts with a comment on its place in the flow", () => {
  const header = /^(#![^\n]*\n)?(\/\*\*?(?: |\n \* )|\/\/ |-- )\S/;
  expect(offenders(src, ({ text }) => !header.test(text))).toEqual([]);
});

test("only the command line talks to the console", () => {
  expect(offenders(src, ({ path, text }) => path !== "src/main.ts" && /\bconsole\s*[.[]/.test(text))).toEqual(
    [],
  );
});

test("the core and the use cases use no clock, randomness, environment or runtime", () => {
  const pure = src.filter(({ path }) => /^src\/(domain|rates|official|accounts|webhooks)\//.test(path));
  const ambient = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bBun\.|\bperformance\./;
  expect(offenders(pure, ({ text }) => ambient.test(withoutComments(text)))).toEqual([]);
});

test("only the command line hands over the environment", () => {
  // The second hands the single binary's own folders to a process that it starts.
  const allowed = ["src/main.ts", "src/store/parquet/duckdb-process.ts"];
  expect(
    offenders(
      src,
      ({ path, text }) => !allowed.includes(path) && /\b(process|Bun)\.env\b/.test(withoutComments(text)),
    ),
  ).toEqual([]);
});

test("every package that the product imports is a runtime dependency", async () => {
  const { dependencies } = await Bun.file(`${ROOT}/package.json`).json();
  const imported = new Set<string>();
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  // The transpiler takes all markup for React's.
  const namesOf = ({ path, text }: (typeof src)[number]) =>
    path.endsWith(".tsx")
      ? [...text.matchAll(/^(?:import|export)[^;(]*? from "([^"]+)"|^import "([^"]+)"/gm)].map(
          ([, a, b]) => a ?? b ?? "",
        )
      : transpiler.scanImports(text.replace(/^#!.*/, "")).map(({ path: name }) => name);
  for (const file of src) {
    if (file.path.endsWith(".sql")) continue;
    for (const name of namesOf(file)) {
      if (/^[a-z@][^:]*$/.test(name)) imported.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  expect([...imported].filter((name) => dependencies[name] === undefined)).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => !imported.has(name))).toEqual([]);
});

test("nothing is left to do in a comment", () => {
  const marker = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`);
  expect(offenders(src, ({ text }) => marker.test(text))).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "");
}
