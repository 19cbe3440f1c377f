#!/usr/bin/env bun
/** The program: reads the command line of this process, and ends it with the exit code of the command. */

import { runCommandLine } from "#commands/command-line.ts";
import { VERSION } from "#version.ts";

const options = {
  version: VERSION,
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
  keyboard: process.stdin,
  results: process.stdout,
};
process.exit(await runCommandLine(process.argv.slice(2), options));
