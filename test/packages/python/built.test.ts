/** The Python package: its types refuse wrong calls, its wheel is whole, its version is that of the server. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { basename, join } from "node:path";
import { ended } from "#test/clients/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

setDefaultTimeout(120_000);
const ROOT = join(import.meta.dir, "..", "..", "..");
const CLIENT = join(ROOT, "clients/python");
const HERE = import.meta.dir;

async function run(command: readonly string[], cwd = CLIENT) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: temporaryDirectory() };
  return await ended(command, { cwd, env, isAlone: true });
}

const text = (path: string) => Bun.file(join(ROOT, path)).text();

test("version and license are those of the server", async () => {
  const { version } = JSON.parse(await text("package.json"));
  expect(await text("clients/python/src/crossrate/_version.py")).toContain(`__version__ = "${version}"`);
  expect(await text("clients/python/LICENSE")).toBe(await text("LICENSE"));
});

const checker = optionalPython(["mypy", "polars", "pandas"], "the types of the Python client");
describe.skipIf(checker === null)("a strict type checker", () => {
  test("finds nothing in the package and in right calls, and an error on every line of a wrong call", async () => {
    const files = [join(HERE, "right_calls.py"), join(HERE, "wrong_calls.py")];
    const expected = await marked(files);
    expect(expected.length).toBeGreaterThan(12);
    // Most of the time goes to the types of pandas and Polars, which the cache holds.
    const cache = join(ROOT, "node_modules/.cache/crossrate-mypy");
    const options = ["--no-color-output", "--strict", "--cache-dir", cache, join(CLIENT, "src"), ...files];
    const { code, out } = await run([checker as string, "-m", "mypy", ...options]);
    const found = Array.from(out.matchAll(/^(\S+?):(\d+): error: .*\[([\w-]+)\]$/gm), (match) =>
      match.slice(1),
    );
    expect(found.map(([path, line, kind]) => `${basename(path ?? "")}:${line} ${kind}`)).toEqual([
      ...expected,
    ]);
    expect(code).toBe(1);
  });
});

/** `file:line kind` of every line that ends in `# error: kind`. */
async function marked(files: readonly string[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const file of files) {
    for (const [index, line] of (await Bun.file(file).text()).split("\n").entries()) {
      const kind = /# error: (\S+)$/.exec(line)?.[1];
      if (kind !== undefined) all.push(`${basename(file)}:${index + 1} ${kind}`);
    }
  }
  return all;
}

const builder = optionalPython(["build", "hatchling"], "the wheel of the Python client");
describe.skipIf(builder === null)("the wheel", () => {
  test("is built from the source archive, holds what is imported, and works where only httpx is", async () => {
    const directory = temporaryDirectory();
    const command = ["-m", "build", "--no-isolation", "--outdir", directory, CLIENT];
    expect(await run([builder as string, ...command], directory)).toMatchObject({ code: 0 });
    const { version } = JSON.parse(await text("package.json"));
    const wheel = join(directory, `crossrate-${version}-py3-none-any.whl`);
    expect(await Bun.file(join(directory, `crossrate-${version}.tar.gz`)).exists()).toBe(true);
    const { code, out, err } = await run([builder as string, join(HERE, "wheel.py"), wheel], directory);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { names, metadata, imported } = JSON.parse(out) as Record<string, readonly string[]>;
    const sources = await Array.fromAsync(new Bun.Glob("**/*.{py,sql,typed}").scan(join(CLIENT, "src")));
    const packaged = (names ?? []).filter((name) => name.startsWith("crossrate/"));
    expect(packaged.toSorted()).toEqual(sources.toSorted());
    expect(names).toContain(`crossrate-${version}.dist-info/licenses/LICENSE`);
    expect(metadata).toEqual([
      "httpx<1,>=0.27",
      "pyarrow>=17; extra == 'arrow'",
      "duckdb>=1.5; extra == 'lake'",
      "polars>=1.20; extra == 'lake'",
      "pandas>=2.2; extra == 'pandas'",
      "pyarrow>=17; extra == 'pandas'",
      "polars>=1.20; extra == 'polars'",
    ]);
    expect(imported).toEqual([version]);
  });
});
