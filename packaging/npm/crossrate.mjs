#!/usr/bin/env node
/** `crossrate` as an npm package: starts the program on the Bun that was installed beside it. */

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const STUB_BYTES = 1024 * 1024;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const child = spawn(findBun(), [program, ...process.argv.slice(2)], { stdio: "inherit" });

// This process ends when the program does, which may have work to finish first.
for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
child.on("error", (fault) => {
  console.error(`crossrate: Bun does not start: ${fault.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));

/** Path of the executable. The package `bun` puts it in its place by an install script, which some installations do not run. */
function findBun() {
  const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${cpu}`;
  const file = process.platform === "win32" ? "bun.exe" : "bun";
  const require = createRequire(import.meta.url);
  const names = [
    "bun/bin/bun.exe",
    ...["", "-musl"].map((libc) => `@oven/bun-${platform}${libc}/bin/${file}`),
  ];
  for (const name of names) {
    try {
      const path = require.resolve(name);
      if (statSync(path).size > STUB_BYTES) return path;
    } catch {
      // Not installed on this platform: the next one may be.
    }
  }
  console.error(`crossrate: the package bun has no executable for ${platform}; install crossrate again`);
  process.exit(1);
}
