/** The npm package by npx, on a machine that has Node, npm and nothing of this repository. */

import { mkdirSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { PRODUCT } from "#packaging/product.ts";
import { answersAll } from "./answers.ts";
import { npmPath } from "./made.ts";
import { type Machine, ROOT, run, type Step, startedDemo, startFigures } from "./step.ts";

/** npm's cache stays between runs: 160 MB of Bun and DuckDB are fetched once. */
const CACHE = join(ROOT, "node_modules/.cache/crossrate-npm");
export const NPM_SETTINGS = {
  npm_config_cache: CACHE,
  npm_config_update_notifier: "false",
  npm_config_loglevel: "error",
};

function machineIn(folder: string): Machine {
  const [cwd, home] = [join(folder, "npx"), join(folder, "npx-home")];
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  return { cwd, env: { HOME: home, PATH: process.env["PATH"] ?? "", ...NPM_SETTINGS } };
}

export const NPX_STEPS: readonly Step[] = [
  {
    what: "npx ./crossrate-*.tgz installs and says its version",
    run: async (folder) => {
      const machine = machineIn(folder);
      const archive = basename(npmPath());
      await copyFile(npmPath(), join(machine.cwd, archive));
      const printed = (await run(["npx", "-y", `./${archive}`, "--version"], machine)).trim();
      if (printed !== PRODUCT.version) throw new Error(`it prints ${printed}`);
      return "";
    },
  },
  {
    what: "npx ./crossrate-*.tgz demo starts, has its pages, documents and files, and ends as a terminal ends it",
    run: async (folder) => {
      const machine = machineIn(folder);
      const demo = await startedDemo(["npx", "-y", `./${basename(npmPath())}`], machine);
      try {
        await answersAll(demo);
      } finally {
        await demo.end();
      }
      const left = (await readdir(machine.cwd)).filter((name) => name !== basename(npmPath()));
      if (left.join() !== "data") throw new Error(`it left ${left.join(", ")}`);
      // The memory of npx says nothing.
      return startFigures({ ...demo, memory: null });
    },
  },
];
