/** Programs that some tests need and a machine may lack: found, or reported to be missing. In CI a skip is a failure. */

import { resolve } from "node:path";

/** The check counts lines that start like this; every test that cannot run here prints one. */
export const SKIP_MARK = "SKIPPED:";

/** The environment that .ci/run makes from test/requirements.txt. */
const CHECK_PYTHON = resolve(import.meta.dir, "..", "..", "node_modules/.cache/crossrate-python/bin/python");

/**
 * Path of a program, or null after printing `SKIPPED: <what> needs <tool>`. Use:
 *
 *     const redis = optionalTool("redis-server", "the shared hot book");
 *     describe.skipIf(redis === null)("the shared hot book", () => { … });
 */
export function optionalTool(tool: string, what: string): string | null {
  const path = Bun.which(tool);
  if (path === null) saySkipped(`${what} needs ${tool}`);
  return path;
}

const FINDS_ALL =
  "import sys, importlib.util; sys.exit(any(importlib.util.find_spec(name.split('.')[0]) is None for name in sys.argv[1:]))";

/**
 * Path of a Python that has all of `modules`, or null after printing the SKIPPED line. Looked for in this order:
 * CROSSRATE_PYTHON, the environment that .ci/run makes, python3.
 */
export function optionalPython(modules: readonly string[], what: string): string | null {
  const candidates = [process.env["CROSSRATE_PYTHON"], CHECK_PYTHON, "python3"];
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === "" || Bun.which(candidate) === null) continue;
    // Looked for, not imported: some take more than a second of processor time.
    const attempt = Bun.spawnSync([candidate, "-c", FINDS_ALL, ...modules], {
      stdout: "ignore",
      stderr: "ignore",
    });
    if (attempt.success) return candidate;
  }
  saySkipped(`${what} needs Python with ${modules.join(", ")}`);
  return null;
}

/** Says on standard error that something does not run here and why. */
export function saySkipped(reason: string): void {
  process.stderr.write(`${SKIP_MARK} ${reason}\n`);
}
