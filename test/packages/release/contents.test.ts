/** What goes into the packages: everything that the program reads, and nothing of its development. */

import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ENTRIES } from "#packaging/binary/build.ts";
import { hostTarget, nativeFiles } from "#packaging/binary/targets.ts";
import { writeChecksums } from "#packaging/checksums.ts";
import { packNpm } from "#packaging/npm/pack.ts";
import { BUN_VERSION, PRODUCT, ROOT } from "#packaging/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

interface Source {
  readonly path: string;
  readonly text: string;
}

const sources: Source[] = [];
for (const path of new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT))
  sources.push({ path, text: await Bun.file(join(ROOT, path)).text() });

describe("a single binary", () => {
  test("has every file that the program reads beside its own", () => {
    const readers = sources.filter(({ text }) => text.includes("import.meta.dir")).map(({ path }) => path);
    // The site's scripts are bundled when the binary is made; all else is imported.
    expect(readers).toEqual(["src/web/assets.ts"]);
  });

  test("has every thread that the program starts", () => {
    const threads = sources.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/new Worker\(new URL\("\.\/([^"]+)"/g), ([, name]) =>
        join(dirname(path), name ?? ""),
      ),
    );
    expect(["src/main.ts", ...threads].sort()).toEqual([...ENTRIES].sort());
  });

  test("has native files that this machine's package has, too", async () => {
    const target = hostTarget();
    if (target === null) throw new Error("no binary is made for this machine");
    const installed = await readdir(join(ROOT, "node_modules/@duckdb", `node-bindings-${target}`));
    for (const name of nativeFiles(target)) expect(installed).toContain(name);
  });
});

describe("the npm package", async () => {
  const output = temporaryDirectory();
  const archive = await packNpm(output);
  const files = new Map(Array.from(await new Bun.Archive(await Bun.file(archive).bytes()).files()));
  const paths = [...files.keys()].map((path) => path.replace(/^package\//, ""));

  test("has the program, its documents and its licence, and nothing of its development", () => {
    for (const path of ["bin/crossrate.mjs", "src/main.ts", "docs/contract.md", "LICENSE", "README.md"])
      expect([path, paths.includes(path)]).toEqual([path, true]);
    const roots = new Set(paths.map((path) => path.split("/")[0]));
    expect([...roots].sort()).toEqual(
      ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "bin", "data", "docs", "package.json", "src"].sort(),
    );
    expect(paths.filter((path) => /\.test\.tsx?$/.test(path))).toEqual([]);
  });

  test("states the product's version, and Bun's as a dependency; every alias leads into it", async () => {
    const manifest = JSON.parse((await files.get("package/package.json")?.text()) ?? "{}");
    expect(manifest).toMatchObject({ name: PRODUCT.name, version: PRODUCT.version });
    expect(manifest.dependencies).toEqual({ ...PRODUCT.dependencies, bun: BUN_VERSION });
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(manifest).not.toHaveProperty("scripts");
    // Nobody publishes the repository in place of it.
    expect(PRODUCT.scripts.prepublishOnly).toEndWith("exit 1");
    const used = new Set(sources.flatMap(({ text }) => aliasesIn(text)));
    expect([...used].sort()).toEqual(Object.keys(manifest.imports).sort());
  });
});

/** Keys of `imports` by which a file names others. */
function aliasesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:from|import) ?\(?"(#[^"]+)"/g), ([, name = ""]) => {
    if (name === "#package.json") return name;
    return /^#(?:data|docs)\//.test(name) ? name.replace(/\/.*/, "/*") : "#*";
  });
}

test("SHA256SUMS is what sha256sum reads", async () => {
  const folder = temporaryDirectory();
  await Bun.write(join(folder, "b"), "two");
  await Bun.write(join(folder, "a"), "one");
  await writeChecksums(folder);
  await writeChecksums(folder);
  const sums = (await Bun.file(join(folder, "SHA256SUMS")).text()).trimEnd().split("\n");
  const hex = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
  expect(sums).toEqual([`${hex("one")}  a`, `${hex("two")}  b`]);
});
