/** Programs that some tests need and a machine may lack: found, or said loudly to be missing. In CI a skip is a failure. */

/** The check counts lines that start like this; every test that cannot run here prints one. */
export const SKIP_MARK = "SKIPPED:";

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

/**
 * Path of a Python that can import all of `modules`, or null after printing the SKIPPED line. Looked for in this order:
 * CROSSRATE_PYTHON, the check's own environment in .cache/python (see .ci/run), python3.
 */
export function optionalPython(modules: readonly string[], what: string): string | null {
  const candidates = [process.env["CROSSRATE_PYTHON"], ".cache/python/bin/python", "python3"];
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === "" || Bun.which(candidate) === null) continue;
    const attempt = Bun.spawnSync([candidate, "-c", `import ${modules.join(", ")}`], {
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
