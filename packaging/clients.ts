/** The packages of the clients: an archive for npm, a wheel and a source archive for PyPI. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { packed } from "#packaging/npm/pack.ts";
import { PRODUCT, ROOT } from "#packaging/product.ts";
import { run } from "#packaging/run.ts";

const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
/** Where the tests keep Python with their tools, hatchling among them. */
const PYTHON = join(ROOT, "node_modules/.cache/crossrate-python/bin/python");

/** Makes `crossrate-client-<version>.tgz` in the folder and returns its path. */
export async function packTypeScriptClient(output: string): Promise<string> {
  const folder = join(ROOT, "clients/typescript");
  await run([process.execPath, COMPILER, "-p", "."], folder);
  return await packed(folder, output);
}

/** Makes the wheel and the source archive in the folder and returns their paths. Needs Python with hatchling. */
export async function packPythonClient(output: string): Promise<readonly string[]> {
  const folder = join(ROOT, "clients/python");
  const python = process.env["CROSSRATE_PYTHON"] ?? (existsSync(PYTHON) ? PYTHON : "python3");
  await run([python, "-c", "import hatchling"], folder).catch((cause: unknown) => {
    throw new Error(`${python} has no hatchling: pip install hatchling, or set CROSSRATE_PYTHON`, { cause });
  });
  await run([python, "-m", "hatchling", "build", "--directory", output], folder);
  const stem = `${PRODUCT.name}-${PRODUCT.version}`;
  return [`${stem}-py3-none-any.whl`, `${stem}.tar.gz`].map((name) => join(output, name));
}
