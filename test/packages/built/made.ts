/** The packages are made by the one command, and their checksums hold. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { PRODUCT } from "#packaging/product.ts";
import { DIST, ROOT, run, type Step } from "./step.ts";

const LARGEST_BINARY_BYTES = 200e6;
const LARGEST_NPM_BYTES = 6e6;

export const MADE_STEPS: readonly Step[] = [
  {
    what: "bun run package makes every package",
    run: async () => {
      const env = Object.fromEntries(
        Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const command = [process.execPath, "packaging/package.ts"];
      await run(command, { cwd: ROOT, env });
      const { name, version } = PRODUCT;
      const expected = [
        "SHA256SUMS",
        `${name}-${version}-${process.platform}-${process.arch}`,
        `${name}-${version}-py3-none-any.whl`,
        `${name}-${version}.cdx.json`,
        `${name}-${version}.tar.gz`,
        `${name}-${version}.tgz`,
        `${name}-client-${version}.tgz`,
      ];
      const made = (await readdir(DIST)).filter((entry) => entry !== ".work").sort();
      if (made.join() !== expected.sort().join()) throw new Error(`dist/ has ${made.join(", ")}`);
      return `${made.length} files`;
    },
  },
  {
    what: "sha256sum finds each file as SHA256SUMS has it",
    run: async () => {
      const path = { PATH: process.env["PATH"] ?? "" };
      const command = ["sha256sum", "--check", "--strict", "SHA256SUMS"];
      const files = (await run(command, { cwd: DIST, env: path })).trim().split("\n").length;
      if (files !== 6) throw new Error(`${files} files are listed`);
      return "";
    },
  },
  {
    what: "the binary has at most 200 MB, the npm package at most 6 MB",
    run: async () => {
      const { size: binary } = await stat(binaryPath());
      const { size: npm } = await stat(npmPath());
      const figures = `${(binary / 1e6).toFixed(1)} MB and ${(npm / 1e6).toFixed(1)} MB`;
      if (binary > LARGEST_BINARY_BYTES || npm > LARGEST_NPM_BYTES) throw new Error(figures);
      return figures;
    },
  },
];

export function binaryPath(): string {
  return join(DIST, `${PRODUCT.name}-${PRODUCT.version}-${process.platform}-${process.arch}`);
}

export function npmPath(): string {
  return join(DIST, `${PRODUCT.name}-${PRODUCT.version}.tgz`);
}
