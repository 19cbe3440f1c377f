#!/usr/bin/env bun
/** The program: a thread pool wide enough for DuckDB first, everything else after. */

import { VERSION } from "#version.ts";

widenThreadPool();
// Not above: what is loaded before the process starts itself again is loaded twice.
const { runCommandLine } = await import("#commands/line.ts");
const surroundings = {
  version: VERSION,
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
};
process.exit(await runCommandLine(process.argv.slice(2), surroundings));

/**
 * DuckDB's statements run on the runtime's thread pool, whose size is fixed when the process starts: at its default two
 * long exports on two cores would stop every other query and file read. So the process starts itself again, once,
 * in place, with a wider one.
 */
function widenThreadPool(): void {
  if (process.env["UV_THREADPOOL_SIZE"] !== undefined) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const environment = { ...process.env, UV_THREADPOOL_SIZE: "16" };
  (process as ProcessWithExec).execve?.(process.execPath, again, environment);
}

/** Absent where the system has no exec: then the pool stays as it is. */
type ProcessWithExec = { execve?(file: string, args: readonly string[], env: object): never };
