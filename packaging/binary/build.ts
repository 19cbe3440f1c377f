/** One file for one platform: the runtime, the program with what it imports, its pages, and DuckDB's library. */

import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PRODUCT, ROOT } from "#packaging/product.ts";
import { run } from "#packaging/run.ts";
import { bundle, EMBEDDED_BUNDLE } from "#web/assets.ts";
import { EMBEDDED, LIST, type NativeFile } from "./native.ts";
import { hostTarget, nativeFiles, type Target } from "./targets.ts";

/** The program; a file that it starts as a thread of its own would be here, too. */
export const ENTRIES = ["src/main.ts"];

/** Of zstd: higher ones take minutes and save a tenth. */
const COMPRESSION_LEVEL = 9;

/** Makes `crossrate-<version>-<target>` in the folder and returns its path. */
export async function buildBinary(target: Target, output: string): Promise<string> {
  const name = `${PRODUCT.name}-${PRODUCT.version}-${target}`;
  const work = join(output, ".work", target);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await packNative(await nativePackage(target, join(output, ".work")), target, join(work, EMBEDDED));
  await Bun.write(join(work, EMBEDDED_BUNDLE), await bundle());
  await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
    // Threads are looked for beside the program, by their bare name.
    naming: { entry: "[name].[ext]" },
    target: "bun",
    format: "esm",
    // A command loads its own part only, and nothing is parsed at a start: `--version` takes 16 ms instead of 220.
    splitting: true,
    bytecode: true,
    sourcemap: "linked",
    minify: { whitespace: true, syntax: true },
    plugins: [nativeFromBinary],
    compile: {
      outfile: join(work, name),
      target: `bun-${target}`,
      assets: [join(work, EMBEDDED), dirname(join(work, EMBEDDED_BUNDLE))],
      autoloadDotenv: true,
      // Settings of a project that lies where the program is started are none of its own.
      autoloadBunfig: false,
    },
  });
  // Its source maps are inside, and stay behind as files.
  await rename(join(work, name), join(output, name));
  return join(output, name);
}

const nativeFromBinary: Bun.BunPlugin = {
  name: "DuckDB's addon comes from the binary",
  setup(build) {
    const namespace = "embedded";
    build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /./, namespace }, () => ({
      contents: `import { loadNative } from ${JSON.stringify(join(import.meta.dir, "native.ts"))};
        module.exports = loadNative();`,
      loader: "js",
    }));
  },
};

/** Fills a folder with the compressed files and the list of their digests. */
async function packNative(from: string, target: Target, folder: string): Promise<void> {
  const files: NativeFile[] = [];
  for (const name of nativeFiles(target)) {
    const bytes = await Bun.file(join(from, name)).bytes();
    files.push({ name, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") });
    await Bun.write(join(folder, `${name}.zst`), await Bun.zstdCompress(bytes, { level: COMPRESSION_LEVEL }));
  }
  await Bun.write(join(folder, LIST), JSON.stringify(files));
}

/** Folder of DuckDB's native package: that of this machine is installed, another one is, as the lock file has it, for itself. */
async function nativePackage(target: Target, work: string): Promise<string> {
  const name = `node_modules/@duckdb/node-bindings-${target}`;
  if (target === hostTarget()) return present(join(ROOT, name));
  const place = join(work, `${target}-modules`);
  await mkdir(place, { recursive: true });
  for (const file of ["package.json", "bun.lock", "bunfig.toml"])
    await cp(join(ROOT, file), join(place, file));
  const [os = "", cpu = ""] = target.split("-");
  await run(
    [process.execPath, "install", "--frozen-lockfile", "--production", `--os=${os}`, `--cpu=${cpu}`],
    place,
  );
  return present(join(place, name));
}

/** Throws where there is no such package: the version of DuckDB in use may not be published for every platform. */
function present(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `bun.lock has no ${path.slice(path.indexOf("@duckdb"))}: this version has no binary for it`,
  );
}
