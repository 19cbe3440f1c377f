/** The npm package `crossrate`: the program as it lies in the repository, with a starter for Node and Bun as a dependency. */

import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { BUN_VERSION, PRODUCT, ROOT } from "#packaging/product.ts";
import { run } from "#packaging/run.ts";

/** Of the first page; npm shows it without them. */
const PICTURES = /\/docs\/screenshots$/;
const STARTER = "bin/crossrate.mjs";
/** Node that npx comes with; Bun itself is a dependency. */
const NODE = ">=20";

/** Makes `crossrate-<version>.tgz` in the folder and returns its path. */
export async function packNpm(output: string): Promise<string> {
  const stage = join(output, ".work", "npm");
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  for (const path of ["LICENSE", "README.md", ...PRODUCT.files])
    await cp(join(ROOT, path), join(stage, path), {
      recursive: true,
      filter: (name) => !PICTURES.test(name),
    });
  await cp(join(import.meta.dir, "crossrate.mjs"), join(stage, STARTER));
  await Bun.write(join(stage, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  return await packed(stage, output);
}

/** Packs a folder that is ready and returns the path of the archive. */
export async function packed(folder: string, output: string): Promise<string> {
  const printed = await run(
    [process.execPath, "pm", "pack", "--quiet", "--ignore-scripts", "--destination", output],
    folder,
  );
  return printed.trim().split("\n").at(-1) ?? "";
}

/** The repository's own, without what only its development needs. */
function manifest(): object {
  const { name, version, description, license, type, imports, files, dependencies } = PRODUCT;
  const { "#package.json": own, "#data/*": data, "#docs/*": docs, "#*": source } = imports;
  return {
    ...{ name, version, description, license, type },
    bin: { [name]: STARTER },
    imports: { "#package.json": own, "#data/*": data, "#docs/*": docs, "#*": source },
    engines: { node: NODE },
    files: ["bin", ...files],
    dependencies: { ...dependencies, bun: BUN_VERSION },
  };
}
