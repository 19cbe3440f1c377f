#!/usr/bin/env bun
/** The program: reads the command line of this process, and ends it with the exit code of the command. */

import { runCommandLine } from "#commands/command-line.ts";
import { PROCESS_WORD } from "#store/parquet/duckdb-process.ts";
import { VERSION } from "#version.ts";

// The proxy of HTTP_PROXY is the way to other machines: the demo, `doctor` and the commands also ask servers on this one.
const exempt = process.env["no_proxy"] === undefined ? "NO_PROXY" : "no_proxy";
process.env[exempt] = `${process.env[exempt] ?? ""},localhost,127.0.0.1,::1`;

const options = {
  version: VERSION,
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
  keyboard: process.stdin,
  results: process.stdout,
};
if (process.argv[2] === PROCESS_WORD) await import("#store/parquet/duckdb-child.ts");
else process.exit(await runCommandLine(process.argv.slice(2), options));
